import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DescribeExecutionCommand, SFNClient } from '@aws-sdk/client-sfn';
import * as z from 'zod';
import { ledgerTable } from '../../../functions/ledger/table.ts';
import { OperatorClient } from '../../../infra/local/operator-client.ts';
import { followBatch, startBatch, uploadFile } from '../../../infra/local/run-batch.ts';
import { executionFamily, workflowUsage } from '../../../infra/local/workflow-usage.ts';
import { mean } from '../averages.ts';
import type { MeteredAws } from '../metering/metered-aws.ts';
import { pollsAtMost } from '../metering/metered-aws.ts';
import type { PerThousand } from '../metering/per-thousand.ts';
import { perThousand } from '../metering/per-thousand.ts';
import { UsageMeter } from '../metering/usage-meter.ts';
import { asCsv, settlingPayouts } from './settling-payouts.ts';

export interface BatchMeasure extends PerThousand {
  readonly payouts: number;
  readonly chunks: number;
  /** The most polls that any chunk needed. */
  readonly mostPolls: number;
  /** Polls of a chunk on average. */
  readonly meanPolls: number;
}

/** 18 full chunks of bank transfers and 3 of wallet transfers. */
const payouts = 2058;

/** Objects that Step Functions writes when a Distributed Map ends, which the local AWS does not: manifest, successes, failures. */
const mapResultObjects = 3;

const childOutput = z.object({ polls: z.int() });

/** Polls of each child of a batch's execution, by their outputs. */
async function pollsOf(executionArn: string): Promise<readonly number[]> {
  const sfn = new SFNClient();
  const [, ...children] = await executionFamily(sfn, executionArn);
  const outputs = children.map(async (child) => {
    const { output } = await sfn.send(new DescribeExecutionCommand({ executionArn: child }));
    return childOutput.parse(JSON.parse(output ?? '')).polls;
  });
  return Promise.all(outputs);
}

async function executionEnded(executionArn: string, say: (line: string) => void): Promise<void> {
  const sfn = new SFNClient();
  const began = Date.now();
  const { status } = await sfn.send(new DescribeExecutionCommand({ executionArn }));
  for (let now = status; now === 'RUNNING'; ) {
    await wait(5000);
    say(`Running for ${Math.round((Date.now() - began) / 1000)} s`);
    ({ status: now } = await sfn.send(new DescribeExecutionCommand({ executionArn })));
  }
}

/**
 * Pays a file on the metered local AWS and counts what that used. It is followed by asking Step Functions, not the
 * operator API, whose requests would be counted: there are two, the start and one look at the end.
 *
 * @throws Error when a payout did not complete, or a chunk needed more polls than the bounds speak of
 */
export async function measureBatch(aws: MeteredAws, say: (line: string) => void): Promise<BatchMeasure> {
  const { ApiUrl, FilesBucket, LedgerTable, StateMachineArn } = aws.outputs.PayoutOrchestrator;
  const { disbursements, batchesByDay } = ledgerTable.indexes;
  const meter = new UsageMeter({
    table: {
      table: LedgerTable,
      keys: [ledgerTable.partitionKey, ledgerTable.sortKey],
      indexes: [disbursements, batchesByDay],
    },
    bucket: FilesBucket,
    providerUrl: z.string().parse(aws.outputs.PaymentService['PaymentServiceUrl']),
    apiUrl: ApiUrl,
  });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const api = new OperatorClient({ apiUrl: ApiUrl, region: aws.aws.region, credentials });
  const file = path.join(aws.aws.folder, 'bench-payouts.csv');
  await writeFile(file, asCsv(settlingPayouts(payouts, 'bench')));
  say(`Paying a file of ${payouts} payouts`);
  aws.observe((exchange) => meter.observe(exchange));
  const batchId = await startBatch(api, await uploadFile(FilesBucket, file), randomUUID());
  const executionArn = `${StateMachineArn.replace(':stateMachine:', ':execution:')}:${batchId}`;
  await executionEnded(executionArn, say);
  const batch = await followBatch(api, batchId, () => {});
  const use = meter.use;
  if (batch.status !== 'completed' || batch.counts['completed'] !== payouts) {
    throw new Error(`The batch is ${batch.status}: ${JSON.stringify(batch.counts)}; counts of it would be of no use`);
  }
  const childPolls = await pollsOf(executionArn);
  const mostPolls = Math.max(...childPolls);
  if (mostPolls > pollsAtMost)
    throw new Error(`A chunk needed ${mostPolls} polls, and the bounds speak of ${pollsAtMost}`);
  const chunks = childPolls.length;
  const workflow = await workflowUsage(StateMachineArn, batchId);
  const charged = { ...workflow, stateTransitions: workflow.stateTransitions + chunks };
  const withMap = { ...use, s3Writes: use.s3Writes + mapResultObjects, s3Reads: use.s3Reads + 1 };
  return { payouts, chunks, mostPolls, meanPolls: mean(childPolls), ...perThousand(payouts, charged, withMap) };
}
