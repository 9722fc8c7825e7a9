import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DescribeExecutionCommand, SFNClient } from '@aws-sdk/client-sfn';
import * as z from 'zod';
import { ledgerTable } from '../../../functions/ledger/table/table.ts';
import { followBatch, startBatch, uploadFile } from '../../../infra/local/batch/run-batch.ts';
import { executionFamily, workflowUsage } from '../../../infra/local/costs/workflow-usage.ts';
import { OperatorClient } from '../../../infra/local/operator-client.ts';
import type { MeteredAws } from '../metering/metered-aws.ts';
import type { PerThousand } from '../metering/per-thousand.ts';
import { perThousand } from '../metering/per-thousand.ts';
import { UsageMeter } from '../metering/usage-meter.ts';
import { asCsv, settlingPayouts } from './settling-payouts.ts';

export interface BatchMeasure extends PerThousand {
  readonly payouts: number;
  readonly chunks: number;
  /** Sweeps over the batch, from its first call to its end. */
  readonly sweeps: number;
}

/** Objects that Step Functions writes when a Distributed Map ends, and the local AWS does not: manifest, successes, failures. */
const mapResultObjects = 3;

const executionOutput = z.object({ sweeps: z.int() });

/** Waits until an execution has ended. Returns its number of sweeps. */
const sweepsOf = async (executionArn: string, say: (line: string) => void): Promise<number> => {
  const sfn = new SFNClient();
  const began = Date.now();
  for (;;) {
    const { status, output } = await sfn.send(new DescribeExecutionCommand({ executionArn }));
    if (status === 'SUCCEEDED') return executionOutput.parse(JSON.parse(output ?? '')).sweeps;
    if (status !== 'RUNNING') throw new Error(`The execution is ${status}, so its counts are useless`);
    await wait(5000);
    say(`Running for ${Math.round((Date.now() - began) / 1000)} s`);
  }
};

/**
 * Pays a file on the metered local AWS and counts its use. Progress is read from Step Functions, because requests to the operator
 * API would be counted. Only two of those are made: the start, and one look at the end.
 *
 * @throws Error when a payout did not complete
 */
export const measureBatch = async (
  aws: MeteredAws,
  payouts: number,
  say: (line: string) => void,
): Promise<BatchMeasure> => {
  const { ApiUrl, FilesBucket, LedgerTable, StateMachineArn } = aws.outputs.PayoutOrchestrator;
  const meter = new UsageMeter({
    table: {
      table: LedgerTable,
      keys: [ledgerTable.partitionKey, ledgerTable.sortKey],
      indexes: Object.values(ledgerTable.indexes),
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
  const sweeps = await sweepsOf(executionArn, say);
  const batch = await followBatch(api, batchId, () => {});
  const use = meter.use;
  if (batch.status !== 'completed' || batch.counts['completed'] !== payouts) {
    throw new Error(`The batch is ${batch.status}: ${JSON.stringify(batch.counts)}, so its counts are useless`);
  }
  const chunks = (await executionFamily(new SFNClient(), executionArn)).length - 1;
  const workflow = await workflowUsage(StateMachineArn, batchId);
  const charged = { ...workflow, stateTransitions: workflow.stateTransitions + chunks };
  const withMap = { ...use, s3Writes: use.s3Writes + mapResultObjects, s3Reads: use.s3Reads + 1 };
  return { payouts, chunks, sweeps, ...perThousand(payouts, charged, withMap) };
};
