import { paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import type { Usage } from './price-list.ts';
import { workflowUsage } from './workflow-usage.ts';

/** DynamoDB write units for one payout, as counted by `npm run bench` (functions/ledger/COSTS.md). */
const writeUnitsPerPayout = 8;

/** From the same source. Half a unit reads its reference while planning; the rest reads its chunk, about 0.5 KB for each payout. */
const readUnitsPerPayout = 1.6;

/** What a batch used of AWS, counted from its executions, files and requests. Units of DynamoDB and reads of S3 are estimates. */
export const usageOf = async (
  batch: BatchView,
  stateMachineArn: string,
  bucket: string,
  apiRequests: number,
): Promise<Usage> => {
  let stateTransitions = 0;
  let lambdaRequests = apiRequests;
  let lambdaMbMs = 0;
  for (const { name } of batch.executions) {
    const used = await workflowUsage(stateMachineArn, name);
    stateTransitions += used.stateTransitions;
    lambdaRequests += used.lambdaRequests;
    lambdaMbMs += used.lambdaMbMs;
  }
  let files = 0;
  const pages = paginateListObjectsV2(
    { client: new S3Client() },
    { Bucket: bucket, Prefix: `batches/${batch.batchId}/` },
  );
  for await (const page of pages) files += page.KeyCount ?? 0;
  const payouts = batch.plan?.validRows ?? 0;
  return {
    stateTransitions,
    lambdaRequests,
    lambdaMbMs,
    tableWriteUnits: payouts * writeUnitsPerPayout,
    tableReadUnits: Math.ceil(payouts * readUnitsPerPayout),
    s3Writes: files + 1,
    s3Reads: (batch.plan?.chunks ?? 0) * 2 + 2,
    apiRequests,
  };
};
