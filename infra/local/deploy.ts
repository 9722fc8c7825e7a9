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

/** Each chunk in work keeps a Node process of about 70 MB busy, so there are few at once on one machine. */
const localSettings = { stage: localStage, submitsAtOnce: '4' };

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
export function paysFromSandbox({ PaymentService }: Pick<StackOutputs, 'PaymentService'>): boolean {
  return Object.keys(PaymentService).length > 0;
}

export interface Deployment {
  /** CDK context on top of cdk.json's: the settings of infra/settings.ts, objects as JSON text. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

/** Outputs as the CDK writes them, by the names of stacks, without the stage that these end in. */
function outputsOf(stage: string, written: unknown): StackOutputs {
  const byName = Object.entries(z.record(z.string(), z.unknown()).parse(written));
  return stackOutputs.parse(
    Object.fromEntries(byName.map(([name, outputs]) => [name.replace(`-${stage}`, ''), outputs])),
  );
}

/** Runs the real CDK against the local AWS. */
export function runCdk(aws: LocalAwsAddress, parameters: readonly string[], failure: string, options: Deployment) {
  return runProgram(path.join(binaries, 'cdk'), parameters, failure, {
    environment: {
      ...environmentFor(aws),
      PATH: `${binaries}${path.delimiter}${process.env['PATH'] ?? ''}`,
      CDK_DEFAULT_ACCOUNT: account,
      CDK_DEFAULT_REGION: aws.region,
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      CI: 'true',
    },
    folder: projectRoot,
    ...(options.onLine === undefined ? {} : { onLine: options.onLine }),
  });
}

/** Makes what the CDK deploys with: its bucket and roles. */
export async function bootstrap(aws: LocalAwsAddress, options: Deployment = {}): Promise<void> {
  const parameters = ['bootstrap', `aws://${account}/${aws.region}`, '--app', '', '--no-notices'];
  await runCdk(aws, parameters, 'The CDK could not be bootstrapped on the local AWS:', options);
}

/** What the app is told on the local AWS. */
function settingsOn(aws: LocalAwsAddress, options: Deployment) {
  const { orchestrator = '{}', ...others } = options.settings ?? {};
  return {
    ...{ ...localSettings, region: aws.region, localEndpoint: aws.endpoint, ...others },
    // What the console begins is approved by nobody else.
    orchestrator: JSON.stringify({ approvers: approverArns, ...z.looseObject({}).parse(JSON.parse(orchestrator)) }),
  };
}

function appWith(aws: LocalAwsAddress, settings: Readonly<Record<string, string>>): readonly string[] {
  const context = Object.entries(settings).flatMap(([key, value]) => ['--context', `${key}=${value}`]);
  return ['--output', path.join(aws.folder, 'cdk.out'), ...context];
}

/** Deploys both stacks of a stage as they are, with the real CDK; the stage is `localStage` unless it is set. Answers their outputs. */
export async function deploy(aws: LocalAwsAddress, options: Deployment = {}): Promise<StackOutputs> {
  const settings = settingsOn(aws, options);
  const outputsFile = path.join(aws.folder, `outputs-${settings.stage}.json`);
  await runCdk(
    aws,
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
      ...appWith(aws, settings),
    ],
    'The stacks could not be deployed to the local AWS:',
    options,
  );
  return outputsOf(settings.stage, JSON.parse(await readFile(outputsFile, 'utf8')));
}

/** Deletes both stacks of a stage, with the real CDK: of one that keeps nothing. */
export async function destroy(aws: LocalAwsAddress, options: Deployment = {}): Promise<void> {
  await runCdk(
    aws,
    ['destroy', '--all', '--force', '--no-notices', ...appWith(aws, settingsOn(aws, options))],
    'The stacks could not be deleted from the local AWS:',
    options,
  );
}
