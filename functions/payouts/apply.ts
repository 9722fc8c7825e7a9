import type { Audit } from '../domain/batch/batch.ts';
import { inParallel } from '../domain/in-parallel.ts';
import type { Payout } from '../domain/payout/payout.ts';
import type { Log } from '../ports/environment.ts';
import type { MovePayout, PayoutLedger } from '../ports/ledger/payout-ledger.ts';
import type { Move, Policy } from './decide.ts';

export interface ApplyDependencies {
  readonly ledger: Pick<PayoutLedger, 'movePayout' | 'recordContradiction' | 'countAbsence'>;
  readonly log: Log;
}

/**
 * Refusals in a row after which it is left to the next observation. Only `pending` and `on_hold` go both ways, so more than
 * a few mean that two writers trade those.
 */
const mostRefusals = 3;

/** A payout comes to its end in a few writes, and each contradiction is written once: more than this is a bug. */
const mostWrites = 20;

const idsOf = ({ batchId, chunk, row }: Payout) => ({ batchId, chunk, row });

const write = (
  { ledger }: ApplyDependencies,
  payout: Payout,
  move: Move,
  audit: Audit | undefined,
): Promise<MovePayout> => {
  switch (move.kind) {
    case 'move':
      return ledger.movePayout(idsOf(payout), move.transition, move.changes, { call: move.call, audit });
    case 'record':
      return ledger.recordContradiction(payout, move.found);
    case 'count_absence':
      return ledger.countAbsence(payout);
  }
};

/** What a person has to know of a write that held. */
const tell = ({ log }: ApplyDependencies, payout: Payout, move: Move): void => {
  if (move.kind === 'move' && move.transition.to === 'quarantined')
    log.alarm('PayoutQuarantined', { ...idsOf(payout), code: move.changes?.reason?.code ?? 'quarantined' });
  if (move.kind === 'record') {
    const { code: contradiction, observed } = move.found;
    log.alarm('PayoutChangedAfterEnd', { ...idsOf(payout), status: payout.status, contradiction, observed });
  }
};

/**
 * Writes what a policy decides, one conditional write after another, until nothing is left to write. A refused write is
 * decided again from how the payout then stands. Quarantines and contradictions ring their alarms here, once each. Answers how the
 * payout then stands, and whether anything was written.
 */
export const apply = async (
  dependencies: ApplyDependencies,
  payout: Payout,
  policy: Policy,
  audit?: Audit,
): Promise<{ readonly payout: Payout; readonly hasChanged: boolean }> => {
  let current = payout;
  let hasChanged = false;
  for (let writes = 0, refusals = 0; writes < mostWrites && refusals < mostRefusals; writes += 1) {
    const move = policy(current);
    if (move === undefined) break;
    const answer = await write(dependencies, current, move, audit);
    current = answer.payout;
    if (answer.kind === 'moved') {
      hasChanged = true;
      refusals = 0;
      tell(dependencies, current, move);
      if (move.kind === 'move' && move.isLast === true) break;
    } else {
      refusals += 1;
    }
  }
  return { payout: current, hasChanged };
};

/** Payouts written at once; each is one item, and its chunk a partition of its own. */
const writesAtOnce = 16;

export type PolicyOf = (payout: Payout) => Policy | Promise<Policy>;

/** Writes what a policy decides of each payout. Answers them as they then stand. */
export const applyAll = async (
  dependencies: ApplyDependencies,
  payouts: readonly Payout[],
  policyOf: PolicyOf,
  atOnce = writesAtOnce,
): Promise<readonly Payout[]> => {
  const settled: Payout[] = [];
  await inParallel(payouts, atOnce, async (payout) => {
    settled.push((await apply(dependencies, payout, await policyOf(payout))).payout);
  });
  return settled;
};
