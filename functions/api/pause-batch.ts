import { batchTransitions, pausedByOperator } from '../domain/batch-lifecycle.ts';
import type { BatchLedger } from '../domain/ledger-port.ts';
import type { Workflow } from '../domain/workflow-port.ts';
import { ledger, log, workflow } from '../runtime.ts';
import { canPause } from './control/allowed-actions.ts';
import { conflict } from './control/conflict.ts';
import { endpoint } from './endpoint.ts';
import type { Outcome } from './http/answer.ts';
import { answer } from './http/answer.ts';
import { problem } from './http/problem.ts';
import type { BatchSummary } from './schemas/batch.ts';
import type { RequestOf } from './schemas/operation.ts';
import * as operations from './schemas/operations.ts';
import { summarizeBatch } from './views/batch-summary.ts';

export interface PauseBatchDependencies {
  readonly ledger: Pick<BatchLedger, 'getBatch' | 'moveBatch'>;
  readonly workflow: Pick<Workflow, 'consoleUrl'>;
}

/** While it is being paused a batch may go from `awaiting_funds` to `processing`, and from there to an end: no further. */
const attempts = 3;

const reason = { code: pausedByOperator, message: 'An operator paused the batch.' } as const;

/** Stops the claiming of calls. A batch that is paused already stays as it is, with its reason. */
export const pauseBatch = async (
  { ledger, workflow }: PauseBatchDependencies,
  { path: { batchId }, caller, body }: Pick<RequestOf<typeof operations.pauseBatch>, 'path' | 'caller' | 'body'>,
): Promise<Outcome<BatchSummary>> => {
  let batch = await ledger.getBatch(batchId);
  if (batch === undefined) return problem('batch_not_found');
  for (let attempt = 1; attempt <= attempts && canPause(batch); attempt += 1) {
    // Conditional on the very status that was read: resuming goes back to it, and it must not be an older one.
    const transition = { ...batchTransitions.pause, from: [batch.status] };
    const changes = { resumeTo: batch.status, reason };
    const moved = await ledger.moveBatch(batchId, transition, caller, changes, undefined, body.reason);
    batch = moved.batch;
  }
  return batch.status === 'paused' ? answer(200, summarizeBatch(workflow, batch)) : conflict(batch, 'paused');
};

export const handler = endpoint(log, operations.pauseBatch, (request) =>
  pauseBatch({ ledger: ledger(), workflow: workflow() }, request),
);
