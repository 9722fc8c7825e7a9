import { describe, expect, it } from 'vitest';
import type { Conversion, PlannedConversion } from '../../../../functions/domain/batch/batch.ts';
import { conversionsToRelease, dayIn, isReleased } from '../../../../functions/domain/batch/release.ts';
import { Money } from '../../../../functions/domain/money/money.ts';
import { thb, usdt } from '../../../support/money.ts';

const planned = (inputAmount: string, inputCurrency = 'usdt-tron', outputCurrency = 'THB'): PlannedConversion => ({
  input: Money.of(inputAmount, inputCurrency),
  output: Money.of('1', outputCurrency),
  fee: Money.zero(outputCurrency),
  rate: '1',
});
const made = (inputAmount: string, status: Conversion['status']): Conversion => ({
  batchId: 'b-1',
  n: 1,
  status,
  planned: planned(inputAmount),
  quoteId: 'q',
  inputBalanceBefore: usdt('0'),
  outputBalanceBefore: thb('0'),
  claimId: 'c',
  claimedAt: 't',
});
const settings = { maxSlippagePercent: '1' };
const release = { hash: 'h', at: 't', day: 'd', conversions: [{ input: usdt('99'), outputCurrency: 'THB' }] };
const fundingOf = (...conversions: readonly PlannedConversion[]) => ({
  currencies: [],
  conversions,
  conversionsBefore: 0,
  plannedAt: 't',
});

describe('a release', () => {
  it.each<[string, readonly PlannedConversion[], readonly Conversion[], boolean]>([
    ['the conversion that it was shown', [planned('99')], [], true],
    ['as much more as slippage is allowed', [planned('100')], [], true],
    ['nothing more to convert', [], [made('99', 'completed')], true],
    ['the input of a refused conversion', [planned('99')], [made('99', 'rejected')], true],
    ['a conversion that a person settled as not happened', [planned('99')], [made('99', 'not_made')], true],
    ['no more than that', [planned('100.01')], [], false],
    ['no other token', [planned('1', 'usdc-polygon')], [], false],
    ['nothing to another currency', [planned('1', 'usdt-tron', 'IDR')], [], false],
    ['not the same conversion again', [planned('99')], [made('99', 'completed')], false],
    ['no second conversion for one that may have happened', [planned('99')], [made('99', 'unknown')], false],
  ])('covers %s', (_, conversions, before, covers) => {
    expect(isReleased({ release, funding: fundingOf(...conversions) }, before, settings)).toBe(covers);
  });

  it('of one more conversion names those that were made, or may have been', () => {
    const next = planned('50');
    const before = [made('99', 'completed'), made('10', 'unknown'), made('7', 'rejected')];
    const conversions = conversionsToRelease([next], before);
    expect(conversions.map(({ input }) => input.amount)).toEqual(['99', '10', '50']);
    const covers = (input: string) =>
      isReleased({ release: { ...release, conversions }, funding: fundingOf(planned(input)) }, before, settings);
    // 1 percent more than 50, and nothing for what was taken.
    expect(['50', '50.5', '51'].map(covers)).toEqual([true, true, false]);
  });

  it('is needed even without a conversion', () => {
    expect(isReleased({ funding: fundingOf() }, [], settings)).toBe(false);
  });
});

it.each([
  ['UTC', '2026-11-21'],
  ['Asia/Jakarta', '2026-11-22'],
  ['America/New_York', '2026-11-21'],
])('a day is that of the time zone %s', (timeZone, day) => {
  expect(dayIn(timeZone, Date.parse('2026-11-21T23:30:00Z'))).toBe(day);
});
