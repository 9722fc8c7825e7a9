import type { Quote, WantedQuote } from '../../ports/provider.ts';
import type { Batch, CurrencyFunding, FeeEstimate, FundingPlan, PlannedConversion } from '../batch/batch.ts';
import type { CurrencyPlan } from '../batch/plan.ts';
import type { Progress } from '../batch/progress.ts';
import { payoutStatusesThat } from '../payout/payout-status.ts';
import type { OrchestratorSettings } from '../settings.ts';
import { decimalsOf, railOf } from './currency.ts';
import { compareDecimals, lessPercent } from './decimal.ts';
import type { MoneyByCurrency } from './money.ts';
import { Money, moneyIn } from './money.ts';
import type { Tally } from './tally.ts';
import { sumTallies } from './tally.ts';

/** What a batch needs, and what there is. */
export interface FundingSituation {
  readonly required: MoneyByCurrency;
  readonly balances: MoneyByCurrency;
  /** What other batches hold, at most, and what their conversions are expected to bring: none of it is this one's. */
  readonly reservedByOthers: MoneyByCurrency;
  /** How much of that may be gone from the balance already, or not have come to it yet; see functions/steps/CONVERSIONS.md. */
  readonly inDoubt: MoneyByCurrency;
}

export interface MissingFunds extends Pick<CurrencyFunding, 'shortfall'> {
  /** `not_convertible`: only fiat can be converted to. `no_source`: no quote, or no token with enough left. */
  readonly cause: 'not_convertible' | 'no_source';
}

export type FundingDecision =
  | {
      /** `funded`: everything is there. `convert`: it will be, after plan.conversions. */
      readonly kind: 'funded' | 'convert';
      readonly plan: FundingPlan;
      /** What to set aside: of what there is only, since money that is yet to be converted is nobody's. */
      readonly reservations: MoneyByCurrency;
    }
  /** Nothing is set aside: money is not held for a batch that cannot run. */
  | { readonly kind: 'wait'; readonly plan: FundingPlan; readonly missing: readonly MissingFunds[] }
  /** What is missing is known once others know what became of their calls and conversions. */
  | { readonly kind: 'unclear'; readonly plan: FundingPlan };

/**
 * Every currency that a batch may have set money aside in. The tokens that conversions are made from are always among them:
 * of two runs of PlanFunding at once one can set a token aside that the plan of the other, which stands in the end, does
 * not name.
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

/** Of any currency in the table: see currency.ts. */
const mostDecimals = 18;

type Planned = Pick<Tally, 'count' | 'amount'>;

/** Times the estimate. A choice, far from fees that are merely dear, and from the 2,500 times that a provider was seen to tell. */
const timesNobodyCharges = 10;

/**
 * What spent payouts free of a reservation: their amounts, and of the fees that were set aside what they were charged. Fees
 * are flat, a percentage, or both: so these payouts' share of them is by count, by amount, or between the two. Charged more, they
 * free the larger share, and no money of others. Of a fee that nobody charges nothing is known: they free the smaller share.
 * What was not charged is free once the last payout is answered.
 */
const freedBy = (spent: Tally, reserved: Money, planned: Planned): Money => {
  if (spent.count === planned.count) return reserved;
  const fees = reserved.minusDownToZero(planned.amount);
  const decimals = decimalsOf(reserved.currency) ?? mostDecimals;
  const byCount = fees.shareRoundedDown({ part: spent.count, whole: planned.count }, decimals);
  const byAmount = fees.shareRoundedDown({ part: spent.amount, whole: planned.amount }, decimals);
  const most = byCount.largerOf(byAmount);
  const isLikely = most.times(timesNobodyCharges).isAtLeast(spent.fee);
  return spent.amount.plus(isLikely ? spent.fee.smallerOf(most) : byCount.smallerOf(byAmount));
};

/** What a reservation holds of a balance: between these two, as calls that were not answered yet may have taken theirs. */
export interface HeldBalance {
  readonly most: Money;
  readonly least: Money;
}

/**
 * What a batch still holds of a balance that was read between the two readings of its progress. What had been spent before
 * is gone from the balance. What is neither spent nor in doubt after was never posted, so it is in the balance.
 *
 * @param planned the batch's payouts of the currency; undefined: it converts from it
 */
export const heldBalance = (
  reserved: Money,
  planned: Planned | undefined,
  [before, after]: readonly [Pick<Progress, 'currencies'>, Pick<Progress, 'currencies'>],
): HeldBalance => {
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

/** What this batch may use of a balance: never below 0, also when more is reserved than there is. */
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

const isUnclear =
  ({ inDoubt }: FundingSituation) =>
  (currency: string): boolean =>
    moneyIn(inDoubt, currency).isPositive();

/** Need and shortfall of each currency of the batch, before any conversion. */
export const shortfalls = (situation: FundingSituation): readonly CurrencyFunding[] =>
  [...situation.required.values()].map((required) => fundingOf(situation, required));

/** Each short fiat currency from each token of `sources`, for exactly what is missing. Tokens convert to fiat only. */
export const quotesToAsk = (situation: FundingSituation, sources: readonly string[]): readonly WantedQuote[] =>
  shortfalls(situation)
    .filter(({ currency, shortfall }) => shortfall.isPositive() && railOf(currency) === 'fiat')
    .flatMap(({ shortfall }) => sources.map((inputCurrency) => ({ inputCurrency, output: shortfall })));

/**
 * The most that a conversion may take from its source: the rate at conversion may be worse than the planned one by the
 * slippage that is allowed, and what it then takes more must not be money that somebody else set aside.
 */
export const mostTaken = ({ input }: Pick<PlannedConversion, 'input'>, maxSlippagePercent: string): Money =>
  input.grossedUpRoundedUp(maxSlippagePercent, decimalsOf(input.currency) ?? mostDecimals);

/**
 * Decides how a batch is funded. Each short fiat currency, in the order of the plan, is covered by one conversion: from
 * the first source whose quote brings at least what is missing and takes no more than the source has left after what
 * others reserved, what the batch pays out in it, and the conversions chosen before.
 *
 * @param maxSlippagePercent how much worse than planned the rate of a conversion may be
 */
export const planFunding = (
  situation: FundingSituation,
  quotes: readonly Quote[],
  sources: readonly string[],
  made: Omit<FundingPlan, 'currencies' | 'conversions'>,
  maxSlippagePercent: string,
): FundingDecision => {
  const needs = new Map(situation.required);
  const conversions: PlannedConversion[] = [];
  const missing: MissingFunds[] = [];

  /** What the batch needs of a conversion's source once the conversion is planned. */
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
    const isConvertible = railOf(currency) === 'fiat';
    const quote = isConvertible ? affordable(shortfall) : undefined;
    if (quote === undefined) {
      missing.push({ shortfall, cause: isConvertible ? 'no_source' : 'not_convertible' });
      continue;
    }
    const { quoteId: _quoteId, ...planned } = quote;
    conversions.push(planned);
    needs.set(quote.input.currency, neededWith(quote));
  }

  const currencies = [...needs.values()].map((required) => fundingOf(situation, required));
  const plan: FundingPlan = { currencies, conversions, ...made };
  const mayHaveSource = missing.some(({ cause }) => cause === 'no_source') && sources.some(isUnclear(situation));
  if (mayHaveSource || currencies.some(({ unclear }) => unclear.isPositive())) return { kind: 'unclear', plan };
  if (missing.length > 0) return { kind: 'wait', plan, missing };
  return { kind: conversions.length === 0 ? 'funded' : 'convert', plan, reservations: reservationsOf(plan) };
};

/** Whether a plan covers all that is short, now or by its conversions, and that is clear. One that does not is a reason to wait. */
export const coversShortfalls = ({ currencies, conversions }: FundingPlan): boolean =>
  currencies.every(
    ({ currency, shortfall, unclear }) =>
      !unclear.isPositive() &&
      (!shortfall.isPositive() || conversions.some(({ output }) => output.currency === currency)),
  );

/**
 * What is set aside for a plan: of what there is only. Setting aside more would make others short of it, who would
 * convert for it as well.
 */
export const reservationsOf = ({ currencies }: Pick<FundingPlan, 'currencies'>): MoneyByCurrency =>
  new Map(
    currencies
      .map(({ currency, required, shortfall }) => [currency, required.minus(shortfall)] as const)
      .filter(([, amount]) => amount.isPositive()),
  );

/**
 * Whether a batch is surely still short of a currency by as much as it was when it was planned. Others may have brought some of
 * it, or given it back, since then. Held against the shortfall, not against what the conversion brings: a quote may bring
 * more than was asked for.
 */
export const isStillShort = (situation: FundingSituation, plan: FundingPlan, currency: string): boolean => {
  const now = shortfalls(situation).find((one) => one.currency === currency);
  const sure = now === undefined ? Money.zero(currency) : now.shortfall.minus(now.unclear);
  return sure.isAtLeast(shortfallOf(plan, currency));
};

/** What a plan found missing of a currency. */
export const shortfallOf = ({ currencies }: FundingPlan, currency: string): Money =>
  currencies.find((one) => one.currency === currency)?.shortfall ?? Money.zero(currency);

/** Whether a quote takes more than the plan has set aside for the conversion. */
export const exceedsPlan = (
  planned: PlannedConversion,
  { input }: Pick<Quote, 'input'>,
  maxSlippagePercent: string,
): boolean => input.isMoreThan(mostTaken(planned, maxSlippagePercent));

/** Whether a rate (output per input) is better than the planned one, or worse by no more than the percentage. */
export const rateWithinSlippage = (plannedRate: string, quotedRate: string, maxSlippagePercent: string): boolean =>
  compareDecimals(quotedRate, lessPercent(plannedRate, maxSlippagePercent)) >= 0;
