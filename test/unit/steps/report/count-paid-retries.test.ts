import { expect, it } from 'vitest';
import type { Payout } from '../../../../functions/domain/payout/payout.ts';
import type { PayoutId } from '../../../../functions/ports/ledger/payout-ledger.ts';
import { countPaidRetries } from '../../../../functions/steps/report/count-paid-retries.ts';

const at = (batchId: string, row = 1): PayoutId => ({ batchId, chunk: 1, row });
const holders = new Map([
  ['INV-7', at('b-1')],
  ['INV-7.r1', at('b-2')],
  ['INV-8', at('b-1', 2)],
  ['INV-9', at('b-other')],
]);
const retries = ['b-1', 'b-2'].map((batchId) => ({ batchId, payouts: 2 }));

const count = async (
  payouts: readonly Pick<Payout, 'reference' | 'status' | 'contradictions'>[],
  planned = retries,
) => {
  const asked: (readonly string[])[] = [];
  const findReferences = async (references: readonly string[]) => {
    asked.push(references);
    return new Map([...holders].filter(([reference]) => references.includes(reference)));
  };
  const counting = countPaidRetries({ findReferences }, planned.length === 0 ? {} : { retries: planned });
  for (const payout of payouts) await counting.see(payout);
  return { ...(await counting.finish()), asked };
};
const paid = (reference: string) => ({ reference, status: 'completed' }) as const;

it.each<[string, Parameters<typeof count>[0], number, number]>([
  ['of its batch', [paid('INV-8.r1')], 1, 0],
  ['of both batches before it', [paid('INV-7.r2')], 1, 1],
  ['of no batch that the plan does not name', [paid('INV-9.r1')], 0, 0],
  ['not before it is paid', [{ reference: 'INV-7.r2', status: 'pending' }], 0, 0],
  ['not when it failed', [{ reference: 'INV-7.r2', status: 'failed' }], 0, 0],
  [
    'not when the provider says otherwise since',
    [
      {
        ...paid('INV-8.r1'),
        contradictions: [{ code: 'changed_after_end', disbursementId: 'd', observed: 'failed', at: 't' }],
      },
    ],
    0,
    0,
  ],
  ['not a payout that is no retry', [paid('INV-8')], 0, 0],
])('counts a retry %s', async (_, payouts, first, second) => {
  const { retriesPaid } = await count(payouts);
  expect(retriesPaid).toEqual([
    { batchId: 'b-1', payouts: first },
    { batchId: 'b-2', payouts: second },
  ]);
});

it('reads nothing for a file without retries', async () => {
  expect(await count([paid('INV-8.r1')], [])).toEqual({ asked: [] });
});

it('reads many together, and each of them', async () => {
  const { asked, retriesPaid } = await count(Array.from({ length: 120 }, () => paid('INV-8.r1')));
  expect(asked.length).toBe(3);
  expect(retriesPaid?.[0]).toEqual({ batchId: 'b-1', payouts: 120 });
});
