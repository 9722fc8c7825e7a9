import { describe, expect, it } from 'vitest';
import { getPayout } from '../../../../functions/api/payouts/get-payout.ts';
import { listPayouts } from '../../../../functions/api/payouts/list-payouts.ts';
import { searchPayouts } from '../../../../functions/api/payouts/search-payouts.ts';
import { payoutPage, payoutView } from '../../../../functions/api/schemas/payout.ts';
import type { Payout } from '../../../../functions/domain/payout/payout.ts';
import { batch, fakeLedger, payout, plan } from '../fixtures.ts';

/** A ledger with these payouts that records its requests. References are equal in any letter case. */
const sceneOf = (payouts: readonly Payout[]) => {
  const asked: string[][] = [];
  const holderOf = (reference: string) =>
    payouts.find((held) => held.reference.toLowerCase() === reference.toLowerCase());
  const ledger = fakeLedger({
    getBatch: async () => batch({ plan }),
    listPayouts: async () => ({ items: payouts }),
    findInBatches: async () => ({ items: payouts }),
    getPayoutByReference: async (reference) => holderOf(reference),
    findReferences: async (references) => {
      asked.push([...references]);
      return new Map(
        references.flatMap((reference) => {
          const holder = holderOf(reference);
          return holder === undefined ? [] : [[reference, holder] as const];
        }),
      );
    },
    getPayouts: async (ids) => payouts.filter(({ row }) => ids.some((id) => id.row === row)),
  });
  return { ledger, asked };
};

const original = payout({ reference: 'INV-7', row: 1, status: 'failed' });
const first = payout({ reference: 'inv-7.r1', row: 2, status: 'failed', batchId: 'b-2' });
const second = payout({ reference: 'inv-7.r2', row: 3, status: 'completed', batchId: 'b-3' });
const other = payout({ reference: 'INV-8', row: 4, status: 'failed' });
const paid = payout({ reference: 'INV-9', row: 5, status: 'completed' });
const because = { code: 'x', message: 'Because.', providerText: 'In its own words.' };
const contradiction = {
  code: 'changed_after_end',
  disbursementId: 'd-1',
  observed: 'completed',
  at: '2026-01-05T09:00:00.000Z',
} as const;

describe('a payout that paid nobody', () => {
  it.each<[string, readonly Payout[], object | undefined]>([
    ['nothing, of one that was never retried', [original, other], undefined],
    ['its retry', [original, first], { reference: 'inv-7.r1', batchId: 'b-2', status: 'failed' }],
    [
      'the retry of its retry',
      [original, first, second],
      { reference: 'inv-7.r2', batchId: 'b-3', status: 'completed' },
    ],
    [
      'why its retry may have been paid',
      [original, { ...first, reason: because, contradictions: [contradiction] }],
      {
        reference: 'inv-7.r1',
        batchId: 'b-2',
        status: 'failed',
        reason: { code: 'x', message: 'Because.' },
        contradictions: [{ ...contradiction, noted: false }],
      },
    ],
  ])('shows %s', async (_, payouts, lastRetry) => {
    const { ledger } = sceneOf(payouts);
    const outcome = await getPayout({ ledger }, { path: { reference: 'INV-7' } });
    expect(outcome.kind === 'answer' && payoutView.parse(outcome.body).lastRetry).toEqual(lastRetry);
  });

  it('shows it in the list of its batch, and in a search', async () => {
    const { ledger, asked } = sceneOf([original, first, second, other, paid]);
    const listed = await listPayouts({ ledger }, { path: { batchId: 'b-1' }, query: { limit: 10 } });
    const found = await searchPayouts(
      { ledger, clock: () => 0 },
      { body: { limit: 10, amount: '1', currency: 'IDR' } },
    );
    for (const outcome of [listed, found])
      expect(
        outcome.kind === 'answer' &&
          payoutPage.parse(outcome.body).payouts.map(({ lastRetry }) => lastRetry?.reference),
      ).toEqual(['inv-7.r2', 'inv-7.r2', undefined, undefined, undefined]);
    // All references of a page in one request, without those of paid payouts.
    expect(asked[0]).toEqual(['INV-7.r1', 'inv-7.r2', 'INV-8.r1']);
  });

  it('is not followed forever', async () => {
    const { ledger, asked } = sceneOf([
      original,
      ...Array.from({ length: 50 }, (_, index) =>
        payout({ reference: `INV-7.r${index + 1}`, row: index + 10, status: 'failed' }),
      ),
    ]);
    await getPayout({ ledger }, { path: { reference: 'INV-7' } });
    expect(asked.length).toBeLessThan(30);
  });
});
