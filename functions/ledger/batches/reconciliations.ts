import type { Reconciliation } from '../../domain/payout/reconciliation.ts';
import { storedReconciliation } from '../../domain/payout/reconciliation.ts';
import { isoNow } from '../../ports/environment.ts';
import type { ReconcileLedger } from '../../ports/ledger/reconcile-ledger.ts';
import { present, setting } from '../table/expressions.ts';
import { batchIdOfKey, keys, openReconciliations, sortPrefixes } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import type { LedgerDependencies } from '../table/store.ts';
import { createStore } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

const readItem = reading('reconciliation', storedReconciliation);

/** Makes a reconciliation due. Idempotent. */
export const reconciliationWrite = (due: Reconciliation): Write => ({
  kind: 'update',
  key: keys.reconciliation(due.batchId, due.dueAt),
  update: setting({ ...due, open: openReconciliations }),
});

/** Ended batches to compare with the provider's lists, and how far each comparison has come. */
export const createReconciliations = (dependencies: LedgerDependencies): ReconcileLedger => {
  const store = createStore(dependencies);
  const keyOf = ({ batchId, dueAt }: Pick<Reconciliation, 'batchId' | 'dueAt'>) => keys.reconciliation(batchId, dueAt);

  const listDueReconciliations: ReconcileLedger['listDueReconciliations'] = () => {
    const before = `${sortPrefixes.reconciliation}${isoNow(dependencies.clock)}`;
    return Array.fromAsync(store.queryIndex({ index: 'open', of: openReconciliations, before }), ({ pk, sk }) => ({
      batchId: batchIdOfKey(String(pk)),
      dueAt: String(sk).slice(sortPrefixes.reconciliation.length),
    }));
  };

  const readReconciliation: ReconcileLedger['readReconciliation'] = (of) => store.read(keyOf(of), readItem);

  const keepReconciliation: ReconcileLedger['keepReconciliation'] = async (kept) => {
    const { firstPages, cursor } = kept;
    await store.update(keyOf(kept), setting({ firstPages, cursor: cursor ?? null }), present('pk'));
  };

  const endReconciliation: ReconcileLedger['endReconciliation'] = async (over, next) => {
    // A late second call fails on the missing item, so it cannot bring back the next one.
    await store.transact([
      { kind: 'delete', key: keyOf(over), condition: present('pk') },
      ...(next === undefined ? [] : [reconciliationWrite(next)]),
    ]);
  };

  return { listDueReconciliations, readReconciliation, keepReconciliation, endReconciliation };
};
