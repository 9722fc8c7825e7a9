import { describe, expect, it } from 'vitest';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import type { ResultLine } from '../../../infra/local/batch/summary.ts';
import { costReport, summaryOf } from '../../../infra/local/batch/summary.ts';
import { batchView } from './batch-view.ts';

const line = (row: number, changes: Readonly<Record<string, string>> = {}): ResultLine => ({
  row: String(row),
  reference: `pay-${row}`,
  name: '',
  currency: 'IDR',
  amount: '1250000.5',
  status: 'completed',
  reason: '',
  ...changes,
});

const idr: BatchView['currencies'] = [
  {
    rail: 'fiat',
    currency: 'IDR',
    planned: { count: 2, amount: '2500001' },
    statuses: { completed: { count: 1, amount: '1250000.5', fee: '4000' } },
    feeEstimated: '8000',
    feeActual: '4000',
    feeBeyondEstimate: false,
  },
];

/** A payout each that was paid, failed, was skipped, and waits. */
const mixed = [
  line(1),
  line(2, {
    status: 'failed',
    name: 'A. Example',
    reason: 'The provider says so.',
    providerText: 'ACCOUNT CLOSED',
  }),
  line(3, { status: 'skipped', currency: '', amount: '', reason: 'The amount is zero.' }),
  line(4, { status: 'on_hold', account: '***5678', reason: 'The provider holds the payout for a check.' }),
];

const printed = (lines: readonly ResultLine[], changes: Partial<BatchView> = {}): string =>
  summaryOf(batchView({ currencies: idr, ...changes }), lines, 24, '.local/demo/b-1');

describe('the summary of a batch', () => {
  it('with everyone paid says that nothing is to be done', () => {
    const summary = printed([line(1), line(2)]);
    expect(summary).toContain('Batch b-1: completed, in 24 seconds. All 2 payouts are paid.');
    expect(summary).toContain('What to do next\n\n- Nothing.');
    expect(summary).not.toMatch(/^(Not paid|On the way or waiting)$/m);
  });

  it('counts the payouts by outcome and currency', () => {
    const summary = printed(mixed);
    expect(summary).toContain('Of 4 payouts, 1 is paid, 2 are not paid, 1 is on the way or waiting.');
    expect(summary).toContain('IDR          1  1,250,000.50  4,000.00         1        1');
  });

  it.each([
    [
      'a failed payout, with the provider’s words',
      /^2 +pay-2 +A\. Example +1,250,000\.50 IDR +The provider says so\. ACCOUNT CLOSED$/m,
    ],
    ['a skipped row, which has no amount', /^3 +pay-3 +The amount is zero\.$/m],
    [
      'a payout on hold, by its account',
      /^4 +pay-4 +\*\*\*5678 +1,250,000\.50 IDR +The provider holds the payout for a check\.$/m,
    ],
  ])('lists %s', (_name, expected) => {
    expect(printed(mixed)).toMatch(expected);
  });

  it('ends with what to do next', () => {
    const summary = printed(mixed, {
      status: 'partially_completed',
      files: ['results.csv', 'retry.xlsx'],
      attention: [{ code: 'payouts_on_hold', message: 'Ask the provider.', requests: [] }],
    });
    expect(summary).toMatch(/- Ask the provider\.\n- retry\.xlsx has the failed rows/);
  });

  it.each([
    ['one row', [line(1)], 'The one payout is paid.'],
    ['thousands', Array.from({ length: 1200 }, (_, index) => line(index + 1)), 'All 1,200 payouts are paid.'],
  ])('of %s is in plain words', (_name, lines, expected) => {
    expect(printed(lines)).toContain(expected);
  });

  it('shows the first twenty of many, and counts the rest', () => {
    const failed = Array.from({ length: 1023 }, (_, index) => line(index + 1, { status: 'failed' }));
    const summary = printed(failed, { status: 'failed' });
    expect(summary.match(/^\d+ +pay-/gm)).toHaveLength(20);
    expect(summary).toContain('and 1,003 more, in results.csv');
  });

  it('cannot steer the terminal by texts of a file or provider', () => {
    expect(printed([line(1, { status: 'failed', name: '\u001b[31mred', reason: 'no\u202e' })])).toMatch(
      /\?\[31mred .* no\?/,
    );
  });
});

it('the cost on AWS is one line, and a table of its items', () => {
  const { line: inOne, whole } = costReport(batchView(), [
    { what: 'state transitions', count: '1200', usd: '0.03000000' },
    { what: 'S3 writes', count: '2', usd: '0.00001000' },
  ]);
  expect(inOne).toBe('AWS cost by the price list: 0.0300 USD, 15.0050 USD per 1,000 payouts.');
  expect(whole).toMatch(/state transitions +1,200 +0\.030000\n/);
});
