import { payoutStatusesThat, payoutStatusIs } from '../../domain/payout-status.ts';
import { isLookDue } from '../../domain/polling.ts';
import { applyAll } from '../../payouts/apply.ts';
import type { Policy } from '../../payouts/decide.ts';
import { quarantineBecause } from '../../payouts/decide.ts';
import type { FollowDependencies, Sweep } from './sweep.ts';
import { addUpTouched, askSingly, chunksWith, eachChunk } from './sweep.ts';

const dayMs = 86_400_000;

const followedTooLong: Policy = ({ status }) =>
  payoutStatusIs(status, 'isFollowed')
    ? quarantineBecause(
        'followed_too_long',
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

/** Asks once an execution about what could not be settled: who resumes a batch expects it. Each sweep would not help. */
export const askQuarantined = async (dependencies: FollowDependencies, sweep: Sweep): Promise<void> => {
  if (!sweep.isFirst) return;
  await eachChunk(dependencies, sweep, chunksWith(sweep, 'quarantined'), ({ payouts }) => {
    const quarantined = payouts.filter(({ status }) => status === 'quarantined');
    return askSingly(dependencies, sweep, quarantined);
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
