import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import * as z from 'zod';
import { localTarget, runCdk } from '../../../infra/local/aws/deploy.ts';
import type { WorkflowUsage } from '../../../infra/local/costs/workflow-usage.ts';
import { workflowUsage } from '../../../infra/local/costs/workflow-usage.ts';
import { projectRoot } from '../../../infra/local/paths.ts';
import { mean } from '../averages.ts';
import { settlingPayouts } from '../batch-run/settling-payouts.ts';
import type { MeteredAws } from '../metering/metered-aws.ts';
import { pollsAtMost } from '../metering/metered-aws.ts';
import type { PerThousand } from '../metering/per-thousand.ts';
import { perThousand } from '../metering/per-thousand.ts';
import { UsageMeter } from '../metering/usage-meter.ts';
import { followedPayout } from './functions/payout-record.ts';

export interface NaiveMeasure extends PerThousand {
  readonly payouts: number;
  readonly mostPolls: number;
  /** Average polls per payout. */
  readonly meanPolls: number;
}

/** Each payout is a run of its own and uses the same, so a few suffice for the cost of a thousand. */
const payouts = 140;
/** Spreads starts, so that few executions need a function at the same moment. On the local AWS each is a process. */
const msBetweenStarts = 400;

const naiveOutputs = z.object({
  PayoutByPayout: z.object({ StateMachineArn: z.string(), Table: z.string(), Bucket: z.string() }),
});

const deployNaive = async ({ aws, outputs }: MeteredAws): Promise<z.infer<typeof naiveOutputs>['PayoutByPayout']> => {
  const outputsFile = path.join(aws.folder, 'naive-outputs.json');
  const context = {
    providerUrl: outputs.PaymentService['PaymentServiceUrl'],
    providerSecret: outputs.PaymentService['PaymentServiceCredentialsSecret'],
  };
  await runCdk(
    localTarget(aws),
    [
      'deploy',
      'PayoutByPayout',
      '--app',
      `node ${path.relative(projectRoot, fileURLToPath(new URL('./app.ts', import.meta.url)))}`,
      '--require-approval',
      'never',
      '--method',
      'direct',
      '--no-notices',
      '--output',
      path.join(aws.folder, 'naive-cdk.out'),
      '--outputs-file',
      outputsFile,
      ...Object.entries(context).flatMap(([key, value]) => ['--context', `${key}=${value}`]),
    ],
    'The obvious design could not be deployed to the local AWS:',
    {},
  );
  return naiveOutputs.parse(JSON.parse(await readFile(outputsFile, 'utf8'))).PayoutByPayout;
};

/** Waits until an execution has ended. Returns its number of polls. */
const pollsOf = async (sfn: SFNClient, executionArn: string): Promise<number> => {
  for (;;) {
    const { status, output, error, cause } = await sfn.send(new DescribeExecutionCommand({ executionArn }));
    if (status === 'SUCCEEDED') return followedPayout.parse(JSON.parse(output ?? '')).polls;
    if (status !== 'RUNNING') throw new Error(`An execution of the obvious design is ${status}: ${error} ${cause}`);
    await wait(2000);
  }
};

const sum = (one: WorkflowUsage, other: WorkflowUsage): WorkflowUsage => ({
  executions: one.executions + other.executions,
  stateTransitions: one.stateTransitions + other.stateTransitions,
  lambdaRequests: one.lambdaRequests + other.lambdaRequests,
  lambdaMs: one.lambdaMs + other.lambdaMs,
  lambdaMbMs: one.lambdaMbMs + other.lambdaMbMs,
});

/**
 * Pays payouts the obvious way: each has an execution of its own that polls it by id. The payment service and the waits are
 * the same. Reading the file and starting the executions is not counted; it would cost this design more.
 */
export const measureNaive = async (aws: MeteredAws, say: (line: string) => void): Promise<NaiveMeasure> => {
  say('Deploying the obvious design');
  const { StateMachineArn, Table, Bucket } = await deployNaive(aws);
  const meter = new UsageMeter({
    table: { table: Table, keys: ['reference'], indexes: [] },
    bucket: Bucket,
    providerUrl: z.string().parse(aws.outputs.PaymentService['PaymentServiceUrl']),
  });
  aws.observe((exchange) => meter.observe(exchange));
  const sfn = new SFNClient();
  say(`Making ${payouts} payouts with it`);
  for (const payout of settlingPayouts(payouts, 'naive')) {
    await sfn.send(
      new StartExecutionCommand({
        stateMachineArn: StateMachineArn,
        name: payout.reference,
        input: JSON.stringify(payout),
      }),
    );
    await wait(msBetweenStarts);
  }
  const names = settlingPayouts(payouts, 'naive').map(({ reference }) => reference);
  let used: WorkflowUsage = { executions: 0, stateTransitions: 0, lambdaRequests: 0, lambdaMs: 0, lambdaMbMs: 0 };
  const polls: number[] = [];
  for (const name of names) {
    const executionArn = `${StateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
    polls.push(await pollsOf(sfn, executionArn));
  }
  const mostPolls = Math.max(...polls);
  if (mostPolls > pollsAtMost)
    throw new Error(`A payout needed ${mostPolls} polls, more than the bounds assume (${pollsAtMost})`);
  const use = meter.use;
  for (const name of names) used = sum(used, await workflowUsage(StateMachineArn, name));
  return { payouts, mostPolls, meanPolls: mean(polls), ...perThousand(payouts, used, use) };
};
