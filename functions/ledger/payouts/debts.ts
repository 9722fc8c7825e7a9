import * as z from 'zod';
import { dayMs } from '../../domain/durations.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import { isoNow } from '../../ports/environment.ts';
import type { DebtLedger } from '../../ports/ledger/debt-ledger.ts';
import { expiresAfter } from '../table/expiry.ts';
import { changingSets } from '../table/expressions.ts';
import { keys, partitions, sortPrefixes } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import type { PartDependencies } from '../table/store.ts';

/** Numbers per item: 30,000 debts, or 360 KB of the 400 KB limit. */
const numbersPerItem = 90_000;
const writesAtOnce = 16;

const readDebtItem = reading('debts', () =>
  z.object({ batchId: z.string(), plannedAt: z.string(), debts: z.instanceof(Uint8Array) }),
);

/** Little-endian, like every machine that runs this. */
const bytesOf = (debts: Uint32Array): Uint8Array => new Uint8Array(debts.slice().buffer);

/** The debts of recent batches, packed. */
export const createDebts = ({ store, clock }: PartDependencies): DebtLedger => ({
  recordDebts: async (batchId, runId, buckets, keptUntil) => {
    const plannedAt = isoNow(clock);
    const expiresAt = expiresAfter(keptUntil, 0);
    const items = buckets.flatMap(({ debts, ...bucket }) =>
      Array.from({ length: Math.ceil(debts.length / numbersPerItem) }, (_, part) => ({
        ...keys.debts(bucket, batchId, runId, part),
        batchId,
        plannedAt,
        debts: bytesOf(debts.subarray(part * numbersPerItem, (part + 1) * numbersPerItem)),
        expiresAt,
      })),
    );
    await inParallel(items, writesAtOnce, store.putOwn);
  },

  noteSharedDebts: async (batchId, others) => {
    const shares = (one: string, withThese: readonly string[]) =>
      store.update(keys.batch(one), changingSets('ADD', { sharesDebtsWith: withThese }));
    await inParallel(others, writesAtOnce, async (other) => {
      await shares(other, [batchId]);
    });
    if (others.length > 0) await shares(batchId, others);
  },

  readDebts: async function* (bucket, days) {
    const since = new Date(clock() - days * dayMs).toISOString();
    for await (const item of store.query({ pk: partitions.debts(bucket), prefix: sortPrefixes.debts })) {
      const { batchId, plannedAt, debts } = readDebtItem(item);
      yield { batchId, plannedAt, since, debts: new Uint32Array(new Uint8Array(debts).buffer) };
    }
  },
});
