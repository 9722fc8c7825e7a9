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

/**
 * Looks up quarantined payouts. Once per execution all of them, because a person who resumes a batch expects it. In between, at
 * growing intervals, only those without a disbursement, since a lookup may lag by hours. The others include payouts that were
 * given up, which would immediately be pending again.
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
 * Updates the counts of chunks whose rows seem to be ready for long. A child that died before it updated them leaves a record
 * that misses its call. Checks more rarely the longer rows are ready, as those of a paused batch are.
 */
export const checkReady = async (dependencies: FollowDependencies, sweep: Sweep): Promise<void> => {
  const { resolveAfterSeconds } = dependencies.settings;
  const stale = chunksWith(sweep, 'ready').filter(({ waitingSince, registeredAt }) =>
    isLookDue(waitingSince.ready ?? registeredAt, sweep.kept.sweptAt, sweep.nowMs, resolveAfterSeconds),
  );
  for (const { chunk } of stale) sweep.touched.add(chunk);
  await addUpTouched(dependencies, sweep);
};
