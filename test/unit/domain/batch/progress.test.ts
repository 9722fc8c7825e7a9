import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChunkRecord } from '../../../../functions/domain/batch/chunk.ts';
import { overdueToSubmit, sumProgress } from '../../../../functions/domain/batch/progress.ts';
import { tallyOfText } from '../../../../functions/domain/money/money-records.ts';
import type { PayoutStatus } from '../../../../functions/domain/payout/payout-status.ts';
import { payoutStatuses } from '../../../../functions/domain/payout/payout-status.ts';
import { currencyPlan } from '../../../support/money.ts';
import { exampleBatch, exampleChunk, examplePlan } from '../../../support/scenes/example-batch.ts';

const tally = (count: number, amount = '1', fee = '0', currency = 'IDR') =>
  tallyOfText(currency, { count, amount, fee });
const chunk = (changes: Partial<ChunkRecord> = {}): ChunkRecord => exampleChunk('b-1', changes);
const at = (hour: number): string => new Date(Date.UTC(2026, 10, 21, hour)).toISOString();
const nowMs = Date.UTC(2026, 10, 22, 8);

describe('the sum of chunk records', () => {
  it('is by rail, currency and status, exact, with the times of waiting payouts', () => {
    const records = [
      chunk({
        tallies: { pending: tally(2, '0.1', '0.01'), completed: tally(1, '5', '1') },
        proofs: 1,
        registeredAt: at(1),
        waitingSince: { pending: at(9), ready: at(3) },
        contradictions: { recorded: 3, payouts: 2, since: at(7) },
        version: 4,
      }),
      chunk({
        chunk: 2,
        tallies: { pending: tally(1, '0.2', '0.02'), unknown: tally(1) },
        registeredAt: at(2),
        waitingSince: { pending: at(8) },
        contradictions: { recorded: 1, payouts: 1, since: at(6), withoutProof: 1 },
        version: 2,
      }),
      chunk({
        chunk: 3,
        rail: 'crypto',
        currency: 'usdt-tron',
        tallies: { completed: tally(9, '0.000001', '0', 'usdt-tron') },
      }),
    ];
    expect(sumProgress(records, nowMs)).toEqual({
      asOf: '2026-11-22T08:00:00.000Z',
      chunks: 3,
      payouts: 14,
      currencies: [
        {
          rail: 'fiat',
          currency: 'IDR',
          tallies: { pending: tally(3, '0.3', '0.03'), completed: tally(1, '5', '1'), unknown: tally(1) },
        },
        { rail: 'crypto', currency: 'usdt-tron', tallies: { completed: tally(9, '0.000001', '0', 'usdt-tron') } },
      ],
      proofs: { archived: 1, expected: 0 },
      waitingSince: { pending: at(8), ready: at(3) },
      notAtProviderSince: at(2),
      longPending: { count: 1, since: at(8) },
      contradictions: { recorded: 4, payouts: 3, since: at(6) },
      chunkVersions: 7,
    });
  });

  it('of none is nothing', () => {
    expect(sumProgress([], nowMs)).toMatchObject({
      chunks: 0,
      payouts: 0,
      currencies: [],
      waitingSince: {},
      longPending: { count: 0 },
    });
  });

  it('counts every payout and every minor unit once, however they are split into chunks', () => {
    const part = fc.record({
      rail: fc.constant('fiat' as const),
      currency: fc.constantFrom('IDR', 'PHP'),
      status: fc.constantFrom(...payoutStatuses),
      count: fc.nat(98),
      cents: fc.bigInt(0n, 10n ** 15n),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 50 }), (parts) => {
        const records = parts.map(({ rail, currency, status, count, cents }, index) =>
          chunk({ chunk: index + 1, rail, currency, tallies: { [status]: tally(count, `${cents}`, '0', currency) } }),
        );
        const { currencies, payouts } = sumProgress(records, nowMs);
        const tallies = currencies.flatMap((sum) => Object.values(sum.tallies));
        expect(payouts).toBe(parts.reduce((sum, { count }) => sum + count, 0));
        expect(tallies.reduce((sum, { amount }) => sum + BigInt(amount.amount), 0n)).toBe(
          parts.reduce((sum, { cents }) => sum + cents, 0n),
        );
      }),
    );
  });
});

describe('overdue rows of a batch', () => {
  const plan = examplePlan('b-1', 2, [
    currencyPlan({ rail: 'fiat', currency: 'IDR', count: 3, amount: '3', fee: '0', largestAmount: '1', methods: [] }),
  ]);
  const unsubmitted = (statusSince: string, records: readonly ChunkRecord[], settings = { readyTooLongMinutes: 1 }) =>
    overdueToSubmit(exampleBatch('b-1', { plan, statusSince }), sumProgress(records, nowMs), nowMs, settings);
  const rows = (status: PayoutStatus, lastChange = at(5)) =>
    chunk({
      tallies: { [status]: tally(1), pending: tally(2) },
      registeredAt: at(5),
      waitingSince: { [status]: lastChange },
    });
  const ready = rows('ready');

  it.each([
    ['ready after the batch may submit', at(4), at(5), [ready], 1],
    ['ready before the batch was resumed', at(6), at(6), [ready], 1],
    ['ready again after each of many calls', at(4), at(5), [rows('ready', new Date(nowMs).toISOString())], 1],
    ['being submitted, however often', at(4), at(5), [rows('submitting', new Date(nowMs).toISOString())], 1],
    ['in doubt after each of many calls', at(4), at(5), [rows('unknown', new Date(nowMs).toISOString())], 1],
    ['planned, and some ready', at(4), at(4), [chunk({ tallies: { ready: tally(1) }, registeredAt: at(5) })], 3],
    ['planned and no chunk registered', at(4), at(4), [], 3],
  ])('include rows that are %s', (_name, statusSince, since, records, count) => {
    expect(unsubmitted(statusSince, records)).toEqual({ count, since });
  });

  it('are none while it waits no longer than usual', () => {
    const minutes = 27 * 60;
    expect(unsubmitted(at(4), [ready], { readyTooLongMinutes: minutes })).toBeUndefined();
    expect(unsubmitted(at(4), [ready], { readyTooLongMinutes: minutes - 1 })).toEqual({ count: 1, since: at(5) });
  });

  it('are none once all are with the provider', () => {
    expect(unsubmitted(at(4), [chunk({ tallies: { pending: tally(1), failed: tally(2) } })])).toBeUndefined();
  });
});
