import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { approverArns } from './approvers.ts';
import type { LocalAwsAddress } from './emulator.ts';
import { environmentFor } from './emulator.ts';
import { account, binaries, projectRoot } from './places.ts';
import { runProgram } from './run-program.ts';

/** The stage that the local AWS has unless another is set. */
export const localStage = 'local';

/** Where the CDK deploys to. */
export interface CdkTarget {
  /** In messages: `the local AWS`. */
  readonly name: string;
  readonly account: string;
  readonly region: string;
  /** What the CDK and the app find in their environment besides this process's own. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where templates and outputs are put. */
  readonly folder: string;
  /** CDK context on top of cdk.json's, and beneath a deployment's own. */
  readonly settings: Readonly<Record<string, string>> & { readonly stage: string };
}

/** A local AWS, at the stage `localStage` unless a deployment sets another. */
export const localTarget = (aws: LocalAwsAddress): CdkTarget => ({
  name: 'the local AWS',
  account,
  region: aws.region,
  environment: environmentFor(aws),
  folder: aws.folder,
  settings: {
    stage: localStage,
    region: aws.region,
    localEndpoint: aws.endpoint,
    // Each chunk in work keeps a Node process of about 70 MB busy, so there are few at once on one machine.
    submitsAtOnce: '4',
    // What the console begins is approved by nobody else.
    orchestrator: JSON.stringify({ approvers: approverArns }),
  },
});

/** What the stacks say about themselves once they are deployed. */
export const stackOutputs = z.object({
  PayoutOrchestrator: z.object({
    ApiUrl: z.string(),
    DashboardUrl: z.string(),
    EventBusName: z.string(),
    NoticeTopicArn: z.string(),
    FilesBucket: z.string(),
    LedgerTable: z.string(),
    StateMachineArn: z.string(),
    WebhookSecretName: z.string(),
    ReapplyWebhooksFunction: z.string(),
  }),
  /** Empty where another provider pays: there is no such stack. */
  PaymentService: z.record(z.string(), z.string()).default({}),
});

export type StackOutputs = z.infer<typeof stackOutputs>;

/** Whether the payment service of this repository is deployed as well, and pays. */
export const paysFromSandbox = ({ PaymentService }: Pick<StackOutputs, 'PaymentService'>): boolean =>
  Object.keys(PaymentService).length > 0;

export interface Deployment {
  /** CDK context on top of cdk.json's: the settings of infra/settings.ts, objects as JSON text. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
  /** Ends the CDK, and by that what it has not begun yet. */
  readonly signal?: AbortSignal;
}

/** Outputs as the CDK writes them, by the names of stacks, without the stage that these end in. */
const outputsOf = (stage: string, written: unknown): StackOutputs => {
  const byName = Object.entries(z.record(z.string(), z.unknown()).parse(written));
  return stackOutputs.parse(
    Object.fromEntries(byName.map(([name, outputs]) => [name.replace(`-${stage}`, ''), outputs])),
  );
};

/** Runs the CDK that package.json pins. */
export const runCdk = (target: CdkTarget, parameters: readonly string[], failure: string, options: Deployment) =>
  runProgram(path.join(binaries, 'cdk'), parameters, failure, {
    environment: {
      ...target.environment,
      PATH: `${binaries}${path.delimiter}${process.env['PATH'] ?? ''}`,
      CDK_DEFAULT_ACCOUNT: target.account,
      CDK_DEFAULT_REGION: target.region,
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      CI: 'true',
    },
    folder: projectRoot,
    ...(options.onLine === undefined ? {} : { onLine: options.onLine }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });

/** Makes what the CDK deploys with: its bucket and roles. */
export const bootstrap = async (target: CdkTarget, options: Deployment = {}): Promise<void> => {
  const parameters = ['bootstrap', `aws://${target.account}/${target.region}`, '--app', '', '--no-notices'];
  await runCdk(target, parameters, `The CDK could not be bootstrapped on ${target.name}:`, options);
};

const orchestratorSettings = z.looseObject({});

/** What the app is told. The settings of the orchestrator are merged one by one. */
export const settingsOn = (target: CdkTarget, { settings = {} }: Deployment) => {
  const orchestrator = [target.settings['orchestrator'], settings['orchestrator']].flatMap((text = '{}') =>
    Object.entries(orchestratorSettings.parse(JSON.parse(text))),
  );
  return { ...target.settings, ...settings, orchestrator: JSON.stringify(Object.fromEntries(orchestrator)) };
};

const appWith = (target: CdkTarget, settings: Readonly<Record<string, string>>): readonly string[] => {
  const context = Object.entries(settings).flatMap(([key, value]) => ['--context', `${key}=${value}`]);
  return ['--output', path.join(target.folder, 'cdk.out'), ...context];
};

/** Deploys both stacks of a stage as they are, with the real CDK. Answers their outputs. */
export const deploy = async (target: CdkTarget, options: Deployment = {}): Promise<StackOutputs> => {
  const settings = settingsOn(target, options);
  const outputsFile = path.join(target.folder, `outputs-${settings.stage}.json`);
  await runCdk(
    target,
    [
      'deploy',
      '--all',
      '--require-approval',
      'never',
      '--concurrency',
      '2',
      '--method',
      'direct',
      '--no-notices',
      '--outputs-file',
      outputsFile,
      ...appWith(target, settings),
    ],
    `The stacks could not be deployed to ${target.name}:`,
    options,
  );
  return outputsOf(settings.stage, JSON.parse(await readFile(outputsFile, 'utf8')));
};

/** Deletes both stacks of a stage, with the real CDK: of one that keeps nothing. */
export const destroy = async (target: CdkTarget, options: Deployment = {}): Promise<void> => {
  await runCdk(
    target,
    ['destroy', '--all', '--force', '--no-notices', ...appWith(target, settingsOn(target, options))],
    `The stacks could not be deleted from ${target.name}:`,
    options,
  );
};
