import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { binaries, projectRoot } from '../paths.ts';
import { runProgram } from '../run-program.ts';
import { approverArns } from './approvers.ts';
import type { LocalAwsAddress } from './emulator.ts';
import { account, environmentFor } from './emulator.ts';

/** The stage on the local AWS, unless a setting names another. */
export const localStage = 'local';

/** The AWS that the CDK deploys to. */
export interface CdkTarget {
  /** Its name in messages: `the local AWS`. */
  readonly name: string;
  readonly account: string;
  readonly region: string;
  /** Environment variables for the CDK and the app, on top of this process's own. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folder for templates and outputs. */
  readonly folder: string;
  /** CDK context. It overrides cdk.json, and a deployment's own settings override it. */
  readonly settings: Readonly<Record<string, string>> & { readonly stage: string };
}

/** A local AWS, at `localStage` unless a deployment sets another stage. */
export const localTarget = (aws: LocalAwsAddress): CdkTarget => ({
  name: 'the local AWS',
  account,
  region: aws.region,
  // CloudFormation's rules take longer than the rest of a synthesis. Tests apply them to this stage's templates.
  environment: { ...environmentFor(aws), CDK_VALIDATION: 'false' },
  folder: aws.folder,
  settings: {
    stage: localStage,
    region: aws.region,
    localEndpoint: aws.endpoint,
    // Each chunk in progress occupies a Node process of about 70 MB, and this is one machine.
    submitsAtOnce: '4',
    // Without approvers nobody could approve what the console begins.
    orchestrator: JSON.stringify({ approvers: approverArns }),
  },
});

/**
 * Settings of a stage that pays only from the sandbox, notifies nobody and locks nothing, although cdk.json may say otherwise.
 * An empty setting counts as not given.
 */
export const sandboxOnly = {
  provider: JSON.stringify({ kind: 'sandbox' }),
  eventWebhook: '',
  notifyEmail: '',
  alarmEmail: '',
  alarmTopicArn: '',
  objectLockDays: '',
  objectLockMode: '',
} as const;

/** The outputs of the deployed stacks. */
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
  /** Empty when another provider pays: the stack does not exist then. */
  PaymentService: z.record(z.string(), z.string()).default({}),
});

export type StackOutputs = z.infer<typeof stackOutputs>;

/** Whether the payment service of this repository is deployed and makes the payouts. */
export const paysFromSandbox = ({ PaymentService }: Pick<StackOutputs, 'PaymentService'>): boolean =>
  Object.keys(PaymentService).length > 0;

export interface Deployment {
  /** CDK context that overrides cdk.json: the settings of infra/settings.ts, with objects as JSON text. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
  /** Ends the CDK. What CloudFormation has begun goes on. */
  readonly signal?: AbortSignal;
}

/** Reads the CDK's outputs file, and removes the stage from the names of the stacks. */
const outputsOf = (stage: string, written: unknown): StackOutputs => {
  const byName = Object.entries(z.record(z.string(), z.unknown()).parse(written));
  return stackOutputs.parse(
    Object.fromEntries(byName.map(([name, outputs]) => [name.replace(`-${stage}`, ''), outputs])),
  );
};

/** Runs the CDK version that package.json pins. */
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
    onLine: options.onLine,
    signal: options.signal,
  });

/** Creates the CDK's own bucket and roles. */
export const bootstrap = async (target: CdkTarget, options: Deployment = {}): Promise<void> => {
  const parameters = ['bootstrap', `aws://${target.account}/${target.region}`, '--app', '', '--no-notices'];
  await runCdk(target, parameters, `The CDK could not be bootstrapped on ${target.name}:`, options);
};

const anySettings = z.record(z.string(), z.unknown());

/** The target's settings with the deployment's on top. `orchestrator` is merged setting by setting. */
export const settingsOn = (target: CdkTarget, { settings = {} }: Deployment) => {
  const orchestrator = [target.settings['orchestrator'], settings['orchestrator']].flatMap((text = '{}') =>
    Object.entries(anySettings.parse(JSON.parse(text))),
  );
  return { ...target.settings, ...settings, orchestrator: JSON.stringify(Object.fromEntries(orchestrator)) };
};

const appWith = (target: CdkTarget, settings: Readonly<Record<string, string>>): readonly string[] => {
  const context = Object.entries(settings).flatMap(([key, value]) => ['--context', `${key}=${value}`]);
  return ['--output', path.join(target.folder, 'cdk.out'), ...context];
};

/** Deploys both stacks of a stage with the real CDK, and returns their outputs. */
export const deploy = async (target: CdkTarget, options: Deployment = {}): Promise<StackOutputs> => {
  const settings = settingsOn(target, options);
  const outputsFile = path.join(target.folder, `outputs-${settings.stage}.json`);
  const how = ['--require-approval=never', '--concurrency=2', '--method=direct', '--no-notices'];
  await runCdk(
    target,
    ['deploy', '--all', ...how, `--outputs-file=${outputsFile}`, ...appWith(target, settings)],
    `The stacks could not be deployed to ${target.name}:`,
    options,
  );
  return outputsOf(settings.stage, JSON.parse(await readFile(outputsFile, 'utf8')));
};

/** Deletes both stacks of a stage with the real CDK. Only for stages that keep no data. */
export const destroy = async (target: CdkTarget, options: Deployment = {}): Promise<void> => {
  await runCdk(
    target,
    ['destroy', '--all', '--force', '--no-notices', ...appWith(target, settingsOn(target, options))],
    `The stacks could not be deleted from ${target.name}:`,
    options,
  );
};
