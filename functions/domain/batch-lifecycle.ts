import type { BatchStatus } from './batch.ts';
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

const beforeAnEnd = ['accepted', 'validating', 'awaiting_funds', 'processing', 'paused'] as const;
const running = ['processing', 'paused', 'completed', 'partially_completed', 'failed'] as const;

/** Every change of a batch's status, by name. */
export const batchTransitions = {
  startValidating: transition('validating', ['accepted'], 'validating'),
  refuseFile: transition('validation_failed', ['validating'], 'validation_failed'),
  preview: transition('previewed', ['validating'], 'previewed'),
  awaitFunds: transition('awaiting_funds', ['validating'], 'awaiting_funds'),
  startProcessing: transition('processing', ['validating', 'awaiting_funds'], 'processing'),
  pause: transition('paused', ['awaiting_funds', 'processing'], 'paused'),
  /** Credentials refused: nothing is claimed until a person has mended them and resumes. */
  halt: transition('halted', ['awaiting_funds', 'processing', 'validating'], 'paused'),
  /** The workflow failed in a way it cannot mend itself; what is submitted stays in the ledger. */
  recordFailure: transition(
    'workflow_failed',
    ['accepted', 'validating', 'awaiting_funds', 'processing', 'paused'],
    'paused',
  ),
  /** The target is the batch's `resumeTo`: one of these. */
  resumeValidating: transition('resumed', ['paused'], 'validating'),
  resumeAwaitingFunds: transition('resumed', ['paused'], 'awaiting_funds'),
  resumeProcessing: transition('resumed', ['paused'], 'processing'),
  /** A report may be made again after a person settled what was open, hence from the ends that can hold open payouts. */
  complete: transition('completed', running, 'completed'),
  completePartially: transition('partially_completed', running, 'partially_completed'),
  fail: transition('failed', running, 'failed'),
  cancel: transition('canceled', beforeAnEnd, 'canceled'),
} as const satisfies Record<string, BatchTransition>;

/** Reason of a batch that an operator paused: nobody has to be told of that. */
export const pausedByOperator = 'paused_by_operator';

/** Reason of a batch that was halted. */
export const credentialsRefused: Reason = {
  code: 'credentials_refused',
  message: 'The provider refused the credentials (401 or 403). Mend them in Secrets Manager, then resume.',
};

const ends: readonly BatchStatus[] = [
  'validation_failed',
  'previewed',
  'completed',
  'partially_completed',
  'failed',
  'canceled',
];

/** True when the batch's workflow has nothing more to do. */
export const isBatchEnd = (status: BatchStatus): boolean => ends.includes(status);
