import type { Batch, Conversion, PlannedConversion, Release } from './batch.ts';
import { isSamePair } from './conversion.ts';
import { mostTaken } from './funding.ts';
import { addAmounts, compareAmounts } from './money.ts';
import type { PlanSummary } from './plan.ts';
import type { OrchestratorSettings } from './settings.ts';

/** What a batch pays, by currency and without fees: bank transfers and wallet transfers of one currency together. */
export const amountsOf = ({ currencies }: Pick<PlanSummary, 'currencies'>): ReadonlyMap<string, string> => {
  const sums = new Map<string, string>();
  for (const { currency, amount } of currencies) sums.set(currency, addAmounts(sums.get(currency) ?? '0', amount));
  return sums;
};

/** Conversions that took nothing. */
const neverMade: readonly Conversion['status'][] = ['rejected', 'not_sent', 'not_made'];

type Taken = Release['conversions'][number];

/** What the conversions of a batch have taken so far, or may have. */
const takenBy = (made: readonly Conversion[]): readonly Taken[] =>
  made
    .filter(({ status }) => !neverMade.includes(status))
    .map(({ planned, inputAmount = planned.inputAmount }) => ({ ...pairOf(planned), inputAmount }));

const pairOf = ({ inputCurrency, outputCurrency }: Taken) => ({ inputCurrency, outputCurrency });

/** What is released with a plan: what it converts, beside what the batch has converted. */
export const conversionsToRelease = (
  planned: readonly PlannedConversion[],
  made: readonly Conversion[],
): readonly Taken[] => [...takenBy(made), ...planned.map((one) => ({ ...pairOf(one), inputAmount: one.inputAmount }))];

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
    const ofPair = (all: readonly Taken[]): readonly Taken[] => all.filter((one) => isSamePair(one, next));
    const taken = ofPair(takenBy(made)).map(({ inputAmount }) => inputAmount);
    const released = ofPair(release.conversions).map((one) => mostTaken(one, maxSlippagePercent));
    return compareAmounts(addAmounts(...taken, next.inputAmount), addAmounts(...released)) <= 0;
  });

/** The day of a time zone, YYYY-MM-DD. */
export const dayIn = (timeZone: string, nowMs: number): string => {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const told = new Map<string, string>(parts.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  return ['year', 'month', 'day'].map((part) => told.get(part)).join('-');
};
