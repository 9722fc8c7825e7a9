import type { Permission } from './batch-status.ts';
import type { ChunkRecord } from './chunk.ts';
import { payoutStatusesThat } from './payout-status.ts';
import { countIn } from './progress.ts';
import { proofsDue } from './proofs.ts';
import type { OrchestratorSettings } from './settings.ts';

/** What is left to do of a batch, in payouts. */
export interface Standing {
  /** Ready, or not registered yet. */
  readonly toSubmit: number;
  /** Claimed by a call that no answer told of. */
  readonly inDoubt: number;
  /** With the provider, which may end them. On hold for longer than a batch waits for that does not count. */
  readonly withProvider: number;
  /** Proofs that may still be had. */
  readonly proofs: number;
}

/**
 * Adds up what is left to do.
 *
 * @param unregistered rows of the plan that are in no record
 */
export const standingOf = (
  records: readonly ChunkRecord[],
  unregistered: number,
  nowMs: number,
  { onHoldFollowMinutes }: Pick<OrchestratorSettings, 'onHoldFollowMinutes'>,
): Standing => {
  // By the newest: a bank that puts one more on hold is given the same time for it, whatever else it holds.
  const notHeldForLong = records.filter(({ lastHeldAt, waitingSince }) => {
    const at = lastHeldAt ?? waitingSince.on_hold;
    return at === undefined || nowMs - Date.parse(at) < onHoldFollowMinutes * 60_000;
  });
  return {
    toSubmit: unregistered + countIn(records, 'ready'),
    inDoubt: countIn(records, ...payoutStatusesThat('isInDoubt')),
    withProvider: countIn(records, 'pending') + countIn(notHeldForLong, 'on_hold'),
    proofs: records.reduce((sum, record) => sum + proofsDue(record, false), 0),
  };
};

/** Whether only the provider's word, or a person, is waited for. */
export const isSettledButForOthers = ({ toSubmit, inDoubt }: Standing, permission: Permission): boolean =>
  inDoubt === 0 && (toSubmit === 0 || permission === 'paused');

/** Whether nothing of the batch is open any more. What waits for a person alone does not hold it up. */
export const isNothingOpen = ({ toSubmit, inDoubt, withProvider, proofs }: Standing): boolean =>
  toSubmit + inDoubt + withProvider + proofs === 0;
