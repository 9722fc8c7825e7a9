import type { Quote, WantedQuote } from '../ports/provider.ts';
import type { Batch, CurrencyFunding, FeeEstimate, FundingPlan, PlannedConversion } from './batch.ts';
import type { Tally } from './chunk.ts';
import { decimalsOf, railOf } from './currency.ts';
import {
  addAmounts,
  compareAmounts,
  grossUp,
  isPositive,
  largerOf,
  multiplyAmount,
  percentOf,
  shareRoundedDown,
  smallerOf,
  subtractAmounts,
  subtractDownToZero,
} from './money.ts';
import { payoutStatusesThat } from './payout-status.ts';
import type { CurrencyPlan } from './plan.ts';
import type { Progress } from './progress.ts';
import { addTally, noTally } from './progress.ts';
import type { OrchestratorSettings } from './settings.ts';

type ByCurrency = ReadonlyMap<string, string>;

/** What a batch needs, and what there is. Exact decimals by currency; a currency that is absent counts as 0. */
export interface FundingSituation {
  readonly required: ByCurrency;
  readonly balances: ByCurrency;
  /** What other batches hold, at most, and what their conversions are expected to bring: none of it is this one's. */
  readonly reservedByOthers: ByCurrency;
  /** How much of that may be gone from the balance already, or not have come to it yet; see functions/steps/CONVERSIONS.md. */
  readonly inDoubt: ByCurrency;
}

export interface MissingFunds extends Pick<CurrencyFunding, 'currency' | 'shortfall'> {
  /** `not_convertible`: only fiat can be converted to. `no_source`: no quote, or no token with enough left. */
  readonly cause: 'not_convertible' | 'no_source';
}

export type FundingDecision =
  | {
      /** `funded`: everything is there. `convert`: it will be, after plan.conversions. */
      readonly kind: 'funded' | 'convert';
      readonly plan: FundingPlan;
      /** What to set aside, by currency: of what there is only, since money that is yet to be converted is nobody's. */
      readonly reservations: ByCurrency;
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
export const requiredFunds = (currencies: readonly CurrencyPlan[], fees: readonly FeeEstimate[]): ByCurrency => {
  const feeByCurrency = new Map(fees.map(({ currency, fee }) => [currency, fee]));
  return new Map(
    currencies.map(({ currency, amount, fee }) => [currency, addAmounts(amount, feeByCurrency.get(currency) ?? fee)]),
  );
};

const sumOf = ({ currencies }: Pick<Progress, 'currencies'>, currency: string, what: 'isSpent' | 'isInDoubt'): Tally =>
  currencies
    .filter((sum) => sum.currency === currency)
    .flatMap(({ tallies }) => payoutStatusesThat(what).map((status) => tallies[status] ?? noTally))
    .reduce(addTally, noTally);

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
const freedBy = (spent: Tally, reserved: string, currency: string, planned: Planned): string => {
  if (spent.count === planned.count) return reserved;
  const fees = subtractDownToZero(reserved, planned.amount);
  const share = (part: string, whole: string): string =>
    shareRoundedDown(fees, part, whole, decimalsOf(currency) ?? mostDecimals);
  const shares = [share(`${spent.count}`, `${planned.count}`), share(spent.amount, planned.amount)] as const;
  const most = largerOf(...shares);
  const isLikely = compareAmounts(spent.fee, multiplyAmount(most, timesNobodyCharges)) <= 0;
  return addAmounts(spent.amount, isLikely ? smallerOf(spent.fee, most) : smallerOf(...shares));
};

/** What a reservation holds of a balance: between these two, as calls that were not answered yet may have taken theirs. */
export interface Held {
  readonly most: string;
  readonly least: string;
}

/**
 * What a batch still holds of a balance that was read between the two readings of its progress. What had been spent before
 * is gone from the balance. What is neither spent nor in doubt after was never posted, so it is in the balance.
 *
 * @param planned the batch's payouts of the currency; undefined: it converts from it
 */
export const heldOf = (
  reserved: string,
  currency: string,
  planned: Planned | undefined,
  [before, after]: readonly [Pick<Progress, 'currencies'>, Pick<Progress, 'currencies'>],
): Held => {
  const unspent = (spent: Tally): string =>
    planned === undefined ? reserved : subtractDownToZero(reserved, freedBy(spent, reserved, currency, planned));
  const spent = sumOf(after, currency, 'isSpent');
  const doubt = sumOf(after, currency, 'isInDoubt');
  return {
    most: unspent(sumOf(before, currency, 'isSpent')),
    least:
      doubt.count === 0 || planned === undefined
        ? unspent(spent)
        : subtractDownToZero(planned.amount, addAmounts(spent.amount, doubt.amount)),
  };
};

/** What this batch may use of a balance: never below 0, also when more is reserved than there is. */
const available = ({ balances, reservedByOthers, inDoubt }: FundingSituation, currency: string) => {
  const [balance, reserved] = [balances.get(currency) ?? '0', reservedByOthers.get(currency) ?? '0'];
  return {
    least: subtractDownToZero(balance, reserved),
    most: subtractDownToZero(balance, subtractDownToZero(reserved, inDoubt.get(currency) ?? '0')),
  };
};

const fundingOf = (situation: FundingSituation, currency: string, required: string): CurrencyFunding => {
  const { least, most } = available(situation, currency);
  const shortfall = subtractDownToZero(required, least);
  return {
    currency,
    required,
    balance: situation.balances.get(currency) ?? '0',
    reservedByOthers: situation.reservedByOthers.get(currency) ?? '0',
    shortfall,
    unclear: subtractAmounts(shortfall, subtractDownToZero(required, most)),
  };
};

const isUnclear =
  ({ inDoubt }: FundingSituation) =>
  (currency: string): boolean =>
    isPositive(inDoubt.get(currency) ?? '0');

/** Need and shortfall of each currency of the batch, before any conversion. */
export const shortfalls = (situation: FundingSituation): readonly CurrencyFunding[] =>
  [...situation.required].map(([currency, required]) => fundingOf(situation, currency, required));

/** Each short fiat currency from each token of `sources`, for exactly what is missing. Tokens convert to fiat only. */
export const quotesToAsk = (situation: FundingSituation, sources: readonly string[]): readonly WantedQuote[] =>
  shortfalls(situation)
    .filter(({ currency, shortfall }) => isPositive(shortfall) && railOf(currency) === 'fiat')
    .flatMap(({ currency, shortfall }) =>
      sources.map((inputCurrency) => ({ inputCurrency, outputCurrency: currency, outputAmount: shortfall })),
    );

/**
 * The most that a conversion may take from its source: the rate at conversion may be worse than the planned one by the
 * slippage that is allowed, and what it then takes more must not be money that somebody else set aside.
 */
export const mostTaken = (
  { inputCurrency, inputAmount }: Pick<PlannedConversion, 'inputCurrency' | 'inputAmount'>,
  maxSlippagePercent: string,
): string => grossUp(inputAmount, maxSlippagePercent, decimalsOf(inputCurrency) ?? mostDecimals);

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
  const neededWith = (quote: Quote): string =>
    addAmounts(needs.get(quote.inputCurrency) ?? '0', mostTaken(quote, maxSlippagePercent));

  const affordable = (currency: string, shortfall: string): Quote | undefined =>
    sources
      .flatMap((source) => quotes.filter((one) => one.inputCurrency === source && one.outputCurrency === currency))
      .filter(({ outputAmount }) => compareAmounts(outputAmount, shortfall) >= 0)
      .find((quote) => compareAmounts(neededWith(quote), available(situation, quote.inputCurrency).least) <= 0);

  for (const { currency, shortfall } of shortfalls(situation)) {
    if (!isPositive(shortfall)) continue;
    const isConvertible = railOf(currency) === 'fiat';
    const quote = isConvertible ? affordable(currency, shortfall) : undefined;
    if (quote === undefined) {
      missing.push({ currency, shortfall, cause: isConvertible ? 'no_source' : 'not_convertible' });
      continue;
    }
    const { quoteId: _quoteId, ...planned } = quote;
    conversions.push(planned);
    needs.set(quote.inputCurrency, neededWith(quote));
  }

  const currencies = [...needs].map(([currency, required]) => fundingOf(situation, currency, required));
  const plan: FundingPlan = { currencies, conversions, ...made };
  const mayHaveSource = missing.some(({ cause }) => cause === 'no_source') && sources.some(isUnclear(situation));
  if (mayHaveSource || currencies.some(({ unclear }) => isPositive(unclear))) return { kind: 'unclear', plan };
  if (missing.length > 0) return { kind: 'wait', plan, missing };
  return { kind: conversions.length === 0 ? 'funded' : 'convert', plan, reservations: reservationsOf(plan) };
};

/** Whether a plan covers all that is short, now or by its conversions, and that is clear. One that does not is a reason to wait. */
export const coversShortfalls = ({ currencies, conversions }: FundingPlan): boolean =>
  currencies.every(
    ({ currency, shortfall, unclear }) =>
      !isPositive(unclear) &&
      (!isPositive(shortfall) || conversions.some(({ outputCurrency }) => outputCurrency === currency)),
  );

/**
 * What is set aside for a plan, by currency: of what there is only. Setting aside more would make others short of it, who would
 * convert for it as well.
 */
export const reservationsOf = ({ currencies }: Pick<FundingPlan, 'currencies'>): ByCurrency =>
  new Map(
    currencies
      .map(({ currency, required, shortfall }) => [currency, subtractAmounts(required, shortfall)] as const)
      .filter(([, amount]) => isPositive(amount)),
  );

/**
 * Whether a batch is surely still short of a currency by as much as it was when it was planned. Others may have brought some of
 * it, or given it back, since then. Held against the shortfall, not against what the conversion brings: a quote may bring
 * more than was asked for.
 */
export const isStillShort = (situation: FundingSituation, plan: FundingPlan, currency: string): boolean => {
  const now = shortfalls(situation).find((one) => one.currency === currency);
  const sure = now === undefined ? '0' : subtractAmounts(now.shortfall, now.unclear);
  return compareAmounts(sure, shortfallOf(plan, currency)) >= 0;
};

/** What a plan found missing of a currency. */
export const shortfallOf = ({ currencies }: FundingPlan, currency: string): string =>
  currencies.find((one) => one.currency === currency)?.shortfall ?? '0';

/** Whether a quote takes more than the plan has set aside for the conversion. */
export const takesTooMuch = (
  planned: PlannedConversion,
  { inputAmount }: Pick<Quote, 'inputAmount'>,
  maxSlippagePercent: string,
): boolean => compareAmounts(inputAmount, mostTaken(planned, maxSlippagePercent)) > 0;

/** Whether a rate (output per input) is better than the planned one, or worse by no more than the percentage. */
export const rateWithinSlippage = (plannedRate: string, quotedRate: string, maxSlippagePercent: string): boolean =>
  compareAmounts(quotedRate, subtractAmounts(plannedRate, percentOf(plannedRate, maxSlippagePercent))) >= 0;
