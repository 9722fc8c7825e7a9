import type { App } from 'aws-cdk-lib';
import { z } from 'zod';
import { appWithoutBundles } from '../../infra/app-without-bundles.ts';

/** The address of a local AWS. */
export const localAws = 'https://127.0.0.1:4566';

type Settings = Readonly<Record<string, unknown>>;

/** A new app with these settings, for a test that changes it. The stage `local` uses the local AWS. */
export const newlyComposed = (settings: Settings): App =>
  appWithoutBundles(settings, settings['stage'] === 'local' ? localAws : undefined);

const apps = new Map<string, App>();

/** The app with these settings, shared by all tests that only read it. */
export const composed = (settings: Settings = {}): App => {
  const key = JSON.stringify(settings);
  const app = apps.get(key) ?? newlyComposed(settings);
  apps.set(key, app);
  return app;
};

const resource = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DeletionPolicy: z.string().optional(),
  UpdateReplacePolicy: z.string().optional(),
});

export interface Resource extends z.infer<typeof resource> {
  readonly logicalId: string;
}

/** The resources of the CloudFormation template of one stack, whatever the stage. */
export const resourcesOf = (app: App, stack: string): readonly Resource[] => {
  const template = z
    .object({ Resources: z.record(z.string(), resource) })
    .parse(app.synth().getStackArtifact(stack).template);
  return Object.entries(template.Resources).map(([logicalId, found]) => ({ logicalId, ...found }));
};

/** A resource as text. References become their logical id and attribute. */
export const readable = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(readable).join(' | ');
  const object = z.record(z.string(), z.unknown()).parse(value);
  if (typeof object['Ref'] === 'string') return `<${object['Ref']}>`;
  if (Array.isArray(object['Fn::GetAtt'])) return `<${object['Fn::GetAtt'].join('.')}>`;
  const join = z.tuple([z.string(), z.array(z.unknown())]).safeParse(object['Fn::Join']);
  if (join.success) return join.data[1].map(readable).join(join.data[0]);
  return JSON.stringify(value);
};
