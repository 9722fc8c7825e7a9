import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import type { PayoutView } from '../../../functions/api/schemas/payout.ts';
import { outcomeProblems } from '../../../infra/local/batch/check-outcome.ts';
import { at, batchView as batch } from './batch-view.ts';

const payout = (row: number, changes: Partial<PayoutView> = {}): PayoutView => ({
  batchId: 'b-1',
  row,
  chunk: 1,
  reference: `ref-${row}`,
  rail: 'fiat',
  currency: 'IDR',
  amount: '1000',
  status: 'completed',
  since: at,
  updatedAt: at,
  ...changes,
});
let folder = '';
let file = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'outcome-'));
  file = path.join(folder, 'payouts.csv');
  await writeFile(file, 'reference,amount,currency\nref-1,1000.00,IDR\n,1000,IDR\n');
});
afterAll(() => rm(folder, { recursive: true }));

describe('the outcome of a payout file', () => {
  it('is correct when every row has ended or is known to wait for a person', async () => {
    const payouts = [payout(1), payout(2, { status: 'on_hold' })];
    expect(await outcomeProblems(file, batch(), payouts)).toEqual([]);
  });

  it('is wrong when a payout is missing from the ledger and the file', async () => {
    expect(await outcomeProblems(file, batch(), [payout(1)])).toEqual([
      expect.stringMatching(/2 payouts were planned, but 1 are/),
      expect.stringMatching(/1 row of the file has no payout/),
    ]);
  });

  it.each<readonly [string, BatchView, readonly PayoutView[], RegExp]>([
    ['a payout is still open', batch(), [payout(1), payout(2, { status: 'pending' })], /Row 2 .* is pending/],
    ['another amount was paid', batch(), [payout(1, { amount: '1001' }), payout(2)], /Row 1 differs from the payout/],
    ['another currency was paid', batch(), [payout(1, { currency: 'PHP' }), payout(2)], /Row 1 differs from/],
    ['another reference was used', batch(), [payout(1, { reference: 'x' }), payout(2)], /Row 1 differs from/],
    ['a proof is missing', batch({ proofs: { archived: 1, expected: 2 } }), [payout(1), payout(2)], /1 proofs are/],
    [
      'the batch read another number of rows',
      batch({ plan: { rows: 3, validRows: 2, invalidRows: 1, chunks: 1, errors: [] } }),
      [payout(1), payout(2)],
      /The file has 2 rows, but the batch read 3/,
    ],
  ])('is wrong when %s', async (_, view, payouts, problem) => {
    expect(await outcomeProblems(file, view, payouts)).toEqual([expect.stringMatching(problem)]);
  });

  it('accepts columns in any letter case, but no other separator', async () => {
    const named = path.join(folder, 'named.csv');
    await writeFile(named, 'Reference,Amount,Currency\nref-1,1,IDR\n,1000,IDR\n');
    expect(await outcomeProblems(named, batch(), [payout(1), payout(2)])).toEqual([
      'Row 1 differs from the payout ref-1.',
    ]);
    const separated = path.join(folder, 'separated.csv');
    await writeFile(separated, 'reference;amount;currency\nref-1;1;IDR\n');
    expect(await outcomeProblems(separated, batch(), [payout(1), payout(2)])).toEqual([]);
  });
});
