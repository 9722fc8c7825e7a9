import { releaseReservation } from '../batches/reservation.ts';
import type { Batch } from '../domain/batch.ts';
import { batchTransitions } from '../domain/batch-status.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { BatchLedger } from '../ports/batch-ledger.ts';
import type { FundsLedger } from '../ports/funds-ledger.ts';
import type { Workflow } from '../ports/workflow.ts';
import { ledger, log, settings, workflow } from '../runtime.ts';
import { conflict } from './control/conflict.ts';
import { askedOf } from './control/decide-approval.ts';
import { endpoint } from './endpoint.ts';
import type { Outcome } from './http/answer.ts';
import { answer } from './http/answer.ts';
import { problem } from './http/problem.ts';
import type { BatchSummary } from './schemas/batch.ts';
import type { RequestOf } from './schemas/operation.ts';
import * as operations from './schemas/operations.ts';
import { summarizeBatch } from './views/batch-summary.ts';

export interface RejectBatchDependencies {
  readonly ledger: Pick<BatchLedger, 'getBatch' | 'moveBatch'> & Pick<FundsLedger, 'readFunds' | 'reserve'>;
  readonly workflow: Pick<Workflow, 'consoleUrl'>;
  readonly settings: Pick<OrchestratorSettings, 'approvers' | 'conversionSources'>;
}

const rejected = { code: 'rejected_by_person', message: 'A person rejected the batch. Nothing was paid.' } as const;
const isRejected = ({ reason }: Batch): boolean => reason?.code === rejected.code;

/** Ends the batch; its execution finds it ended. What it has set aside is free at once; the watch frees what is left by a failure. */
export const rejectBatch = async (
  { ledger, workflow, settings }: RejectBatchDependencies,
  { path: { batchId }, caller, body }: Pick<RequestOf<typeof operations.rejectBatch>, 'path' | 'caller' | 'body'>,
): Promise<Outcome<BatchSummary>> => {
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) return problem('batch_not_found');
  if (isRejected(batch)) return answer(200, summarizeBatch(workflow, batch));
  const asked = askedOf(caller, batch, settings, 'rejected');
  if (asked.kind === 'problem') return asked;
  const changes = { reason: rejected, decidingOn: asked.approval.hash };
  const moved = await ledger.moveBatch(batchId, batchTransitions.reject, caller, changes, rejected.code, body.reason);
  if (!isRejected(moved.batch)) return conflict(moved.batch, 'rejected');
  await releaseReservation(ledger, moved.batch, settings);
  return answer(200, summarizeBatch(workflow, moved.batch));
};

export const handler = endpoint(log, operations.rejectBatch, (request) =>
  rejectBatch({ ledger: ledger(), workflow: workflow(), settings: settings() }, request),
);
