import type { BatchStatus } from './batch-status.ts';
import { batchStatusesBeforeAnEnd, batchStatusesThat, batchStatusIs } from './batch-status.ts';
import type { Reason } from './payout.ts';

/** One allowed change of a batch's status, and the code it leaves in the timeline. */
export interface BatchTransition {
  readonly name: string;
  readonly from: readonly BatchStatus[];
  readonly to: BatchStatus;
  readonly event: string;
}

const transition = (name: string, from: readonly BatchStatus[], to: BatchStatus): BatchTransition => ({
  name,
  from,
  to,
  event: `batch.${name}`,
});

/** Statuses whose payouts, and a report, end the batch; ends too, for a report made again after a person settled what was open. */
const reportable = batchStatusesThat('mayReport');

/** Every change of a batch's status, by name. */
export const batchTransitions = {
  startValidating: transition('validating', ['accepted'], 'validating'),
  refuseFile: transition('validation_failed', ['validating'], 'validation_failed'),
  preview: transition('previewed', ['validating'], 'previewed'),
  awaitFunds: transition('awaiting_funds', ['validating'], 'awaiting_funds'),
  startProcessing: transition('processing', ['validating', 'awaiting_funds'], 'processing'),
  pause: transition('paused', batchStatusesThat('mayPause'), 'paused'),
  /** Credentials refused: nothing is claimed until a person has mended them and resumes. */
  halt: transition('halted', batchStatusesThat('mayHalt'), 'paused'),
  /** The workflow failed in a way it cannot mend itself; what is submitted stays in the ledger. */
  recordFailure: transition('workflow_failed', batchStatusesBeforeAnEnd, 'paused'),
  /** The target is the batch's `resumeTo`: one of these. */
  resumeValidating: transition('resumed', ['paused'], 'validating'),
  resumeAwaitingFunds: transition('resumed', ['paused'], 'awaiting_funds'),
  resumeProcessing: transition('resumed', ['paused'], 'processing'),
  complete: transition('completed', reportable, 'completed'),
  completePartially: transition('partially_completed', reportable, 'partially_completed'),
  fail: transition('failed', reportable, 'failed'),
  cancel: transition('canceled', batchStatusesBeforeAnEnd, 'canceled'),
} as const satisfies Record<string, BatchTransition>;

/** Reason of a batch that an operator paused: nobody has to be told of that. */
export const pausedByOperator = 'paused_by_operator';

/** Reason of a batch that was halted. */
export const credentialsRefused: Reason = {
  code: 'credentials_refused',
  message: 'The provider refused the credentials (401 or 403). Mend them in Secrets Manager, then resume.',
};

/** True when the batch's workflow has nothing more to do. */
export const isBatchEnd = (status: BatchStatus): boolean => batchStatusIs(status, 'isEnd');
