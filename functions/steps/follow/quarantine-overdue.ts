import type { ChunkRecord } from '../../domain/batch/chunk.ts';
import { dayMs } from '../../domain/durations.ts';
import { payoutStatusesThat, payoutStatusIs } from '../../domain/payout/payout-status.ts';
import { applyAll } from '../../payouts/apply.ts';
import type { Policy } from '../../payouts/decide-by-evidence.ts';
import { followedTooLongCode, quarantineBecause } from '../../payouts/decide-by-evidence.ts';
import type { FollowDependencies, Sweep } from './sweep.ts';
import { chunksWith, eachChunk } from './sweep.ts';

const followedTooLong: Policy = ({ status }) =>
  payoutStatusIs(status, 'isFollowed')
    ? quarantineBecause(
        followedTooLongCode,
        'The provider has not ended it within the time that payouts are followed. Ask the provider about it.',
      )
    : undefined;

const isOverdue = (
  { settings: { followDays } }: Pick<FollowDependencies, 'settings'>,
  { nowMs }: Sweep,
  at: string | undefined,
): boolean => at !== undefined && Date.parse(at) < nowMs - followDays * dayMs;

/** Chunks that may have payouts which have not changed for longer than payouts are followed. */
export const overdueChunks = (dependencies: FollowDependencies, sweep: Sweep): readonly ChunkRecord[] =>
  chunksWith(sweep, ...payoutStatusesThat('isFollowed')).filter(({ waitingSince, registeredAt, tallies }) =>
    [waitingSince.pending, waitingSince.unknown, ...(tallies.submitting === undefined ? [] : [registeredAt])].some(
      (at) => isOverdue(dependencies, sweep, at),
    ),
  );

/**
 * Quarantines payouts that have not changed for longer than payouts are followed. The time counts from each payout's own last
 * change. A batch may be paused for weeks, and payouts submitted afterward are followed just as long.
 */
export const quarantineOverdue = (
  dependencies: FollowDependencies,
  sweep: Sweep,
  chunks: readonly ChunkRecord[],
): Promise<void> =>
  eachChunk(dependencies, sweep, chunks, async ({ payouts }) => {
    const overdue = payouts.filter(
      ({ status, updatedAt }) => payoutStatusIs(status, 'isFollowed') && isOverdue(dependencies, sweep, updatedAt),
    );
    return applyAll(dependencies, overdue, () => followedTooLong);
  });
