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

const statement = z.object({
  Effect: z.enum(['Allow', 'Deny']),
  Action: z.union([z.string().transform((one) => [one]), z.array(z.string())]),
  Resource: z.unknown(),
});
const policy = z.object({
  PolicyDocument: z.object({ Statement: z.array(statement) }),
  Roles: z.array(z.object({ Ref: z.string() })).default([]),
});

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

/** The permissions of each role by its logical id, one line per action: `dynamodb:GetItem <Table.Arn>`. */
export const permissionsByRole = (resources: readonly Resource[]): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const { Properties } of resources.filter(({ Type }) => Type === 'AWS::IAM::Policy')) {
    const { PolicyDocument, Roles } = policy.parse(Properties);
    const lines = PolicyDocument.Statement.flatMap(({ Action, Resource }) => {
      const targets = Array.isArray(Resource) ? Resource.map(readable) : [readable(Resource)];
      return Action.flatMap((action) => targets.map((target) => `${action} ${target}`));
    });
    for (const { Ref } of Roles) found.set(Ref, [...(found.get(Ref) ?? []), ...lines]);
  }
  return found;
};
