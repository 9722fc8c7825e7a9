import type { Payout } from '../payout/payout.ts';
import { openContradictions } from '../payout/payout.ts';
import { payoutStatuses, payoutStatusesThat } from '../payout/payout-status.ts';
import type { OrchestratorSettings } from '../settings.ts';
import type { Batch } from './batch.ts';
import type { ChunkRecord } from './chunk.ts';
import { countIn, isNothingOpen, openWorkOf } from './progress.ts';

/** Reason of a batch whose canary did not complete. Resuming it sends the other payouts anyway. */
export const canaryFailed = 'canary_failed';

/** Statuses in which a payout ended unpaid, or waits for a person. */
const spoiled = [...payoutStatusesThat('endsUnpaid'), 'quarantined'] as const;

type JudgedCanary =
  | { readonly kind: 'open' | 'passed' }
  /** `chunk` has a payout that did not complete, or that the provider contradicts. */
  | { readonly kind: 'failed'; readonly chunk: number };

/**
 * Judges a canary. It has passed when all its payouts are completed and the provider contradicts none. It has failed when one
 * ended otherwise, is contradicted or quarantined, or when all that is left is on hold for longer than a batch waits.
 */
export const judgeCanary = (
  records: readonly ChunkRecord[],
  { claimUpTo = 0, canary = 0 }: Pick<Batch, 'claimUpTo' | 'canary'>,
  nowMs: number,
  settings: Pick<OrchestratorSettings, 'onHoldFollowMinutes'>,
): JudgedCanary => {
  const own = records.filter(({ chunk }) => chunk <= claimUpTo);
  const failed = own.find((record) => countIn([record], ...spoiled) > 0 || record.contradictions.payouts > 0);
  if (failed !== undefined) return { kind: 'failed', chunk: failed.chunk };
  if (countIn(own, 'completed') >= canary) return { kind: 'passed' };
  const unregistered = Math.max(0, canary - countIn(own, ...payoutStatuses));
  const work = openWorkOf(own, unregistered, nowMs, settings);
  const resting = own.find((record) => countIn([record], 'on_hold') > 0);
  return resting !== undefined && isNothingOpen({ ...work, proofs: 0 })
    ? { kind: 'failed', chunk: resting.chunk }
    : { kind: 'open' };
};

/** True when the payout is a reason for the canary's failure. */
export const spoilsCanary = (payout: Pick<Payout, 'status' | 'contradictions' | 'contradictionsNoted'>): boolean =>
  [...spoiled, 'on_hold'].includes(payout.status) || openContradictions(payout).length > 0;
