import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { giveBackReservation } from '../../../../functions/batches/reservation.ts';
import type { ChunkFile } from '../../../../functions/domain/batch/chunk-file.ts';
import { orchestratorSettings } from '../../../../functions/domain/settings.ts';
import { runs } from '../../../support/fast-loop.ts';
import type { MemoryLedger } from '../../../support/memory-ledger.ts';
import { createMemoryLedger } from '../../../support/memory-ledger.ts';
import { currencyPlan, idr } from '../../../support/money.ts';
import { exampleBatch, examplePlan } from '../../../support/scenes/example-batch.ts';
import { planAndRelease } from '../../../support/scenes/plan-and-release.ts';
import { silentLog } from '../../../support/silent-log.ts';

const clock = () => Date.parse('2026-11-21T08:00:00Z');

const chunkOf = (batchId: string, amount: string): ChunkFile => ({
  batchId,
  chunk: 1,
  rail: 'fiat',
  currency: 'IDR',
  payouts: [{ row: 1, reference: batchId, amount, recipient: { kind: 'recipientId', recipientId: 'r' } }],
});

/** Plans its funding until it may disburse or had to wait too often, disburses, then ends. Returns true when it was paid. */
const runBatch = async (
  ledger: MemoryLedger,
  treasury: { balance: number; lowest: number },
  pass: () => Promise<unknown>,
  batchId: string,
  amount: number,
): Promise<boolean> => {
  const between =
    <Args extends unknown[], Answer>(verb: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      await pass();
      return verb(...args);
    };
  const dependencies = {
    ledger: {
      ...ledger,
      readFunds: between(ledger.readFunds),
      readProgress: between(ledger.readProgress),
      reserve: between(ledger.reserve),
      moveBatch: between(ledger.moveBatch),
      releaseBatch: between(ledger.releaseBatch),
    },
    provider: {
      account: 'one',
      readBalances: between(async () => new Map([['IDR', idr(String(treasury.balance))]])),
      quoteConversion: async () => ({ kind: 'refused', message: 'none' }) as const,
    },
    settings: orchestratorSettings().parse({ conversionSources: [] }),
    clock,
    log: silentLog,
  };
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    if ((await planAndRelease(dependencies, { batchId, waits: 0 })).next !== 'disburse') continue;
    const chunk = chunkOf(batchId, String(amount));
    await ledger.registerPayouts(chunk);
    await ledger.refreshChunk(batchId, 1);
    await pass();
    treasury.balance -= amount;
    treasury.lowest = Math.min(treasury.lowest, treasury.balance);
    await pass();
    // Money leaves the balance first, and is counted as spent later.
    for (const payout of ledger.payouts)
      if (payout.batchId === batchId) ledger.putPayout({ ...payout, status: 'pending' });
    await ledger.refreshChunk(batchId, 1);
    await pass();
    await giveBackReservation(dependencies, await existing(ledger, batchId));
    return true;
  }
  return false;
};

const existing = async (ledger: MemoryLedger, batchId: string) => {
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) throw new Error(`no batch ${batchId}`);
  return batch;
};

describe('concurrent batches on one balance', () => {
  it('never exceed the balance, in any order of their steps', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 0, max: 100 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 5 }),
        async (scheduler, balance, amounts) => {
          const ledger = createMemoryLedger(clock);
          const treasury = { balance, lowest: balance };
          const runs = amounts.map((amount, index) => {
            const batchId = `b-${index}`;
            const plan = examplePlan(batchId, 1, [
              currencyPlan({
                rail: 'fiat',
                currency: 'IDR',
                count: 1,
                amount: String(amount),
                fee: '0',
                largestAmount: String(amount),
                methods: [],
              }),
            ]);
            ledger.putBatch(exampleBatch(batchId, { status: 'validating', plan }));
            return runBatch(ledger, treasury, () => scheduler.schedule(Promise.resolve()), batchId, amount);
          });
          const paid = await scheduler.waitFor(Promise.all(runs));
          // Those that wait look again once nobody else moves money.
          for (const [index, amount] of amounts.entries())
            paid[index] ||= await runBatch(ledger, treasury, async () => {}, `b-${index}`, amount);
          expect(treasury.lowest).toBeGreaterThanOrEqual(0);
          // Reservations of batches that ended or wait are free again.
          expect((await ledger.readFunds(['IDR']))[0]?.reservations).toEqual([]);
          const unpaid = amounts.filter((_, index) => !paid[index]);
          expect(unpaid.filter((amount) => amount <= treasury.balance)).toEqual([]);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
