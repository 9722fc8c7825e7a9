import * as z from 'zod';
import { inParallel } from '../../domain/in-parallel.ts';
import { isoNow } from '../../ports/environment.ts';
import type { DebtLedger } from '../../ports/ledger/debt-ledger.ts';
import { absent, changingSets, or, present } from '../table/expressions.ts';
import { keys, partitions, sortPrefixes } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import type { LedgerDependencies } from '../table/store.ts';
import { createStore, startingWith } from '../table/store.ts';

/** Numbers of an item: 30,000 debts, 360 KB of the 400 that an item may have. */
const numbersPerItem = 90_000;
const writesAtOnce = 16;
const dayMs = 86_400_000;
/** A batch may be approved, paused and followed for so long after it was planned that its debts are kept beyond the window. */
const longestOpenDays = 30;

const readDebtItem = reading('debts', () =>
  z.object({ batchId: z.string(), plannedAt: z.string(), debts: z.instanceof(Uint8Array) }),
);

/** Little-endian, as every machine is that this runs on. */
const bytesOf = (debts: Uint32Array): Uint8Array => new Uint8Array(debts.slice().buffer);

/** What batches owe: their debts of the last days, packed. */
export const createDebts = (dependencies: LedgerDependencies): DebtLedger => {
  const { clock } = dependencies;
  const store = createStore(dependencies);

  const recordDebts: DebtLedger['recordDebts'] = async (batchId, runId, buckets, days) => {
    const plannedAt = isoNow(clock);
    const expiresAt = Math.floor(clock() / 1000 + (days + longestOpenDays) * (dayMs / 1000));
    const items = buckets.flatMap(({ debts, ...of }) =>
      Array.from({ length: Math.ceil(debts.length / numbersPerItem) }, (_, part) => ({
        ...keys.debts(of, batchId, runId, part),
        batchId,
        plannedAt,
        debts: bytesOf(debts.subarray(part * numbersPerItem, (part + 1) * numbersPerItem)),
        expiresAt,
      })),
    );
    await inParallel(items, writesAtOnce, async (item) => {
      await store.put(item, or(absent('pk'), present('pk')));
    });
  };

  const noteSharedDebts: DebtLedger['noteSharedDebts'] = async (batchId, others) => {
    const shares = (one: string, withThese: readonly string[]) =>
      store.update(keys.batch(one), changingSets('ADD', { sharesDebtsWith: withThese }));
    await inParallel(others, writesAtOnce, async (other) => {
      await shares(other, [batchId]);
    });
    if (others.length > 0) await shares(batchId, others);
  };

  const readDebts: DebtLedger['readDebts'] = async function* (of, days) {
    const since = new Date(clock() - days * dayMs).toISOString();
    for await (const item of store.query({ pk: partitions.debts(of), ...startingWith(sortPrefixes.debts) })) {
      const { batchId, plannedAt, debts } = readDebtItem(item);
      yield { batchId, plannedAt, since, debts: new Uint32Array(new Uint8Array(debts).buffer) };
    }
  };

  return { recordDebts, noteSharedDebts, readDebts };
};
