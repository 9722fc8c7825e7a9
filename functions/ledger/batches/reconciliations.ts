import type { Reconciliation } from '../../domain/payout/reconciliation.ts';
import { storedReconciliation } from '../../domain/payout/reconciliation.ts';
import { isoNow } from '../../ports/environment.ts';
import type { ReconcileLedger } from '../../ports/ledger/reconcile-ledger.ts';
import { absent, present, setting } from '../table/expressions.ts';
import { batchIdOfKey, keys, openReconciliations, sortPrefixes } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import type { PartDependencies } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { deleting, updating } from '../table/writes.ts';

const readItem = reading('reconciliation', storedReconciliation);

const beingDue = (due: Reconciliation) => setting({ ...due, open: openReconciliations });

/** Makes a reconciliation due. Idempotent. */
export const reconciliationWrite = (due: Reconciliation): Write => updating(keys.reconciliation(due), beingDue(due));

/** Ended batches to compare with the provider's lists, and how far each comparison has come. */
export const createReconciliations = ({ store, clock }: PartDependencies): ReconcileLedger => ({
  listDueReconciliations: () => {
    const sortKey = { below: `${sortPrefixes.reconciliation}${isoNow(clock)}` };
    return Array.fromAsync(store.queryIndex({ index: 'open', value: openReconciliations, sortKey }), ({ pk, sk }) => ({
      batchId: batchIdOfKey(String(pk)),
      dueAt: String(sk).slice(sortPrefixes.reconciliation.length),
    }));
  },

  readReconciliation: (id) => store.read(keys.reconciliation(id), readItem),

  addReconciliation: async (due) => {
    await store.update(keys.reconciliation(due), beingDue(due), absent('pk'));
  },

  keepReconciliation: async (kept) => {
    const { firstPages, cursor } = kept;
    await store.update(keys.reconciliation(kept), setting({ firstPages, cursor: cursor ?? null }), present('pk'));
  },

  endReconciliation: async (over, next) => {
    // A late second call fails on the missing item, so it cannot bring back the next one.
    await store.transact([
      deleting(keys.reconciliation(over), present('pk')),
      ...(next === undefined ? [] : [reconciliationWrite(next)]),
    ]);
  },
});
