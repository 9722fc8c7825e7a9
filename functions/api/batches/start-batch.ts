import { hash } from 'node:crypto';
import { startLatest } from '../../batches/start-execution.ts';
import type { Batch, PinnedFile } from '../../domain/batch/batch.ts';
import { startTimeRefusal } from '../../domain/batch/start-time.ts';
import { given } from '../../domain/given.ts';
import { controlTotalsOfText } from '../../domain/money/money-records.ts';
import { hasRowsToCorrect, listBatches } from '../../domain/report/corrections.ts';
import type { CreateBatch } from '../../ports/ledger/batch-ledger.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, files, filesBucket, ledger, log, settings, workflow } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf, ProblemOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import { isTransient } from '../http/transient-errors.ts';
import * as operations from '../schemas/operations/batch-operations.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import { summarizeBatch } from '../views/batch-summary.ts';

export type StartBatchDependencies = Needs<
  { ledger: 'createBatch' | 'findStart' | 'getBatch'; files: 'pinUpload'; ids: 'sortable'; settings: 'maxFileBytes' },
  'workflow' | 'clock'
> & {
  /** The bucket of the payout files. A request for any other bucket is refused. */
  readonly bucket: string;
};

type StartBatchRequest = RequestOf<typeof operations.startBatch>;
type StartProblem = ProblemOf<typeof operations.startBatch>;

const s3Address = /^s3:\/\/([^/]+)\/(.+)$/;

/** The file's key in the bucket of the payout files. Undefined when the file is in another bucket. */
const keyOf = (bucket: string, file: string): string | undefined => {
  const [, named, key] = s3Address.exec(file) ?? [];
  if (key === undefined) return file;
  return named === bucket ? key : undefined;
};

/**
 * Hashes a request. The same key with another hash is a different request. Excludes the version that was found. Optional fields
 * after `allowSameFile` are included only when sent, and a new field enters by itself. So stored hashes of older requests stay
 * valid. A new field with a default would change them, and one that is a record needs its keys sorted, as `sums` has.
 */
const hashRequest = (
  key: string,
  {
    file: _file,
    versionId,
    mode,
    invalidRows,
    allowSameFile,
    expect,
    approval,
    startAt,
    canary,
    pauseAbove,
    corrects,
    ...newFields
  }: StartBatchRequest['body'],
): string => {
  const sums = Object.entries(expect?.sums ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const parts = [
    ...[key, versionId ?? null, mode, invalidRows, allowSameFile],
    ...(expect === undefined ? [] : [expect.rows ?? null, expect.sums === undefined ? null : sums]),
    ...(approval === undefined ? [] : [{ approval }]),
    ...(startAt === undefined ? [] : [{ startAt: Date.parse(startAt) }]),
    ...(canary === undefined && pauseAbove === undefined ? [] : [{ canary, pauseAbove }]),
    ...(corrects === undefined ? [] : [{ corrects }]),
    ...(Object.keys(newFields).length === 0 ? [] : [newFields]),
  ];
  return hash('sha256', JSON.stringify(parts));
};

/**
 * False when Step Functions throttles or is down. The batch then waits in the ledger until the request is repeated, or the watch
 * pauses it (`execution_stopped`).
 */
const isStarted = async ({ workflow }: Pick<StartBatchDependencies, 'workflow'>, batch: Batch): Promise<boolean> => {
  try {
    await startLatest({ workflow }, batch);
    return true;
  } catch (error) {
    if (isTransient(error)) return false;
    throw error;
  }
};

/** The problem with a correction: its batch does not exist, or has no refused or skipped rows. Undefined when there is none. */
const correctionRefusal = async (
  ledger: StartBatchDependencies['ledger'],
  corrects: string | undefined,
): Promise<StartProblem | undefined> => {
  if (corrects === undefined) return undefined;
  const corrected = await ledger.getBatch(corrects);
  if (corrected === undefined) return problem('batch_not_found', { batchId: corrects });
  if (hasRowsToCorrect(corrected)) return undefined;
  return problem('nothing_to_correct', { batchId: corrects, batchStatus: corrected.status });
};

/** Pins the version of the file to pay, or returns the reason why the batch cannot be started. */
const pin = async (
  { ledger, files, clock, settings: { maxFileBytes } }: StartBatchDependencies,
  { versionId, startAt, corrects }: StartBatchRequest['body'],
  key: string,
): Promise<PinnedFile | StartProblem> => {
  const file = await files.pinUpload(key, versionId);
  if (file === undefined) return problem('upload_not_found');
  if (file.bytes > maxFileBytes)
    return problem('file_too_large', { detail: `It has ${file.bytes} bytes; ${maxFileBytes} are allowed.` });
  const startRefusal = startAt === undefined ? undefined : startTimeRefusal(startAt, clock());
  if (startRefusal !== undefined)
    return problem('invalid_request', { errors: [{ where: 'body.startAt', message: `${startAt} ${startRefusal}.` }] });
  return (await correctionRefusal(ledger, corrects)) ?? file;
};

/**
 * Writes the batch. A repeated request finds its batch even when it would be refused by now, because its file is gone or its
 * start time has passed. Otherwise the caller would believe that nothing was started, and start it again under another key. It
 * is looked up only after the refusal, because a concurrent request may have written the batch meanwhile.
 */
const create = async (
  dependencies: StartBatchDependencies,
  { headers, body, caller }: StartBatchRequest,
  key: string,
): Promise<CreateBatch | StartProblem> => {
  const { ledger, ids } = dependencies;
  const requestHash = hashRequest(key, body);
  const start = { createdBy: caller, idempotencyKey: headers['idempotency-key'], requestHash };
  const pinned = await pin(dependencies, body, key);
  if ('kind' in pinned) return (await ledger.findStart(start)) ?? pinned;
  const { file: _file, versionId: _version, approval, expect, ...rest } = body;
  const how = {
    ...rest,
    ...given({ expect: expect && controlTotalsOfText(expect), approvalRequired: approval && (true as const) }),
  };
  // Lower case, because the id is also an execution's name and part of S3 keys that people type.
  const batchId = `b-${ids.sortable().toLowerCase()}`;
  return ledger.createBatch({ batchId, ...how, file: pinned, ...start });
};

/**
 * Pins the file's version, writes the batch and starts its execution. A repeated request finds the batch. While the batch is only
 * `accepted`, it starts the execution again: the first attempt may have died before the start.
 */
export const startBatch = async (
  dependencies: StartBatchDependencies,
  request: StartBatchRequest,
): Promise<OutcomeOf<typeof operations.startBatch>> => {
  const key = keyOf(dependencies.bucket, request.body.file);
  if (key === undefined)
    return problem('upload_not_found', { detail: 'The file is not in the bucket of the payout files.' });
  const created = await create(dependencies, request, key);
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
    case 'problem':
      return created;
    case 'key_reused':
      return problem('idempotency_key_reused', { batchId: created.batchId });
    case 'same_file':
      return problem('same_file', {
        ...given({ batchId: created.batchIds.at(-1) }),
        detail: `This version of the file is held by ${listBatches(created.batchIds)}. See what was paid from it. Send allowSameFile to pay it again.`,
      });
  }
};

const run = bind(startBatch, { ledger, files, workflow, settings, bucket: filesBucket });

export const handler = endpoint(log, operations.startBatch, run);
