import { amountsOf, isInDoubt, isMade, isSamePair, pairOf } from '../money/conversion.ts';
import { mostTaken } from '../money/funding.ts';
import { Money } from '../money/money.ts';
import type { MoneyByCurrency } from '../money/money-by-currency.ts';
import { sumByCurrency } from '../money/money-by-currency.ts';
import type { OrchestratorSettings } from '../settings.ts';
import type { Batch, Conversion, PlannedConversion, ReleasedConversion } from './batch.ts';
import type { PlanSummary } from './plan.ts';

/** Amounts that a batch pays, by currency, without fees. */
export const paidBy = ({ currencies }: Pick<PlanSummary, 'currencies'>): MoneyByCurrency =>
  sumByCurrency(currencies.map(({ amount }) => amount));

const toRelease = ({ input, output }: Pick<PlannedConversion, 'input' | 'output'>): ReleasedConversion => ({
  input,
  outputCurrency: output.currency,
});

/** Amounts that the batch's conversions have taken, or may have taken. */
export const takenBy = (conversions: readonly Conversion[]): readonly ReleasedConversion[] =>
  conversions.filter((one) => isMade(one) || isInDoubt(one)).map((one) => toRelease(amountsOf(one)));

/** Returns the conversions to release with a plan: the planned ones, and those the batch has made. */
export const conversionsToRelease = (
  planned: readonly PlannedConversion[],
  conversionsSoFar: readonly Conversion[],
): readonly ReleasedConversion[] => [...takenBy(conversionsSoFar), ...planned.map(toRelease)];

/**
 * True when the batch's release covers the conversions it plans now. For each pair, the next one must not exceed what is left of
 * the released amounts, plus the allowed slippage. Slippage is allowed for what is left only: what was taken is known.
 */
export const isReleased = (
  { release, funding }: Pick<Batch, 'release' | 'funding'>,
  conversionsSoFar: readonly Conversion[],
  { maxSlippagePercent }: Pick<OrchestratorSettings, 'maxSlippagePercent'>,
): boolean =>
  release !== undefined &&
  (funding?.conversions ?? []).every((next) => {
    const isOfPair = ({ input, outputCurrency }: ReleasedConversion): boolean =>
      isSamePair({ inputCurrency: input.currency, outputCurrency }, pairOf(next));
    const sumOf = (all: readonly ReleasedConversion[]): Money => {
      const amounts = all.filter(isOfPair).map(({ input }) => input);
      return Money.sum(next.input.currency, amounts);
    };
    const left = sumOf(release.conversions).minusDownToZero(sumOf(takenBy(conversionsSoFar)));
    return mostTaken({ input: left }, maxSlippagePercent).isAtLeast(next.input);
  });

/** By time zone, because making a format takes much longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

const formatIn = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, format);
  return format;
};

/** Returns the date in a time zone, YYYY-MM-DD. */
export const dayIn = (timeZone: string, nowMs: number): string => {
  const parts = new Map<string, string>(
    formatIn(timeZone)
      .formatToParts(nowMs)
      .map(({ type, value }) => [type, value]),
  );
  return ['year', 'month', 'day'].map((part) => parts.get(part)).join('-');
};
