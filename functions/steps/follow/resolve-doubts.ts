import type { Call } from '../../domain/batch/chunk.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { withMoved } from '../../domain/payout/payout.ts';
import { payoutStatusesThat } from '../../domain/payout/payout-status.ts';
import { applyAll } from '../../payouts/apply.ts';
import type { Doubt } from '../../payouts/resolve.ts';
import { isInDoubt, lookupAllowedFrom, release, resolve } from '../../payouts/resolve.ts';
import type { FollowDependencies, Sweep } from './sweep.ts';
import { chunksWith, comesDue, eachChunk, lookUpEach } from './sweep.ts';

/** Whoever claimed a call this old is gone, and whatever it learned is lost. */
const withOutcome = async (dependencies: FollowDependencies, sweep: Sweep, call: Call): Promise<Call> => {
  const isOld = sweep.nowMs - Date.parse(call.claimedAt) >= dependencies.settings.resolveAfterSeconds * 1000;
  if (call.outcome !== undefined || !isOld) return call;
  const outcome = { kind: 'unknown', cause: 'interrupted' } as const;
  await dependencies.ledger.recordCallOutcome(call, outcome);
  return { ...call, outcome };
};

const resolveCall = async (
  dependencies: FollowDependencies,
  sweep: Sweep,
  doubt: Doubt,
  payouts: readonly Payout[],
): Promise<readonly Payout[]> => {
  const terms = { ...dependencies.settings, ...dependencies.provider.traits };
  const { call } = doubt;
  if (call.outcome?.kind === 'not_sent') return applyAll(dependencies, payouts, () => release(call));
  const due = payouts.filter((payout) => lookupAllowedFrom(payout, doubt, terms) <= sweep.nowMs);
  const asked = await lookUpEach(dependencies, sweep, due, (_payout, evidence) =>
    resolve(evidence, doubt, terms, sweep.nowMs),
  );
  for (const standing of withMoved(payouts, asked))
    if (isInDoubt(standing, call)) comesDue(sweep, lookupAllowedFrom(standing, doubt, terms));
  return asked;
};

/**
 * Finds out what became of calls that no answer told of: asks by reference about each payout that may be asked about, and
 * lets what is proven absent go out again. Posts nothing.
 */
export const resolveDoubts = (dependencies: FollowDependencies, sweep: Sweep): Promise<void> =>
  eachChunk(dependencies, sweep, chunksWith(sweep, ...payoutStatusesThat('isInDoubt')), async ({ payouts, calls }) => {
    const moved: Payout[] = [];
    for (const claimed of calls) {
      const inDoubt = payouts.filter((payout) => isInDoubt(payout, claimed));
      if (inDoubt.length === 0) continue;
      const call = await withOutcome(dependencies, sweep, claimed);
      moved.push(...(await resolveCall(dependencies, sweep, { call, calls }, inDoubt)));
    }
    return moved;
  });
