import type { Quote, WantedQuote } from '../ports/provider.ts';
import type { Batch, CurrencyFunding, CurrencyPlan, FeeEstimate, FundingPlan, PlannedConversion } from './batch.ts';
import { decimalsOf, railOf } from './currency.ts';
import {
  addAmounts,
  compareAmounts,
  grossUp,
  isPositive,
  percentOf,
  subtractAmounts,
  subtractDownToZero,
} from './money.ts';
import { payoutStatusesThat } from './payout-status.ts';
import type { Progress } from './progress.ts';
import type { OrchestratorSettings } from './settings.ts';

type ByCurrency = ReadonlyMap<string, string>;

/** What a batch needs, and what there is. Exact decimals by currency; a currency that is absent counts as 0. */
export interface FundingSituation {
  readonly required: ByCurrency;
  readonly balances: ByCurrency;
  /** What running batches other than this one have set aside and not spent yet: see outstandingReservation. */
  readonly reservedByOthers: ByCurrency;
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
  | { readonly kind: 'wait'; readonly plan: FundingPlan; readonly missing: readonly MissingFunds[] };

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

/**
 * What of a batch's reservation is still to be spent: the reservation less amount and fee of every payout whose money
 * has left the balance or will not leave it. Payouts not submitted yet or in doubt keep theirs. Never below 0.
 */
export const outstandingReservation = (
  reserved: string,
  { currencies }: Pick<Progress, 'currencies'>,
  currency: string,
): string => {
  const spent = currencies
    .filter((sum) => sum.currency === currency)
    .flatMap(({ tallies }) => payoutStatusesThat('isSpent').map((status) => tallies[status]))
    .flatMap((tally) => (tally === undefined ? [] : [tally.amount, tally.fee]));
  return subtractDownToZero(reserved, addAmounts(...spent));
};

/** What this batch may use of a balance: never below 0, also when more is reserved than there is. */
const available = (situation: FundingSituation, currency: string): string =>
  subtractDownToZero(situation.balances.get(currency) ?? '0', situation.reservedByOthers.get(currency) ?? '0');

const fundingOf = (situation: FundingSituation, currency: string, required: string): CurrencyFunding => ({
  currency,
  required,
  balance: situation.balances.get(currency) ?? '0',
  reservedByOthers: situation.reservedByOthers.get(currency) ?? '0',
  shortfall: subtractDownToZero(required, available(situation, currency)),
});

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

/** Of any currency in the table: see currency.ts. */
const mostDecimals = 18;

/**
 * The most that a conversion may take from its source: the rate at conversion may be worse than the planned one by the
 * slippage that is allowed, and what it then takes more must not be money that somebody else set aside.
 */
const mostTaken = ({ inputCurrency, inputAmount }: PlannedConversion, maxSlippagePercent: string): string =>
  grossUp(inputAmount, maxSlippagePercent, decimalsOf(inputCurrency) ?? mostDecimals);

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
  made: Pick<FundingPlan, 'conversionsBefore' | 'plannedAt'>,
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
      .find((quote) => compareAmounts(neededWith(quote), available(situation, quote.inputCurrency)) <= 0);

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
  if (missing.length > 0) return { kind: 'wait', plan, missing };
  // Setting aside more than there is would make others short of it, who would convert for it as well.
  const there = currencies
    .map(({ currency, required, shortfall }) => [currency, subtractAmounts(required, shortfall)] as const)
    .filter(([, amount]) => isPositive(amount));
  return { kind: conversions.length === 0 ? 'funded' : 'convert', plan, reservations: new Map(there) };
};

/**
 * Whether a batch is still short of a currency by as much as it was when it was planned. Others may have brought some of
 * it, or given it back, since then. Held against the shortfall, not against what the conversion brings: a quote may bring
 * more than was asked for.
 */
export const isStillShort = (situation: FundingSituation, plan: FundingPlan, currency: string): boolean =>
  compareAmounts(shortfallOf(shortfalls(situation), currency), shortfallOf(plan.currencies, currency)) >= 0;

/** What is missing of a currency; `0` of one that is not among them. */
export const shortfallOf = (fundings: readonly CurrencyFunding[], currency: string): string =>
  fundings.find((one) => one.currency === currency)?.shortfall ?? '0';

/** Whether a quote takes more than the plan has set aside for the conversion. */
export const takesTooMuch = (
  planned: PlannedConversion,
  { inputAmount }: Pick<Quote, 'inputAmount'>,
  maxSlippagePercent: string,
): boolean => compareAmounts(inputAmount, mostTaken(planned, maxSlippagePercent)) > 0;

/** Whether a rate (output per input) is better than the planned one, or worse by no more than the percentage. */
export const rateWithinSlippage = (plannedRate: string, quotedRate: string, maxSlippagePercent: string): boolean =>
  compareAmounts(quotedRate, subtractAmounts(plannedRate, percentOf(plannedRate, maxSlippagePercent))) >= 0;
