import type { Call, ChunkRecord } from '../../domain/batch/chunk.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { withMoved } from '../../domain/payout/payout.ts';
import { applyAll } from '../../payouts/apply.ts';
import type { Doubt } from '../../payouts/decide-by-calls.ts';
import { isInDoubt, lookupAllowedFrom, resolve, returnClaim } from '../../payouts/decide-by-calls.ts';
import type { Evidence } from '../../payouts/evidence.ts';
import type { Run } from './sweep.ts';
import { eachChunk, lookUpEach, noteDue } from './sweep.ts';

/** The run that claimed a call this long ago is dead, and its answer is lost. */
const withOutcome = async ({ ledger, settings, sweep }: Run, call: Call): Promise<Call> => {
  const isOld = sweep.nowMs - Date.parse(call.claimedAt) >= settings.resolveAfterSeconds * 1000;
  if (call.outcome !== undefined || !isOld) return call;
  const outcome = { kind: 'unknown', cause: 'interrupted' } as const;
  await ledger.recordCallOutcome(call, outcome);
  return { ...call, outcome };
};

const resolveCall = async (run: Run, doubt: Doubt, payouts: readonly Payout[]): Promise<readonly Payout[]> => {
  const { settings, provider, sweep } = run;
  const terms = { ...settings, ...provider.traits };
  const { call } = doubt;
  if (call.outcome?.kind === 'not_sent') return applyAll(run, payouts, () => returnClaim(call));
  const due = payouts.filter((payout) => lookupAllowedFrom(payout, doubt, terms) <= sweep.nowMs);
  const policyOf = (evidence: Evidence) => resolve(evidence, doubt, terms, sweep.nowMs);
  const asked = await lookUpEach(run, due, policyOf);
  for (const payout of withMoved(payouts, asked))
    if (isInDoubt(payout, call)) noteDue(sweep, lookupAllowedFrom(payout, doubt, terms));
  return asked;
};

/**
 * Resolves payouts in doubt, call by call. Returns those of a call that was not sent. Looks up the others that are due, by
 * reference, and decides by the answer and the calls (decide-by-calls.ts). Posts nothing.
 */
export const resolveDoubts = (run: Run, chunks: readonly ChunkRecord[]): Promise<void> =>
  eachChunk(run, chunks, async ({ payouts, calls }) => {
    const moved: Payout[] = [];
    for (const claimed of calls) {
      const inDoubt = payouts.filter((payout) => isInDoubt(payout, claimed));
      if (inDoubt.length === 0) continue;
      const call = await withOutcome(run, claimed);
      moved.push(...(await resolveCall(run, { call, calls }, inDoubt)));
    }
    return moved;
  });
