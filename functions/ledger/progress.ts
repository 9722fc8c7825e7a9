import { sumProgress } from '../domain/progress.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import { readRecords } from './chunks.ts';
import { absent, below, or } from './expressions.ts';
import { keys } from './keys.ts';
import { progressItem, readStoredProgress } from './progress-codec.ts';
import type { LedgerDependencies } from './store.ts';
import { createStore } from './store.ts';

/** What a batch's chunk records add up to, kept for a while so that many who ask do not each add them up. */
export const createProgress = (dependencies: LedgerDependencies): Pick<PayoutLedger, 'readProgress'> => {
  const { clock } = dependencies;
  const store = createStore(dependencies);

  const readProgress: PayoutLedger['readProgress'] = async (batchId, wanted) => {
    const nowMs = clock();
    if ('consistent' in wanted) return sumProgress(await readRecords(store, batchId, { consistent: true }), nowMs);
    const { atMostMs, changedAt } = wanted;
    const stored = readStoredProgress(await store.get(keys.progress(batchId)));
    const isFresh =
      stored !== undefined &&
      nowMs - Date.parse(stored.asOf) <= atMostMs &&
      (changedAt === undefined || stored.asOf > changedAt);
    if (isFresh) return stored;
    const progress = sumProgress(await readRecords(store, batchId, { consistent: false }), nowMs);
    // Refused where somebody who began later was done sooner.
    await store.put(progressItem(batchId, progress), or(absent('asOf'), below('asOf', progress.asOf)));
    return progress;
  };

  return { readProgress };
};
