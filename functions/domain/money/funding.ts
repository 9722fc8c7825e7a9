import type { Quote, WantedQuote } from '../../ports/provider.ts';
import type { Batch, CurrencyFunding, FeeEstimate, FundingPlan, PlannedConversion } from '../batch/batch.ts';
import type { CurrencyPlan } from '../batch/plan.ts';
import type { Progress } from '../batch/progress.ts';
import { payoutStatusesThat } from '../payout/payout-status.ts';
import type { OrchestratorSettings } from '../settings.ts';
import { decimalsOf } from './currency.ts';
import { compareDecimals, lessPercent } from './decimal.ts';
import { Money } from './money.ts';
import type { MoneyByCurrency } from './money-by-currency.ts';
import { moneyIn } from './money-by-currency.ts';
import type { Tally } from './tally.ts';
import { sumTallies } from './tally.ts';

/** The needs of a batch, and the money available. */
export interface FundingSituation {
  readonly required: MoneyByCurrency;
  readonly balances: MoneyByCurrency;
  /** The most that other batches hold, plus what their conversions are expected to bring. This batch may use none of it. */
  readonly reservedByOthers: MoneyByCurrency;
  /**
   * How much of `reservedByOthers` may have left the balance already, or not have reached it yet. See
   * functions/steps/funding/CONVERSIONS.md.
   */
  readonly inDoubt: MoneyByCurrency;
}

export interface MissingFunds extends Pick<CurrencyFunding, 'shortfall'> {
  /** `not_convertible`: the provider converts no source into it. `no_source`: no quote, or no token with enough left. */
  readonly cause: 'not_convertible' | 'no_source';
}

/** What the provider answered to the requests for quotes. */
export interface QuotesGiven {
  readonly quotes: readonly Quote[];
  /** Short currencies into which the provider converts none of the sources. */
  readonly unconverted: readonly string[];
}

export type FundingDecision =
  | {
      /** `funded`: all money is there. `convert`: it will be, after plan.conversions. */
      readonly kind: 'funded' | 'convert';
      readonly plan: FundingPlan;
      /** Amounts to reserve. They cover only money that exists: nobody can reserve money that is yet to be converted. */
      readonly reservations: MoneyByCurrency;
    }
  /** Nothing is reserved, because money is not held for a batch that cannot run. */
  | { readonly kind: 'wait'; readonly plan: FundingPlan; readonly missing: readonly MissingFunds[] }
  /** The shortfall is known only after other batches learn the outcome of their calls and conversions. */
  | { readonly kind: 'unclear'; readonly plan: FundingPlan };

/**
 * Returns every currency in which a batch may have reserved money. The conversion sources are always included: a concurrent run
 * of PlanFunding may have reserved a token that the surviving plan omits.
 */
export const currenciesOf = (
  { plan, funding }: Pick<Batch, 'plan' | 'funding'>,
  { conversionSources }: Pick<OrchestratorSettings, 'conversionSources'>,
): readonly string[] => {
  const known = [...(plan?.currencies ?? []), ...(funding?.currencies ?? [])];
  return [...new Set([...conversionSources, ...known.map(({ currency }) => currency)])];
};

/** Amounts plus fees by currency. */
export const requiredFunds = (currencies: readonly CurrencyPlan[], fees: readonly FeeEstimate[]): MoneyByCurrency => {
  const feeByCurrency = new Map(fees.map(({ fee }) => [fee.currency, fee]));
  return new Map(
    currencies.map(({ currency, amount, fee }) => [currency, amount.plus(feeByCurrency.get(currency) ?? fee)]),
  );
};

const sumOf = ({ currencies }: Pick<Progress, 'currencies'>, currency: string, what: 'isSpent' | 'isInDoubt'): Tally =>
  sumTallies(
    currency,
    currencies
      .filter((sum) => sum.currency === currency)
      .flatMap(({ tallies }) => payoutStatusesThat(what).flatMap((status) => tallies[status] ?? [])),
  );

/** More decimals than any currency in the table has. See currency.ts. */
const mostDecimals = 18;

type Planned = Pick<Tally, 'count' | 'amount'>;

/**
 * A fee more than this many times the expected fee is taken for an error. The number is a choice: real fees are far below it, and
 * the wrong fee that a provider once reported was 2,500 times the estimate.
 */
const implausibleTimes = 10;

/**
 * Computes how much of a reservation spent payouts have freed: their amounts, and their part of the reserved fees.
 *
 * Fees are flat, a percentage, or both, so their part is the share by count, the share by amount, or something between. They free
 * the fees charged, at most the larger share, and so never money of other batches. An implausible fee proves nothing, so then
 * they free only the smaller share. Reserved fees that were not charged become free after the last payout is answered.
 */
const freedBy = (spent: Tally, reserved: Money, planned: Planned): Money => {
  if (spent.count === planned.count) return reserved;
  const fees = reserved.minusDownToZero(planned.amount);
  const decimals = decimalsOf(reserved.currency) ?? mostDecimals;
  const byCount = fees.shareRoundedDown({ part: spent.count, whole: planned.count }, decimals);
  const byAmount = fees.shareRoundedDown({ part: spent.amount, whole: planned.amount }, decimals);
  const most = byCount.largerOf(byAmount);
  const isLikely = most.times(implausibleTimes).isAtLeast(spent.fee);
  return spent.amount.plus(isLikely ? spent.fee.smallerOf(most) : byCount.smallerOf(byAmount));
};

/**
 * Computes how much of a balance a batch still holds, at most and at least: calls without a response may have taken their money
 * already. The balance was read between two readings of the batch's progress. Money spent before the first reading has left the
 * balance. Payouts neither spent nor in doubt at the second reading were never posted, so their money is in the balance.
 *
 * @param planned the batch's payouts in the currency. Undefined when the batch only converts from it.
 */
export const heldBalance = (
  reserved: Money,
  planned: Planned | undefined,
  [before, after]: readonly [Pick<Progress, 'currencies'>, Pick<Progress, 'currencies'>],
) => {
  const { currency } = reserved;
  const unspent = (spent: Tally): Money =>
    planned === undefined ? reserved : reserved.minusDownToZero(freedBy(spent, reserved, planned));
  const spent = sumOf(after, currency, 'isSpent');
  const doubt = sumOf(after, currency, 'isInDoubt');
  return {
    most: unspent(sumOf(before, currency, 'isSpent')),
    least:
      doubt.count === 0 || planned === undefined
        ? unspent(spent)
        : planned.amount.minusDownToZero(spent.amount.plus(doubt.amount)),
  };
};

/** Computes how much of a balance this batch may use. Never below 0, even when more is reserved than the balance. */
const available = ({ balances, reservedByOthers, inDoubt }: FundingSituation, currency: string) => {
  const [balance, reserved] = [moneyIn(balances, currency), moneyIn(reservedByOthers, currency)];
  return {
    least: balance.minusDownToZero(reserved),
    most: balance.minusDownToZero(reserved.minusDownToZero(moneyIn(inDoubt, currency))),
  };
};

const fundingOf = (situation: FundingSituation, required: Money): CurrencyFunding => {
  const { currency } = required;
  const { least, most } = available(situation, currency);
  const shortfall = required.minusDownToZero(least);
  return {
    currency,
    required,
    balance: moneyIn(situation.balances, currency),
    reservedByOthers: moneyIn(situation.reservedByOthers, currency),
    shortfall,
    unclear: shortfall.minus(required.minusDownToZero(most)),
  };
};

/** Returns need and shortfall of each currency of the batch, before any conversion. */
export const shortfalls = (situation: FundingSituation): readonly CurrencyFunding[] =>
  [...situation.required.values()].map((required) => fundingOf(situation, required));

/** Returns the quotes to request: from each token of `sources` to each short currency, for exactly the shortfall. */
export const quotesToAsk = (situation: FundingSituation, sources: readonly string[]): readonly WantedQuote[] =>
  shortfalls(situation)
    .filter(({ shortfall }) => shortfall.isPositive())
    .flatMap(({ shortfall }) => sources.map((inputCurrency) => ({ inputCurrency, output: shortfall })));

/**
 * Returns the most that a conversion may take from its source. The rate at conversion may be worse than the planned one by the
 * allowed slippage. The extra cost must not come from money that other batches reserved.
 */
export const mostTaken = ({ input }: Pick<PlannedConversion, 'input'>, maxSlippagePercent: string): Money =>
  input.grossedUpRoundedUp(maxSlippagePercent, decimalsOf(input.currency) ?? mostDecimals);

/**
 * Decides how a batch is funded. One conversion covers each short currency, in the order of the plan. It uses the first
 * source whose quote brings at least the shortfall and is affordable. The source must have enough left after what others
 * reserved, the batch's own payouts in it, and the conversions chosen before.
 *
 * @param basis when the plan was made, and what was known then
 * @param maxSlippagePercent how many percent the rate of a conversion may be worse than planned
 */
export const planFunding = (
  situation: FundingSituation,
  { quotes, unconverted }: QuotesGiven,
  sources: readonly string[],
  basis: Omit<FundingPlan, 'currencies' | 'conversions'>,
  maxSlippagePercent: string,
): FundingDecision => {
  const needs = new Map(situation.required);
  const conversions: PlannedConversion[] = [];
  const missing: MissingFunds[] = [];

  /** The batch's total need of a conversion's source, this conversion included. */
  const neededWith = (quote: Quote): Money =>
    moneyIn(needs, quote.input.currency).plus(mostTaken(quote, maxSlippagePercent));

  const affordable = (shortfall: Money): Quote | undefined =>
    sources
      .flatMap((source) =>
        quotes.filter(({ input, output }) => input.currency === source && output.currency === shortfall.currency),
      )
      .filter(({ output }) => output.isAtLeast(shortfall))
      .find((quote) => available(situation, quote.input.currency).least.isAtLeast(neededWith(quote)));

  for (const { currency, shortfall } of shortfalls(situation)) {
    if (!shortfall.isPositive()) continue;
    const quote = affordable(shortfall);
    if (quote === undefined) {
      missing.push({ shortfall, cause: unconverted.includes(currency) ? 'not_convertible' : 'no_source' });
      continue;
    }
    const { quoteId: _quoteId, ...planned } = quote;
    conversions.push(planned);
    needs.set(quote.input.currency, neededWith(quote));
  }

  const currencies = [...needs.values()].map((required) => fundingOf(situation, required));
  const plan: FundingPlan = { currencies, conversions, ...basis };
  const lacksSource = missing.some(({ cause }) => cause === 'no_source');
  const mayHaveSource = sources.some((source) => moneyIn(situation.inDoubt, source).isPositive());
  if ((lacksSource && mayHaveSource) || currencies.some(({ unclear }) => unclear.isPositive()))
    return { kind: 'unclear', plan };
  if (missing.length > 0) return { kind: 'wait', plan, missing };
  return { kind: conversions.length === 0 ? 'funded' : 'convert', plan, reservations: reservationsOf(plan) };
};

/** True when the plan covers every shortfall, now or by its conversions, and nothing is unclear. Otherwise the batch waits. */
export const coversShortfalls = ({ currencies, conversions }: FundingPlan): boolean =>
  currencies.every(
    ({ currency, shortfall, unclear }) =>
      !unclear.isPositive() &&
      (!shortfall.isPositive() || conversions.some(({ output }) => output.currency === currency)),
  );

/**
 * Returns the amounts to reserve for a plan, out of existing money only. Reserving more would make other batches short, and they
 * would convert for the same shortfall.
 */
export const reservationsOf = ({ currencies }: Pick<FundingPlan, 'currencies'>): MoneyByCurrency =>
  new Map(
    currencies
      .map(({ currency, required, shortfall }) => [currency, required.minus(shortfall)] as const)
      .filter(([, amount]) => amount.isPositive()),
  );

/**
 * True when a batch is certainly still short of a currency by at least its planned shortfall. Other batches may have brought or
 * returned money since the plan. The comparison is with the shortfall, not with the conversion's output: a quote may bring more
 * than requested.
 */
export const isStillShort = (situation: FundingSituation, plan: FundingPlan, currency: string): boolean => {
  const now = shortfalls(situation).find((one) => one.currency === currency);
  const sure = now === undefined ? Money.zero(currency) : now.shortfall.minus(now.unclear);
  return sure.isAtLeast(shortfallOf(plan, currency));
};

/** Returns the shortfall of a currency that a plan found. */
export const shortfallOf = ({ currencies }: FundingPlan, currency: string): Money =>
  currencies.find((one) => one.currency === currency)?.shortfall ?? Money.zero(currency);

/** True when a quote takes more than the plan reserved for the conversion. */
export const exceedsPlan = (
  planned: PlannedConversion,
  { input }: Pick<Quote, 'input'>,
  maxSlippagePercent: string,
): boolean => input.isMoreThan(mostTaken(planned, maxSlippagePercent));

/** True when a rate (output per input) is better than the planned one, or worse by at most the percentage. */
export const rateWithinSlippage = (plannedRate: string, quotedRate: string, maxSlippagePercent: string): boolean =>
  compareDecimals(quotedRate, lessPercent(plannedRate, maxSlippagePercent)) >= 0;
