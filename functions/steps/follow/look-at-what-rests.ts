import { payoutStatusesThat, payoutStatusIs } from '../../domain/payout/payout-status.ts';
import { isLookDue } from '../../domain/payout/polling.ts';
import { applyAll } from '../../payouts/apply.ts';
import type { Policy } from '../../payouts/decide.ts';
import { followedTooLongCode, quarantineBecause } from '../../payouts/decide.ts';
import type { FollowDependencies, Sweep } from './sweep.ts';
import { addUpTouched, chunksWith, eachChunk, lookUpEach } from './sweep.ts';

const dayMs = 86_400_000;

const followedTooLong: Policy = ({ status }) =>
  payoutStatusIs(status, 'isFollowed')
    ? quarantineBecause(
        followedTooLongCode,
        'The provider has not ended it in the time payouts are followed. Ask the provider.',
      )
    : undefined;

/**
 * Puts payouts into a person's hands that stand as they are for longer than payouts are followed. Counted from their own last
 * change: a batch may be paused for weeks, and what it submits after that is followed as long as anything else.
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

/**
 * Asks about what could not be settled: all of it once an execution, since who resumes a batch expects it; and ever more rarely
 * what the provider has not shown yet, since a look-up may lag by hours. One that was given up would be pending at once again.
 */
export const askQuarantined = async (dependencies: FollowDependencies, sweep: Sweep): Promise<void> => {
  const { resolveAfterSeconds } = dependencies.settings;
  const due = chunksWith(sweep, 'quarantined').filter(
    ({ waitingSince: { quarantined: since = sweep.now } }) =>
      sweep.isFirst || isLookDue(since, sweep.kept.sweptAt, sweep.nowMs, resolveAfterSeconds),
  );
  await eachChunk(dependencies, sweep, due, ({ payouts }) => {
    const asked = payouts.filter(
      ({ status, disbursementId }) => status === 'quarantined' && (sweep.isFirst || disbursementId === undefined),
    );
    return lookUpEach(dependencies, sweep, asked);
  });
};

/**
 * Adds chunks up again whose rows seem to be ready for long: a child that died before it added up leaves a record that does
 * not tell of its call. Rarer the longer they are ready, as those of a paused batch are.
 */
export const checkReady = async (dependencies: FollowDependencies, sweep: Sweep): Promise<void> => {
  const { resolveAfterSeconds } = dependencies.settings;
  const stale = chunksWith(sweep, 'ready').filter(({ waitingSince, registeredAt }) =>
    isLookDue(waitingSince.ready ?? registeredAt, sweep.kept.sweptAt, sweep.nowMs, resolveAfterSeconds),
  );
  for (const { chunk } of stale) sweep.touched.add(chunk);
  await addUpTouched(dependencies, sweep);
};
