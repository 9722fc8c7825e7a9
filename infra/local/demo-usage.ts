import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { BatchView } from '../../functions/api/schemas/batch.ts';
import type { Usage } from './price-list.ts';
import { workflowUsage } from './workflow-usage.ts';

/**
 * DynamoDB units of one payout, reckoned: its two items in a transaction (4), their claim in one (2), adoption and its
 * entry in the index of disbursements (3), its end (1), its proof (1).
 */
const writeUnitsPerPayout = 11;

/** Strong reads of a payout's 1 KB: by the step that registers it, and by each of about six that follow. */
const readUnitsPerPayout = 2;

/** What a batch used of AWS, counted from its executions, its files and the requests made for it. */
export async function usageOf(
  batch: BatchView,
  stateMachineArn: string,
  bucket: string,
  apiRequests: number,
): Promise<Usage> {
  let stateTransitions = 0;
  let lambdaRequests = apiRequests;
  let lambdaMbMs = 0;
  for (const { name } of batch.executions) {
    const used = await workflowUsage(stateMachineArn, name);
    stateTransitions += used.stateTransitions;
    lambdaRequests += used.lambdaRequests;
    lambdaMbMs += used.lambdaMbMs;
  }
  const files = await new S3Client().send(
    new ListObjectsV2Command({ Bucket: bucket, Prefix: `batches/${batch.batchId}/` }),
  );
  const payouts = batch.plan?.validRows ?? 0;
  return {
    stateTransitions,
    lambdaRequests,
    lambdaMbMs,
    tableWriteUnits: payouts * writeUnitsPerPayout,
    tableReadUnits: payouts * readUnitsPerPayout,
    s3Writes: (files.KeyCount ?? 0) + 1,
    s3Reads: (batch.plan?.chunks ?? 0) * 2 + 2,
    apiRequests,
  };
}
