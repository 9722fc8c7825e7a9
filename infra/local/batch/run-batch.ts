import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import { batchSummary, batchView, hasEnded } from '../../../functions/api/schemas/batch.ts';
import { payoutStatus } from '../../../functions/api/schemas/payout.ts';
import type { OperatorClient } from '../operator-client.ts';
import { PlainError } from '../plain-error.ts';

/** Settings for a batch that someone watches: sweeps come sooner, and the batch waits only half a minute for a held payout. */
export const watchedBehavior = { pollFirstSeconds: 2, pollMaxSeconds: 5, onHoldFollowMinutes: 0.5 } as const;

/** Uploads a payout file as merchants do, and returns its key. */
export const uploadFile = async (bucket: string, file: string): Promise<string> => {
  const key = `uploads/${path.basename(file)}`;
  const { size } = await stat(file).catch(() => {
    throw new PlainError(`There is no file ${file}.`);
  });
  await new S3Client().send(
    new PutObjectCommand({ Bucket: bucket, Key: key, Body: createReadStream(file), ContentLength: size }),
  );
  return key;
};

/** Starts a batch from an uploaded file, and returns its id. The idempotency key makes a repeated request harmless. */
export const startBatch = async (api: OperatorClient, file: string, idempotencyKey: string): Promise<string> => {
  const request = {
    method: 'POST',
    path: '/batches',
    headers: { 'idempotency-key': idempotencyKey },
    body: { file },
  } as const;
  return (await api.ask(request, batchSummary)).batchId;
};

/**
 * Polls a batch until it has ended, and reports each change.
 *
 * @throws PlainError when the batch is paused, or has not ended after 15 minutes
 */
export const followBatch = async (
  api: OperatorClient,
  batchId: string,
  onChange: (line: string) => void,
): Promise<BatchView> => {
  const deadline = Date.now() + 15 * 60_000;
  let last = '';
  while (Date.now() < deadline) {
    const batch = await api.ask({ method: 'GET', path: `/batches/${batchId}` }, batchView);
    const line = describeProgress(batch);
    if (line !== last) onChange(line);
    last = line;
    if (hasEnded(batch)) return batch;
    if (batch.status === 'paused') {
      throw new PlainError(`The batch ${batchId} is paused: ${batch.reason?.message ?? 'it has no reason'}`);
    }
    await wait(1000);
  }
  throw new PlainError(`The batch ${batchId} has not ended in 15 minutes. Its last progress: ${last}`);
};

/** One line: the batch's status, and how many payouts have which status. */
export const describeProgress = (batch: BatchView): string => {
  const parts = payoutStatus.options.flatMap((status) => {
    const count = batch.counts[status] ?? 0;
    return count === 0 ? [] : [`${count} ${status.replaceAll('_', ' ')}`];
  });
  return [batch.status.replaceAll('_', ' '), ...(parts.length === 0 ? [] : [parts.join(', ')])].join(': ');
};
