import type { Audit } from '../domain/batch/batch.ts';
import { inParallel } from '../domain/in-parallel.ts';
import type { Payout } from '../domain/payout/payout.ts';
import type { MovePayout } from '../ports/ledger/payout-ledger.ts';
import type { Needs } from '../ports/needs.ts';
import type { Move, Policy } from './decide-by-evidence.ts';

export type ApplyDependencies = Needs<{ ledger: 'movePayout' | 'recordContradiction' | 'countAbsence' }, 'log'>;

/**
 * Refusals in a row before the change is left to the next observation. Only `pending` and `on_hold` go both ways, so more than
 * a few mean that two writers alternate between those.
 */
const maxRefusals = 3;

/** A payout reaches its end in a few writes, and each contradiction is written once. More writes are a bug. */
const maxWrites = 20;

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

/**
 * Raises the alarm of a quarantine. If the run dies before it, ReportBatch raises it. A contradiction may come after the last
 * report, so its alarm comes with its news, which the ledger wrote in the same transaction: see events/number-and-publish.ts.
 */
const raiseAlarm = ({ log }: ApplyDependencies, payout: Payout, move: Move): void => {
  if (move.kind === 'move' && move.transition.to === 'quarantined')
    log.alarm('PayoutQuarantined', { ...idsOf(payout), code: move.changes?.reason?.code ?? 'quarantined' });
};

/**
 * Writes a policy's decisions, one conditional write after another, until nothing is left to write. After a refused write it
 * decides again on the payout's newest state. Raises one alarm for each quarantine. Returns the latest payout, and whether anything
 * was written.
 */
export const apply = async (
  dependencies: ApplyDependencies,
  payout: Payout,
  policy: Policy,
  audit?: Audit,
): Promise<{ readonly payout: Payout; readonly hasChanged: boolean }> => {
  let current = payout;
  let hasChanged = false;
  for (let writes = 0, refusals = 0; writes < maxWrites && refusals < maxRefusals; writes += 1) {
    const move = policy(current);
    if (move === undefined) break;
    const answer = await write(dependencies, current, move, audit);
    current = answer.payout;
    if (answer.kind === 'moved') {
      hasChanged = true;
      refusals = 0;
      raiseAlarm(dependencies, current, move);
      if (move.kind === 'move' && move.isLast === true) break;
    } else {
      refusals += 1;
    }
  }
  return { payout: current, hasChanged };
};

/** Payouts written concurrently. Each is one item, and each chunk has its own partition. */
const concurrentWrites = 16;

export type PolicyOf = (payout: Payout) => Policy | Promise<Policy>;

/** Applies a policy to each payout. Returns their latest states. */
export const applyAll = async (
  dependencies: ApplyDependencies,
  payouts: readonly Payout[],
  policyOf: PolicyOf,
  concurrency = concurrentWrites,
): Promise<readonly Payout[]> => {
  const latest: Payout[] = [];
  await inParallel(payouts, concurrency, async (payout) => {
    latest.push((await apply(dependencies, payout, await policyOf(payout))).payout);
  });
  return latest;
};
