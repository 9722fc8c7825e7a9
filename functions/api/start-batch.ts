import { createHash } from 'node:crypto';
import type { Batch } from '../domain/batch.ts';
import type { Files } from '../domain/files-port.ts';
import type { BatchLedger } from '../domain/ledger-port.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { Ids } from '../domain/surroundings.ts';
import type { Workflow } from '../domain/workflow-port.ts';
import { files, filesBucket, ids, ledger, log, settings, workflow } from '../runtime.ts';
import { startLatest } from './control/ensure-execution.ts';
import { endpoint } from './endpoint.ts';
import type { Outcome } from './http/answer.ts';
import { answer } from './http/answer.ts';
import { isPassing } from './http/passing.ts';
import { problem } from './http/problem.ts';
import type { BatchSummary } from './schemas/batch.ts';
import type { RequestOf } from './schemas/operation.ts';
import * as operations from './schemas/operations.ts';
import { summarizeBatch } from './views/batch-summary.ts';

export interface StartBatchDependencies {
  readonly ledger: Pick<BatchLedger, 'createBatch'>;
  readonly files: Pick<Files, 'pinUpload'>;
  readonly workflow: Workflow;
  readonly ids: Pick<Ids, 'sortable'>;
  readonly settings: Pick<OrchestratorSettings, 'maxFileBytes'>;
  /** Bucket of the payout files: another one in the request is refused, never paid from. */
  readonly bucket: string;
}

type StartBatchRequest = RequestOf<typeof operations.startBatch>;

const s3Address = /^s3:\/\/([^/]+)\/(.+)$/;

/** Key of the file in the bucket of the payout files; undefined when it is in another. */
const keyOf = (bucket: string, file: string): string | undefined => {
  const [, named, key] = s3Address.exec(file) ?? [];
  if (key === undefined) return file;
  return named === bucket ? key : undefined;
};

/** Hash of what was asked for: the same key with another hash is another request. The version found is no part of it. */
const hashRequest = (key: string, { versionId, mode, invalidRows, allowSameFile }: StartBatchRequest['body']): string =>
  createHash('sha256')
    .update(JSON.stringify([key, versionId ?? null, mode, invalidRows, allowSameFile]))
    .digest('hex');

/** False when Step Functions has no room just now: the batch then waits in the ledger for the request to come again. */
const isStarted = async ({ workflow }: Pick<StartBatchDependencies, 'workflow'>, batch: Batch): Promise<boolean> => {
  try {
    await startLatest({ workflow }, batch);
    return true;
  } catch (error) {
    if (isPassing(error)) return false;
    throw error;
  }
};

/**
 * Pins the file's version, writes the batch and starts its execution. A repeated request finds the batch and starts the
 * execution again while the batch is only `accepted`: whoever wrote it may have died before the start.
 */
export const startBatch = async (
  dependencies: StartBatchDependencies,
  { headers, body, caller }: StartBatchRequest,
): Promise<Outcome<BatchSummary>> => {
  const key = keyOf(dependencies.bucket, body.file);
  if (key === undefined)
    return problem('upload_not_found', { detail: 'The file is not in the bucket of the payout files.' });
  const file = await dependencies.files.pinUpload(key, body.versionId);
  if (file === undefined) return problem('upload_not_found');
  const { maxFileBytes } = dependencies.settings;
  if (file.bytes > maxFileBytes) {
    return problem('file_too_large', { detail: `It has ${file.bytes} bytes; ${maxFileBytes} are allowed.` });
  }
  const { mode, invalidRows, allowSameFile } = body;
  const created = await dependencies.ledger.createBatch({
    // Lower case, since the id is also the name of an execution and part of S3 keys that people type.
    batchId: `b-${dependencies.ids.sortable().toLowerCase()}`,
    mode,
    invalidRows,
    allowSameFile,
    file,
    createdBy: caller,
    idempotencyKey: headers['idempotency-key'],
    requestHash: hashRequest(key, body),
  });
  switch (created.kind) {
    case 'created':
    case 'repeated': {
      const { batch } = created;
      if (batch.status === 'accepted' && !(await isStarted(dependencies, batch))) {
        return problem('unavailable', {
          batchId: batch.batchId,
          detail: `Batch ${batch.batchId} is accepted, but AWS could not start its workflow yet. Send the same request again with the same Idempotency-Key: it starts this batch, and no other.`,
        });
      }
      return answer(202, summarizeBatch(dependencies.workflow, batch), `batches/${batch.batchId}`);
    }
    case 'key_reused':
      return problem('idempotency_key_reused', { batchId: created.batchId });
    case 'same_file':
      return problem('same_file', {
        batchId: created.batchId,
        detail: `Batch ${created.batchId} holds this version of the file. Send allowSameFile to pay it again.`,
      });
  }
};

export const handler = endpoint(log, operations.startBatch, (request) =>
  startBatch(
    {
      ledger: ledger(),
      files: files(),
      workflow: workflow(),
      ids,
      settings: settings(),
      bucket: filesBucket(),
    },
    request,
  ),
);
