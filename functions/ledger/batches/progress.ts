import type { Progress } from '../../domain/batch/progress.ts';
import { storedProgress, sumProgress } from '../../domain/batch/progress.ts';
import { talliesInText } from '../../domain/money/money-records.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import { readChunkRecord } from '../payouts/payout-codec.ts';
import { absentOrBelow } from '../table/expressions.ts';
import type { Key } from '../table/keys.ts';
import { keys, partitions, sortPrefixes } from '../table/keys.ts';
import type { Item, PartDependencies } from '../table/store.ts';

/** Undefined also when the item is unreadable: progress is derived from the chunk records, so it is computed again. */
export const readStoredProgress = (item: Item | undefined): Progress | undefined =>
  storedProgress().safeParse(item).data;

export const progressItem = (batchId: string, progress: Progress): Key & Readonly<Record<string, unknown>> => ({
  ...keys.progress(batchId),
  ...progress,
  currencies: progress.currencies.map(({ tallies, ...sums }) => ({ ...sums, tallies: talliesInText(tallies) })),
});

/** Progress of a batch, added up from its chunk records. Cached for a while, so that many readers do not each add it up. */
export const createProgress = ({ store, clock }: PartDependencies) =>
  ({
    readProgress: async (batchId, wanted) => {
      const nowMs = clock();
      const sum = async (consistent: boolean) => {
        const pk = partitions.batch(batchId);
        return sumProgress(await store.list(pk, sortPrefixes.chunk, readChunkRecord, consistent), nowMs);
      };
      if ('consistent' in wanted) return sum(true);
      const { atMostMs, changedAt } = wanted;
      const stored = readStoredProgress(await store.get(keys.progress(batchId)));
      const isFresh =
        stored !== undefined &&
        nowMs - Date.parse(stored.asOf) <= atMostMs &&
        (changedAt === undefined || stored.asOf > changedAt);
      if (isFresh) return stored;
      const progress = await sum(false);
      // Fails when a run that began later finished first.
      await store.put(progressItem(batchId, progress), absentOrBelow('asOf', progress.asOf));
      return progress;
    },
  }) satisfies Partial<PayoutLedger>;
