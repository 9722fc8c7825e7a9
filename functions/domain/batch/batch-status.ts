import type { Reason } from '../payout/payout.ts';
import type { Batch } from './batch.ts';

/** What a batch status allows and means. An absent field counts as false. */
interface BatchStatusRow {
  /** Its workflow has nothing more to do. */
  readonly isEnd?: true;
  /** Its workflow goes on toward paying: nobody stopped it, and its time has come. */
  readonly movesMoney?: true;
  /** Money may be reserved for it, and converted. */
  readonly mayReserve?: true;
  /** Calls may be claimed, so payouts are made. */
  readonly mayClaim?: true;
  readonly mayPause?: true;
  /** Refused credentials, or an altered file, pause it. */
  readonly mayHalt?: true;
  /** Its payouts may be registered, so their ends and a report end it. */
  readonly mayReport?: true;
  /** It waits until someone resumes it. */
  readonly isPaused?: true;
  /** It is planned, and waits for its start time. */
  readonly awaitsStart?: true;
  /** It waits for money, or for the provider's answer, and looks again by itself. */
  readonly awaitsFunds?: true;
  /** It waits for a person to approve it. Its money stays reserved. */
  readonly awaitsApproval?: true;
}

/** The one table of batch statuses. Ledger conditions, permissions, actions, attention and the watch derive from it. */
const rows = {
  accepted: { movesMoney: true },
  validating: { movesMoney: true, mayReserve: true, mayHalt: true },
  scheduled: { awaitsStart: true },
  validation_failed: { isEnd: true },
  previewed: { isEnd: true },
  pending_approval: { movesMoney: true, mayPause: true, awaitsApproval: true },
  awaiting_funds: { movesMoney: true, mayReserve: true, mayPause: true, mayHalt: true, awaitsFunds: true },
  processing: { movesMoney: true, mayClaim: true, mayPause: true, mayHalt: true, mayReport: true },
  paused: { isPaused: true, mayReport: true },
  completed: { isEnd: true, mayReport: true },
  partially_completed: { isEnd: true, mayReport: true },
  failed: { isEnd: true, mayReport: true },
  canceled: { isEnd: true },
} as const satisfies Record<string, BatchStatusRow>;

export type BatchStatus = keyof typeof rows;

const isStatus = (name: string): name is BatchStatus => name in rows;

/** In the order in which a batch passes through them. */
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

/** One allowed change of a batch's status, with the code of its line in the timeline. */
export interface BatchTransition {
  readonly event: string;
  readonly from: readonly BatchStatus[];
  readonly to: BatchStatus;
  /** The batch pays nothing, neither now nor later, so another batch may pay its file. */
  readonly freesFile?: true;
}

/**
 * Statuses that payouts and a report can end. They include ends: a report may be made again after a person settled open payouts,
 * or the provider changed some.
 */
const reportable = batchStatusesThat('mayReport');

const awaitingApproval = batchStatusesThat('awaitsApproval');

/** Statuses in which the release gate is asked. */
const beforeRelease: readonly BatchStatus[] = ['validating', 'awaiting_funds', ...awaitingApproval];

export const batchTransitions = {
  startValidating: { event: 'batch.validating', from: ['accepted'], to: 'validating' },
  refuseFile: { event: 'batch.validation_failed', from: ['validating'], to: 'validation_failed', freesFile: true },
  /** Its file is valid, and its start time lies ahead. */
  schedule: { event: 'batch.scheduled', from: ['validating'], to: 'scheduled' },
  beginScheduled: { event: 'batch.validating', from: ['scheduled'], to: 'validating' },
  preview: { event: 'batch.previewed', from: ['validating'], to: 'previewed' },
  awaitFunds: { event: 'batch.awaiting_funds', from: ['validating'], to: 'awaiting_funds' },
  /** It waited for the provider, or was resumed, and now needs a person. */
  awaitFundsInstead: { event: 'batch.awaiting_funds', from: ['awaiting_funds'], to: 'awaiting_funds' },
  /** Repeated from `pending_approval` when the subject of the approval has changed. */
  askApproval: { event: 'batch.pending_approval', from: beforeRelease, to: 'pending_approval' },
  approve: { event: 'batch.approved', from: awaitingApproval, to: 'validating' },
  /** The money reserved for it is gone. */
  fundAnew: { event: 'batch.validating', from: awaitingApproval, to: 'validating' },
  reject: { event: 'batch.rejected', from: awaitingApproval, to: 'canceled', freesFile: true },
  /** The gate found something that nobody may release, or anything while the setting `approval` is `never`. */
  refuseRelease: { event: 'batch.validation_failed', from: beforeRelease, to: 'validation_failed', freesFile: true },
  /** Used when a conversion comes first. From `pending_approval` when the findings are gone, for example on another day. */
  release: { event: 'batch.released', from: beforeRelease, to: 'validating' },
  startProcessing: { event: 'batch.processing', from: beforeRelease, to: 'processing' },
  pause: { event: 'batch.paused', from: batchStatusesThat('mayPause'), to: 'paused' },
  /**
   * For a batch that claims: its canary failed, more than `pauseAbove` percent of the ended payouts were not paid, or all payouts
   * of a currency are quarantined.
   */
  pauseClaiming: { event: 'batch.paused', from: batchStatusesThat('mayClaim'), to: 'paused' },
  /**
   * The money, or the provider's answer, did not come in time. A concurrent run may disburse the batch already, which ends its
   * wait.
   */
  expireFundsWait: { event: 'batch.paused', from: ['awaiting_funds'], to: 'paused' },
  /** Nobody decided in time. */
  expireApproval: { event: 'batch.paused', from: awaitingApproval, to: 'paused' },
  /** The whole canary is completed, so the other payouts are sent now. */
  passCanary: { event: 'batch.canary_passed', from: ['processing'], to: 'processing' },
  /** Credentials were refused, or a file was altered. Nothing is claimed until a person has fixed it and resumes. */
  halt: { event: 'batch.halted', from: batchStatusesThat('mayHalt'), to: 'paused' },
  /** The workflow failed in a way it cannot fix itself. Submitted payouts stay in the ledger. */
  recordFailure: { event: 'batch.workflow_failed', from: batchStatusesBeforeAnEnd, to: 'paused' },
  /** The target is the batch's `resumeTo`, one of these three. */
  resumeValidating: { event: 'batch.resumed', from: ['paused'], to: 'validating' },
  resumeAwaitingFunds: { event: 'batch.resumed', from: ['paused'], to: 'awaiting_funds' },
  resumeProcessing: { event: 'batch.resumed', from: ['paused'], to: 'processing' },
  complete: { event: 'batch.completed', from: reportable, to: 'completed' },
  completePartially: { event: 'batch.partially_completed', from: reportable, to: 'partially_completed' },
  fail: { event: 'batch.failed', from: reportable, to: 'failed' },
  cancel: { event: 'batch.canceled', from: batchStatusesBeforeAnEnd, to: 'canceled' },
  /** What was open at its end has been looked at once more. */
  cancelAgain: { event: 'batch.canceled', from: ['canceled'], to: 'canceled' },
} as const satisfies Record<string, BatchTransition>;

/** Reason of a batch that an operator paused. Nobody needs a notification about it. */
export const pausedByOperator = 'paused_by_operator';

export const rejectedByPerson: Reason = {
  code: 'rejected_by_person',
  message: 'A person rejected the batch. Nothing was paid.',
};

export const isRejected = ({ reason }: { readonly reason?: Pick<Reason, 'code'> | undefined }): boolean =>
  reason?.code === rejectedByPerson.code;

export const credentialsRefused: Reason = {
  code: 'credentials_refused',
  message:
    'The provider refused the credentials (401 or 403). Fix them in Secrets Manager, wait five minutes, then resume.',
};

export const fileAltered: Reason = {
  code: 'file_altered',
  message:
    'Someone changed a file of this batch, or of a batch that it corrects, in the bucket. Nothing from it is submitted. ' +
    'Find out who changed it and restore its first version. Then resume. A batch that is being canceled goes on by itself.',
};

export const isBatchEnd = (status: BatchStatus): boolean => batchStatusIs(status, 'isEnd');

/** True while a person may approve or reject the batch. */
export const awaitsDecision = ({ status, cancelRequestedAt }: Pick<Batch, 'status' | 'cancelRequestedAt'>): boolean =>
  batchStatusIs(status, 'awaitsApproval') && cancelRequestedAt === undefined;

export type PermissionToClaim = 'granted' | 'stopped' | 'canceled';

/** Returns whether a batch may claim calls, by the same rule as the claim's condition. `stopped`: it may not now. */
export const permissionToClaim = (batch: Pick<Batch, 'status' | 'cancelRequestedAt'>): PermissionToClaim => {
  if (batch.cancelRequestedAt !== undefined || batch.status === 'canceled') return 'canceled';
  return batchStatusIs(batch.status, 'mayClaim') ? 'granted' : 'stopped';
};

/** True from when payouts may be registered until the batch ends. Meanwhile only their ends and a report end it. */
export const hasBegunDisbursing = ({ status, resumeTo }: Pick<Batch, 'status' | 'resumeTo'>): boolean => {
  const unpaused = batchStatusIs(status, 'isPaused') ? resumeTo : status;
  return unpaused !== undefined && batchStatusIs(unpaused, 'mayClaim');
};

/**
 * True until the batch disburses, ends, or is to be canceled, even while it is paused. Until then the money its conversions bring
 * belongs to it.
 */
export const isBeingFunded = (batch: Pick<Batch, 'status' | 'resumeTo' | 'cancelRequestedAt'>): boolean =>
  !hasBegunDisbursing(batch) && permissionToMoveMoney(batch) !== 'ended';

/**
 * Returns whether a batch that is not disbursing yet may reserve or convert. `stopped` while paused or scheduled, `ended`
 * permanently.
 */
export const permissionToMoveMoney = (
  batch: Pick<Batch, 'status' | 'cancelRequestedAt'>,
): 'granted' | 'stopped' | 'ended' => {
  if (batch.cancelRequestedAt !== undefined || isBatchEnd(batch.status)) return 'ended';
  return batchStatusIs(batch.status, 'movesMoney') ? 'granted' : 'stopped';
};
