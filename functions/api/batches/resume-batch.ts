import { ensureExecution } from '../../batches/start-execution.ts';
import { allQuarantined, countQuarantined } from '../../domain/batch/all-quarantined.ts';
import type { Batch } from '../../domain/batch/batch.ts';
import type { BatchTransition } from '../../domain/batch/batch-status.ts';
import { batchStatusIs, batchTransitions, isBatchEnd } from '../../domain/batch/batch-status.ts';
import { canaryFailed } from '../../domain/batch/canary.ts';
import { endsOf, unpaidAbove } from '../../domain/batch/unpaid-share.ts';
import type { BatchChanges, MoveBatch } from '../../ports/ledger/batch-ledger.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, ledger, log, workflow } from '../../runtime.ts';
import { adviceOnTooOld, canResume, isTooOldToResume, mayReportAgain } from '../control/allowed-actions.ts';
import { conflict, statusConflict } from '../control/conflict.ts';
import { leftoverWorkOf } from '../control/leftover-work.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';
import * as operations from '../schemas/operations/batch-operations.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import { summarizeBatch } from '../views/batch-summary.ts';

type ResumeBatchDependencies = Needs<
  { ledger: 'getBatch' | 'moveBatch' | 'beginExecution' | 'readProgress' },
  'workflow' | 'clock'
>;

type ResumeRequest = Pick<RequestOf<typeof operations.resumeBatch>, 'path' | 'caller' | 'body'>;

/** A batch without a recorded place starts over: every step finds its place in the ledger. */
const resumeTransition = ({ resumeTo }: Batch): BatchTransition => {
  if (resumeTo === 'processing') return batchTransitions.resumeProcessing;
  return resumeTo === 'awaiting_funds' ? batchTransitions.resumeAwaitingFunds : batchTransitions.resumeValidating;
};

const isEndedOrCanceling = (batch: Batch): boolean => isBatchEnd(batch.status) || batch.cancelRequestedAt !== undefined;

/**
 * Resuming acknowledges the reason for the pause: rows held back by the canary are sent, and unpaid or quarantined payouts so far
 * no longer count.
 */
const acknowledgePause = async (
  ledger: ResumeBatchDependencies['ledger'],
  { batchId, reason }: Batch,
): Promise<Pick<BatchChanges, 'claimUpTo' | 'acknowledgedEnds' | 'acknowledgedQuarantined'>> => {
  const code = reason?.code;
  if (code !== canaryFailed && code !== unpaidAbove && code !== allQuarantined) return {};
  const { currencies } = await ledger.readProgress(batchId, { consistent: true });
  if (code === unpaidAbove) return { acknowledgedEnds: endsOf(currencies) };
  const acknowledgedQuarantined = countQuarantined(currencies);
  return code === canaryFailed ? { claimUpTo: null, acknowledgedQuarantined } : { acknowledgedQuarantined };
};

/**
 * Ends exactly the pause that was read. A later one may have another reason, which nobody has seen, or be of a batch that has
 * begun to disburse.
 */
const endPause = async (
  ledger: ResumeBatchDependencies['ledger'],
  batch: Batch,
  by: string,
  note: string | undefined,
): Promise<MoveBatch> => {
  const { batchId, refusedWords, acknowledgedWords = [], statusSince: leavingSince } = batch;
  // The operator has read the provider's words. The same words do not pause the batch again. A null removes.
  const seen =
    refusedWords === undefined ? {} : { refusedWords: null, acknowledgedWords: [...acknowledgedWords, refusedWords] };
  const acknowledged = await acknowledgePause(ledger, batch);
  // It may wait for money anew, as long as any batch.
  const changes = { resumeTo: null, reason: null, awaitingFundsSince: null, leavingSince, ...seen, ...acknowledged };
  return ledger.moveBatch(batchId, resumeTransition(batch), by, changes, { note });
};

const anotherPause = (batch: Batch): Problem<'status_conflict'> => {
  const { statusSince, reason } = batch;
  const detail = `Another pause stands since ${statusSince} (${reason?.code ?? 'paused'}). See why, then resume it.`;
  return statusConflict(batch, detail);
};

const resumeUnended = async (
  { ledger, workflow, clock }: ResumeBatchDependencies,
  batch: Batch,
  by: string,
  { reason, pausedSince }: ResumeRequest['body'],
): Promise<OutcomeOf<typeof operations.resumeBatch>> => {
  if (isEndedOrCanceling(batch)) return conflict(batch, 'resumed');
  if (isTooOldToResume(batch, clock())) {
    const until = `The batch could be resumed until ${batch.plan?.payableUntil}.`;
    const detail = `${until} Batches that were planned since may owe the same debts unnoticed. ${adviceOnTooOld}`;
    return statusConflict(batch, detail);
  }
  const isPaused = batchStatusIs(batch.status, 'isPaused');
  if (isPaused && pausedSince !== undefined && pausedSince !== batch.statusSince) return anotherPause(batch);
  const left = isPaused ? await endPause(ledger, batch, by, reason) : ({ kind: 'moved', batch } as const);
  // Someone else may have canceled it, or it may have ended, since it was read.
  if (isEndedOrCanceling(left.batch)) return conflict(left.batch, 'resumed');
  if (left.kind === 'refused' && batchStatusIs(left.batch.status, 'isPaused')) return anotherPause(left.batch);
  const resumed = await ensureExecution({ ledger, workflow }, left.batch, by, reason);
  return answer(202, summarizeBatch(workflow, resumed));
};

/**
 * Resumes a paused batch. Gives a batch whose workflow died a new one. Goes once more through an ended batch that has open
 * payouts, lacks proofs, or has an outdated report. For a batch under way it returns the batch and changes nothing. A late
 * repetition without `pausedSince` also ends a later pause.
 */
export const resumeBatch = async (
  dependencies: ResumeBatchDependencies,
  { path: { batchId }, caller, body }: ResumeRequest,
): Promise<OutcomeOf<typeof operations.resumeBatch>> => {
  const batch = await dependencies.ledger.getBatch(batchId);
  if (batch === undefined) return problem('batch_not_found');
  if (!mayReportAgain(batch)) return resumeUnended(dependencies, batch, caller, body);
  // The pause that the caller has read is over.
  if (body.pausedSince !== undefined) return conflict(batch, 'resumed');
  const leftover = leftoverWorkOf(batch, await dependencies.ledger.readProgress(batchId, { consistent: true }));
  if (!canResume(batch, leftover, dependencies.clock())) return conflict(batch, 'resumed');
  const resumed = await ensureExecution(dependencies, batch, caller, body.reason);
  return answer(202, summarizeBatch(dependencies.workflow, resumed));
};

export const handler = endpoint(log, operations.resumeBatch, bind(resumeBatch, { ledger, workflow }));
