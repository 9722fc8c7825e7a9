import { InvariantBroken } from '../domain/errors.ts';
import type { MovePayout, PayoutLedger } from '../domain/ledger-port.ts';
import type { Payout } from '../domain/payout.ts';
import { isoNow } from '../domain/surroundings.ts';
import type { Expression } from './expressions.ts';
import { absent, and, equals, oneOf, setting } from './expressions.ts';
import { keys } from './keys.ts';
import { readPayout } from './payout-codec.ts';
import type { Item, LedgerDependencies, Written } from './store.ts';
import { createStore } from './store.ts';

type PayoutId = Pick<Payout, 'batchId' | 'chunk' | 'row'>;

/** Changes of one payout: each one conditional write. */
export const createPayoutMoves = (
  dependencies: LedgerDependencies,
): Pick<PayoutLedger, 'movePayout' | 'countAbsence' | 'recordProof'> => {
  const { clock } = dependencies;
  const store = createStore(dependencies);

  const standing = ({ batchId, chunk, row }: PayoutId, item: Item | undefined): Payout => {
    if (item === undefined) throw new InvariantBroken(`payout_missing: ${batchId} ${chunk} ${row}`);
    return readPayout(item);
  };

  const change = (id: PayoutId, update: Expression, condition: Expression): Promise<Written> =>
    store.update(keys.payout(id.batchId, id.chunk, id.row), update, condition);

  /** The condition that no call has claimed it since; a payout that no call ever claimed has none. */
  const claimedLastBy = (call: number | undefined): Expression =>
    call === undefined ? absent('call') : equals('call', call);

  const movePayout: PayoutLedger['movePayout'] = async (id, transition, changes = {}, ofCall): Promise<MovePayout> => {
    const result = await change(
      id,
      // A reason tells why a payout is in its status: the last status's reason does not outlive it.
      setting({ reason: null, ...changes, status: transition.to, updatedAt: isoNow(clock) }),
      and(oneOf('status', transition.from), ...(ofCall === undefined ? [] : [claimedLastBy(ofCall)])),
    );
    return { kind: result.kind === 'written' ? 'moved' : 'refused', payout: standing(id, result.item) };
  };

  const countAbsence: PayoutLedger['countAbsence'] = async (payout): Promise<MovePayout> => {
    const result = await change(
      payout,
      setting({ absences: (payout.absences ?? 0) + 1, updatedAt: isoNow(clock) }),
      and(
        oneOf('status', ['submitting', 'unknown']),
        claimedLastBy(payout.call),
        payout.absences === undefined ? absent('absences') : equals('absences', payout.absences),
      ),
    );
    return { kind: result.kind === 'written' ? 'moved' : 'refused', payout: standing(payout, result.item) };
  };

  const recordProof: PayoutLedger['recordProof'] = async (id, proof) => {
    const result = await change(
      id,
      setting({ proof, updatedAt: isoNow(clock) }),
      and(absent('proof'), equals('status', 'completed')),
    );
    // The first proof stays: the provider may make the PDF anew each time it is asked.
    if (standing(id, result.item).proof === undefined)
      throw new InvariantBroken(`proof_of_payout_not_completed: ${id.batchId} ${id.row}`);
  };

  return { movePayout, countAbsence, recordProof };
};
