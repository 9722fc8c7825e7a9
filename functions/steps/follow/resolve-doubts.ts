import type { Call, ChunkRecord } from '../../domain/batch/chunk.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { withMoved } from '../../domain/payout/payout.ts';
import { applyAll } from '../../payouts/apply.ts';
import type { Doubt } from '../../payouts/decide-by-calls.ts';
import { isInDoubt, lookupAllowedFrom, resolve, returnClaim } from '../../payouts/decide-by-calls.ts';
import type { Evidence } from '../../payouts/evidence.ts';
import type { FollowDependencies, Sweep } from './sweep.ts';
import { eachChunk, lookUpEach, noteDue } from './sweep.ts';

/** The run that claimed a call this long ago is dead, and its answer is lost. */
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
  if (call.outcome?.kind === 'not_sent') return applyAll(dependencies, payouts, () => returnClaim(call));
  const due = payouts.filter((payout) => lookupAllowedFrom(payout, doubt, terms) <= sweep.nowMs);
  const policyOf = (evidence: Evidence) => resolve(evidence, doubt, terms, sweep.nowMs);
  const asked = await lookUpEach(dependencies, sweep, due, policyOf);
  for (const payout of withMoved(payouts, asked))
    if (isInDoubt(payout, call)) noteDue(sweep, lookupAllowedFrom(payout, doubt, terms));
  return asked;
};

/**
 * Resolves payouts in doubt, call by call. Returns those of a call that was not sent. Looks up the others that are due, by
 * reference, and decides by the answer and the calls (decide-by-calls.ts). Posts nothing.
 */
export const resolveDoubts = (
  dependencies: FollowDependencies,
  sweep: Sweep,
  chunks: readonly ChunkRecord[],
): Promise<void> =>
  eachChunk(dependencies, sweep, chunks, async ({ payouts, calls }) => {
    const moved: Payout[] = [];
    for (const claimed of calls) {
      const inDoubt = payouts.filter((payout) => isInDoubt(payout, claimed));
      if (inDoubt.length === 0) continue;
      const call = await withOutcome(dependencies, sweep, claimed);
      moved.push(...(await resolveCall(dependencies, sweep, { call, calls }, inDoubt)));
    }
    return moved;
  });
