import type { Reason } from '../payout/payout.ts';
import type { Batch } from './batch.ts';

/** What a status of a batch allows and means. What a row does not name it does not allow. */
interface BatchStatusRow {
  /** Its workflow has nothing more to do. */
  readonly isEnd?: true;
  /** Money may be set aside for it, and converted. */
  readonly mayReserve?: true;
  /** Calls may be claimed: payouts are made. */
  readonly mayClaim?: true;
  readonly mayPause?: true;
  /** Refused credentials pause it. */
  readonly mayHalt?: true;
  /** Payouts of it may be registered, so their ends, and a report, end it. */
  readonly mayReport?: true;
  /** It stands still until somebody resumes it. */
  readonly isPaused?: true;
  /** It is planned, and rests until the time at which it is to start. */
  readonly awaitsStart?: true;
  /** It waits for money, and looks for it by itself. */
  readonly awaitsFunds?: true;
  /** It waits for a person to approve it. Its money stays set aside. */
  readonly awaitsApproval?: true;
}

/** The one table of batch statuses: conditions of the ledger, permissions, actions, attention and the watch derive from it. */
const rows = {
  accepted: {},
  validating: { mayReserve: true, mayHalt: true },
  scheduled: { awaitsStart: true },
  validation_failed: { isEnd: true },
  previewed: { isEnd: true },
  pending_approval: { mayPause: true, awaitsApproval: true },
  awaiting_funds: { mayReserve: true, mayPause: true, mayHalt: true, awaitsFunds: true },
  processing: { mayClaim: true, mayPause: true, mayHalt: true, mayReport: true },
  paused: { isPaused: true, mayReport: true },
  completed: { isEnd: true, mayReport: true },
  partially_completed: { isEnd: true, mayReport: true },
  failed: { isEnd: true, mayReport: true },
  canceled: { isEnd: true },
} as const satisfies Record<string, BatchStatusRow>;

export type BatchStatus = keyof typeof rows;

const isStatus = (name: string): name is BatchStatus => name in rows;

/** In the order in which a batch goes through them. */
export const batchStatuses: readonly BatchStatus[] = Object.keys(rows).filter(isStatus);

export const batchStatusIs = (status: BatchStatus, what: keyof BatchStatusRow): boolean => {
  const row: BatchStatusRow = rows[status];
  return row[what] === true;
};

export const batchStatusesThat = (what: keyof BatchStatusRow): readonly BatchStatus[] =>
  batchStatuses.filter((status) => batchStatusIs(status, what));

export const batchStatusesBeforeAnEnd: readonly BatchStatus[] = batchStatuses.filter(
  (status) => !batchStatusIs(status, 'isEnd'),
);

/** One allowed change of a batch's status, and the code it leaves in the timeline. */
export interface BatchTransition {
  readonly event: string;
  readonly from: readonly BatchStatus[];
  readonly to: BatchStatus;
}

/** Statuses whose payouts, and a report, end the batch; ends too, for a report made again after a person settled what was open. */
const reportable = batchStatusesThat('mayReport');

export const batchTransitions = {
  startValidating: { event: 'batch.validating', from: ['accepted'], to: 'validating' },
  refuseFile: { event: 'batch.validation_failed', from: ['validating'], to: 'validation_failed' },
  /** Its file is good, and its time has not come. */
  schedule: { event: 'batch.scheduled', from: ['validating'], to: 'scheduled' },
  beginScheduled: { event: 'batch.validating', from: ['scheduled'], to: 'validating' },
  preview: { event: 'batch.previewed', from: ['validating'], to: 'previewed' },
  awaitFunds: { event: 'batch.awaiting_funds', from: ['validating'], to: 'awaiting_funds' },
  /** Asked again from `pending_approval` when what was to be approved has changed. */
  askApproval: {
    event: 'batch.pending_approval',
    from: ['validating', 'awaiting_funds', 'pending_approval'],
    to: 'pending_approval',
  },
  approve: { event: 'batch.approved', from: ['pending_approval'], to: 'validating' },
  /** What was set aside for it is there no more. */
  fundAnew: { event: 'batch.validating', from: ['pending_approval'], to: 'validating' },
  reject: { event: 'batch.rejected', from: ['pending_approval'], to: 'canceled' },
  /** Nobody may release what was found. */
  refuseRelease: {
    event: 'batch.validation_failed',
    from: ['validating', 'awaiting_funds', 'pending_approval'],
    to: 'validation_failed',
  },
  /** To be converted for first. From `pending_approval` when what was found is there no more, as on another day. */
  release: {
    event: 'batch.released',
    from: ['validating', 'awaiting_funds', 'pending_approval'],
    to: 'validating',
  },
  startProcessing: {
    event: 'batch.processing',
    from: ['validating', 'awaiting_funds', 'pending_approval'],
    to: 'processing',
  },
  pause: { event: 'batch.paused', from: batchStatusesThat('mayPause'), to: 'paused' },
  /** Of a batch that claims: what its start asked for by `canary` or `pauseAbove` has come about. */
  pauseClaiming: { event: 'batch.paused', from: batchStatusesThat('mayClaim'), to: 'paused' },
  /** All of the canary is completed: from now on the other payouts are sent. */
  passCanary: { event: 'batch.canary_passed', from: ['processing'], to: 'processing' },
  /** Credentials refused, or a file altered: nothing is claimed until a person has mended it and resumes. */
  halt: { event: 'batch.halted', from: batchStatusesThat('mayHalt'), to: 'paused' },
  /** The workflow failed in a way it cannot mend itself; what is submitted stays in the ledger. */
  recordFailure: { event: 'batch.workflow_failed', from: batchStatusesBeforeAnEnd, to: 'paused' },
  /** The target is the batch's `resumeTo`: one of these. */
  resumeValidating: { event: 'batch.resumed', from: ['paused'], to: 'validating' },
  resumeAwaitingFunds: { event: 'batch.resumed', from: ['paused'], to: 'awaiting_funds' },
  resumeProcessing: { event: 'batch.resumed', from: ['paused'], to: 'processing' },
  complete: { event: 'batch.completed', from: reportable, to: 'completed' },
  completePartially: { event: 'batch.partially_completed', from: reportable, to: 'partially_completed' },
  fail: { event: 'batch.failed', from: reportable, to: 'failed' },
  cancel: { event: 'batch.canceled', from: batchStatusesBeforeAnEnd, to: 'canceled' },
} as const satisfies Record<string, BatchTransition>;

/** Reason of a batch that an operator paused: nobody has to be told of that. */
export const pausedByOperator = 'paused_by_operator';

export const rejectedByPerson: Reason = {
  code: 'rejected_by_person',
  message: 'A person rejected the batch. Nothing was paid.',
};

export const isRejected = ({ reason }: { readonly reason?: Pick<Reason, 'code'> | undefined }): boolean =>
  reason?.code === rejectedByPerson.code;

export const credentialsRefused: Reason = {
  code: 'credentials_refused',
  message: 'The provider refused the credentials (401 or 403). Mend them in Secrets Manager, then resume.',
};

export const fileAltered: Reason = {
  code: 'file_altered',
  message:
    'A file in the bucket is not the one that the plan wrote: of this batch, or of one that it corrects. Nothing of it is ' +
    'submitted. Find out who wrote it, put its first version back, then resume, or cancel once more.',
};

export const isBatchEnd = (status: BatchStatus): boolean => batchStatusIs(status, 'isEnd');

export type Permission = 'may_submit' | 'paused' | 'canceled';

/** Whether a batch may claim calls, as the claim's own condition will judge it. */
export const permissionOf = (batch: Pick<Batch, 'status' | 'cancelRequestedAt'>): Permission => {
  if (batch.cancelRequestedAt !== undefined || batch.status === 'canceled') return 'canceled';
  return batchStatusIs(batch.status, 'mayClaim') ? 'may_submit' : 'paused';
};

/** True once payouts may have been registered: from then on only their ends, and a report, end the batch. */
export const hasBegunDisbursing = ({ status, resumeTo }: Pick<Batch, 'status' | 'resumeTo'>): boolean => {
  const unpaused = batchStatusIs(status, 'isPaused') ? resumeTo : status;
  return unpaused !== undefined && batchStatusIs(unpaused, 'mayClaim');
};

/** True until the batch disburses or ends: what its conversions bring is its own, also while it is paused. */
export const isBeingFunded = (batch: Pick<Batch, 'status' | 'resumeTo' | 'cancelRequestedAt'>): boolean =>
  !hasBegunDisbursing(batch) && permissionToMoveMoney(batch) !== 'ended';

/** Whether a batch that is not disbursing yet may reserve or convert: `stopped` while paused or scheduled, `ended` for good. */
export const permissionToMoveMoney = (
  batch: Pick<Batch, 'status' | 'cancelRequestedAt'>,
): 'granted' | 'stopped' | 'ended' => {
  if (batch.cancelRequestedAt !== undefined || isBatchEnd(batch.status)) return 'ended';
  const isStopped = batchStatusIs(batch.status, 'isPaused') || batchStatusIs(batch.status, 'awaitsStart');
  return isStopped ? 'stopped' : 'granted';
};
