import path from 'node:path';
import { App } from 'aws-cdk-lib';
import * as z from 'zod';
import { cdkContext } from '../../../infra/cdk-context.ts';
import { composeApp } from '../../../infra/compose-app.ts';
import { NodeFunction } from '../../../infra/constructs/node-function.ts';

/** A function as the CDK would upload it. */
export interface DeployedFunction {
  /** Stack and construct: `PayoutOrchestrator/PlanBatch`. */
  readonly name: string;
  /** The handler's file, from the project's root. */
  readonly entry: string;
  /** Path of the bundle, the only file of its asset. */
  readonly bundle: string;
  /** Its environment variables. Values known only at deployment are `deployed`. */
  readonly environment: Readonly<Record<string, string>>;
}

const lambdaFunction = z.object({
  Type: z.literal('AWS::Lambda::Function'),
  Properties: z.object({
    Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }).optional(),
  }),
  Metadata: z.object({ 'aws:cdk:path': z.string(), 'aws:asset:path': z.string() }),
});
const template = z.object({ Resources: z.record(z.string(), z.unknown()) });

/** The last construct's name, without the `Resource` that the CDK appends. */
const shortName = (stack: string, cdkPath: string): string => `${stack}/${cdkPath.split('/').at(-2) ?? cdkPath}`;

/** Synthesizes and bundles both stacks into `folder`, like `cdk synth`. */
export const synthesizeFunctions = (folder: string): readonly DeployedFunction[] => {
  // The CDK's command line sets these. Without them a template does not name each function's asset.
  const metadata = { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:enable-path-metadata': true };
  const app = new App({ outdir: folder, context: { ...cdkContext(), ...metadata } });
  composeApp(app, undefined);
  const constructs = app.node.findAll().filter((one) => one instanceof NodeFunction);
  const entries = new Map(constructs.map((one) => [one.node.path, one.entry]));
  return app.synth().stacks.flatMap(({ stackName, template: made }) =>
    Object.values(template.parse(made).Resources).flatMap((resource): DeployedFunction[] => {
      const found = lambdaFunction.safeParse(resource);
      if (!found.success) return [];
      const { Properties, Metadata } = found.data;
      const entry = entries.get(path.posix.dirname(Metadata['aws:cdk:path']));
      // The CDK's own functions are not measured.
      if (entry === undefined) return [];
      const environment = Object.entries(Properties.Environment?.Variables ?? {}).map(
        ([key, value]) => [key, typeof value === 'string' ? value : 'deployed'] as const,
      );
      return [
        {
          name: shortName(stackName, Metadata['aws:cdk:path']),
          entry,
          bundle: path.join(folder, Metadata['aws:asset:path'], 'index.js'),
          environment: Object.fromEntries(environment),
        },
      ];
    }),
  );
};
