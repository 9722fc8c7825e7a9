import type { Batch } from './batch.ts';
import { isBatchEnd } from './batch-lifecycle.ts';
import { cameBack } from './contradiction.ts';
import type { Payout } from './payout.ts';
import type { OrchestratorSettings } from './settings.ts';

/** What a chunk's workflow does next. `done`: every payout has ended or rests where a person must act. */
export type ChunkNext = 'submit' | 'resolve' | 'poll' | 'archive' | 'done';

export type Permission = 'may_submit' | 'paused' | 'canceled';

/** Whether a batch may claim calls, as the claim's own condition will judge it. */
export const permissionOf = (batch: Pick<Batch, 'status' | 'cancelRequestedAt'>): Permission => {
  if (batch.cancelRequestedAt !== undefined || batch.status === 'canceled') return 'canceled';
  return batch.status === 'processing' ? 'may_submit' : 'paused';
};

/** True once payouts may have been registered: from then on only their ends, and a report, end the batch. */
export const hasBegunDisbursing = (batch: Pick<Batch, 'status' | 'resumeTo'>): boolean =>
  batch.status === 'processing' || (batch.status === 'paused' && batch.resumeTo === 'processing');

/** Whether a batch that is not disbursing yet may reserve or convert: `stopped` while paused, `ended` for good. */
export const permissionToMoveMoney = (
  batch: Pick<Batch, 'status' | 'cancelRequestedAt'>,
): 'granted' | 'stopped' | 'ended' => {
  if (batch.cancelRequestedAt !== undefined || isBatchEnd(batch.status)) return 'ended';
  return batch.status === 'paused' ? 'stopped' : 'granted';
};

export interface ChunkSituation {
  readonly payouts: readonly Payout[];
  readonly permission: Permission;
  readonly settings: Pick<OrchestratorSettings, 'onHoldFollowMinutes'>;
  readonly nowMs: number;
  /** Polls made by this execution: a payout on hold or quarantined rests only when it was asked about at least once. */
  readonly polls: number;
}

/** What the provider may still end by itself. */
const underWay: readonly Payout['status'][] = ['submitting', 'unknown', 'pending'];

/**
 * True for a payout that has stood as it is for longer than payouts are followed. Counted from its own last change: a
 * batch may be paused for weeks, and what it submits after that is followed as long as anything else.
 */
export const isFollowedOut = (
  payout: Pick<Payout, 'status' | 'updatedAt'>,
  nowMs: number,
  { followDays }: Pick<OrchestratorSettings, 'followDays'>,
): boolean => underWay.includes(payout.status) && nowMs - Date.parse(payout.updatedAt) > followDays * 86_400_000;

const restsOnHold = (payout: Payout, { nowMs, settings, polls }: ChunkSituation): boolean =>
  polls > 0 && nowMs - Date.parse(payout.updatedAt) >= settings.onHoldFollowMinutes * 60_000;

/**
 * Decides what a chunk does next. Payouts whose call is in doubt come first, since nothing about them may wait for
 * others; then what may be submitted; then what the provider still works on; then proofs. A paused batch follows what
 * it has claimed before it looks again whether it may submit.
 */
export const decideChunkNext = (situation: ChunkSituation): ChunkNext => {
  const { payouts, permission } = situation;
  const has = (...statuses: readonly Payout['status'][]): boolean =>
    payouts.some((payout) => statuses.includes(payout.status));
  const open =
    has('pending') ||
    payouts.some((payout) => payout.status === 'on_hold' && !restsOnHold(payout, situation)) ||
    // Whoever resumes a batch expects the provider to be asked once more about what could not be settled.
    (has('quarantined') && situation.polls === 0);

  if (has('submitting', 'unknown')) return 'resolve';
  if (has('ready') && (permission !== 'paused' || !open)) return 'submit';
  if (open) return 'poll';
  return needsProof(payouts) ? 'archive' : 'done';
};

/** Only bank transfers have proofs, and not those whose money came back. */
export const lacksProof = (payout: Payout): boolean =>
  payout.rail === 'fiat' && payout.status === 'completed' && payout.proof === undefined && !cameBack(payout);

const needsProof = (payouts: readonly Payout[]): boolean => payouts.some(lacksProof);
