import { amountsOf, isSamePair, pairOf } from '../money/conversion.ts';
import { mostTaken } from '../money/funding.ts';
import type { MoneyByCurrency } from '../money/money.ts';
import { Money, sumByCurrency } from '../money/money.ts';
import type { OrchestratorSettings } from '../settings.ts';
import type { Batch, Conversion, PlannedConversion, ReleasedConversion } from './batch.ts';
import type { PlanSummary } from './plan.ts';

/** What a batch pays, without fees: bank transfers and wallet transfers of one currency together. */
export const paidBy = ({ currencies }: Pick<PlanSummary, 'currencies'>): MoneyByCurrency =>
  sumByCurrency(currencies.map(({ amount }) => amount));

/** Conversions that took nothing. */
const neverMade: readonly Conversion['status'][] = ['rejected', 'not_sent', 'not_made'];

const toRelease = ({ input, output }: Pick<PlannedConversion, 'input' | 'output'>): ReleasedConversion => ({
  input,
  outputCurrency: output.currency,
});

/** What the conversions of a batch have taken so far, or may have. */
const takenBy = (made: readonly Conversion[]): readonly ReleasedConversion[] =>
  made.filter(({ status }) => !neverMade.includes(status)).map((one) => toRelease(amountsOf(one)));

/** What is released with a plan: what it converts, beside what the batch has converted. */
export const conversionsToRelease = (
  planned: readonly PlannedConversion[],
  made: readonly Conversion[],
): readonly ReleasedConversion[] => [...takenBy(made), ...planned.map(toRelease)];

/**
 * Whether a batch is released with the conversions that it plans now. A release is for those it was shown: what they took, and
 * what the next one would take, is of each pair no more than was released, but for the slippage that is allowed.
 *
 * @param made the conversions of the batch so far
 */
export const isReleased = (
  { release, funding }: Pick<Batch, 'release' | 'funding'>,
  made: readonly Conversion[],
  { maxSlippagePercent }: Pick<OrchestratorSettings, 'maxSlippagePercent'>,
): boolean =>
  release !== undefined &&
  (funding?.conversions ?? []).every((next) => {
    const { currency } = next.input;
    const ofPair = (all: readonly ReleasedConversion[]): readonly ReleasedConversion[] =>
      all.filter(({ input, outputCurrency }) =>
        isSamePair({ inputCurrency: input.currency, outputCurrency }, pairOf(next)),
      );
    const taken = ofPair(takenBy(made)).map(({ input }) => input);
    const released = ofPair(release.conversions).map((one) => mostTaken(one, maxSlippagePercent));
    return Money.sum(currency, released).isAtLeast(Money.sum(currency, [...taken, next.input]));
  });

/** The day of a time zone, YYYY-MM-DD. */
export const dayIn = (timeZone: string, nowMs: number): string => {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const told = new Map<string, string>(parts.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  return ['year', 'month', 'day'].map((part) => told.get(part)).join('-');
};
