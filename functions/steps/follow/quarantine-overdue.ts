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

/**
 * Quarantines payouts that have not changed for longer than payouts are followed. The time counts from each payout's own last
 * change. A batch may be paused for weeks, and payouts submitted afterward are followed just as long.
 */
export const quarantineOverdue = async (dependencies: FollowDependencies, sweep: Sweep): Promise<void> => {
  const overdueBefore = sweep.nowMs - dependencies.settings.followDays * dayMs;
  const isOverdue = (at: string | undefined): boolean => at !== undefined && Date.parse(at) < overdueBefore;
  const records = chunksWith(sweep, ...payoutStatusesThat('isFollowed')).filter(
    ({ waitingSince, registeredAt, tallies }) =>
      isOverdue(waitingSince.pending) ||
      isOverdue(waitingSince.unknown) ||
      (tallies.submitting !== undefined && isOverdue(registeredAt)),
  );
  await eachChunk(dependencies, sweep, records, async ({ payouts }) => {
    const overdue = payouts.filter(
      ({ status, updatedAt }) => payoutStatusIs(status, 'isFollowed') && isOverdue(updatedAt),
    );
    return applyAll(dependencies, overdue, () => followedTooLong);
  });
};
