import type { ChunkRecord } from '../../domain/batch/chunk.ts';
import { dayMs } from '../../domain/durations.ts';
import { payoutStatusesThat, payoutStatusIs } from '../../domain/payout/payout-status.ts';
import { applyAll } from '../../payouts/apply.ts';
import type { Policy } from '../../payouts/decide-by-evidence.ts';
import { followedTooLongCode, quarantineBecause } from '../../payouts/decide-by-evidence.ts';
import type { Run } from './sweep.ts';
import { chunksWith, eachChunk } from './sweep.ts';

const followedTooLong: Policy = ({ status }) =>
  payoutStatusIs(status, 'isFollowed')
    ? quarantineBecause(
        followedTooLongCode,
        'The provider has not ended it within the time that payouts are followed. Ask the provider about it.',
      )
    : undefined;

const isOverdue = ({ settings, sweep }: Run, at: string | undefined): boolean =>
  at !== undefined && Date.parse(at) < sweep.nowMs - settings.followDays * dayMs;

/** Chunks that may have payouts which have not changed for longer than payouts are followed. */
export const overdueChunks = (run: Run): readonly ChunkRecord[] =>
  chunksWith(run.sweep, ...payoutStatusesThat('isFollowed')).filter(({ waitingSince, registeredAt, tallies }) =>
    [waitingSince.pending, waitingSince.unknown, ...(tallies.submitting === undefined ? [] : [registeredAt])].some(
      (at) => isOverdue(run, at),
    ),
  );

/**
 * Quarantines payouts that have not changed for longer than payouts are followed. The time counts from each payout's own last
 * change. A batch may be paused for weeks, and payouts submitted afterward are followed just as long.
 */
export const quarantineOverdue = (run: Run, chunks: readonly ChunkRecord[]): Promise<void> =>
  eachChunk(run, chunks, async ({ payouts }) => {
    const overdue = payouts.filter(
      ({ status, updatedAt }) => payoutStatusIs(status, 'isFollowed') && isOverdue(run, updatedAt),
    );
    return applyAll(run, overdue, () => followedTooLong);
  });
