import type { PaymentMethod } from '../../ports/provider.ts';
import { decimalsOf, railOf } from '../currency.ts';
import { feeInMinorUnits } from '../fees.ts';
import { compareAmounts, toMinorUnits } from '../money.ts';
import type { Rail } from '../payout.ts';

/** Limits and fee of a payment method, in minor units of its currency. */
export interface MethodTerms {
  /** Fiat: the bank code, or `recipientId` for rows whose bank only the provider knows. Crypto: the currency. */
  readonly method: string;
  readonly minAmount: string;
  readonly maxAmount: string;
  /** Whether the amount (minor units) is within the limits. */
  readonly judge: (amountMinor: bigint) => 'within' | 'below' | 'above';
  readonly fee: (amountMinor: bigint) => bigint;
}

/** What rows of one currency are judged by. */
export interface CurrencyTerms {
  readonly rail: Rail;
  readonly currency: string;
  readonly decimals: number;
  /** Terms by bank code; empty for crypto. */
  readonly banks: ReadonlyMap<string, MethodTerms>;
  /** Terms of rows without a bank code. */
  readonly any: MethodTerms;
}

/** Without a rail it has neither form of a currency, or no known decimals; without terms the provider has no method for it. */
export interface TermsLookup {
  readonly rail?: Rail;
  readonly terms?: CurrencyTerms;
}

/** A limit may have more decimals than an amount. The least amount is rounded up then, and the most is rounded down. */
const limitScale = 18;

const judgeBy = (minAmount: string, maxAmount: string, decimals: number): MethodTerms['judge'] => {
  const finer = 10n ** BigInt(limitScale - decimals);
  const least = (toMinorUnits(minAmount, limitScale) + finer - 1n) / finer;
  const most = toMinorUnits(maxAmount, limitScale) / finer;
  return (amountMinor) => {
    if (amountMinor < least) return 'below';
    return amountMinor > most ? 'above' : 'within';
  };
};

/**
 * What all these methods take. Which bank a recipientId stands for is known to the provider only: so such a row is refused
 * only where every bank would refuse it, and the fee set aside is that of the most expensive one.
 */
const termsOf = (method: string, methods: readonly PaymentMethod[], decimals: number): MethodTerms => {
  const minAmount =
    methods
      .map((each) => each.minAmount)
      .toSorted(compareAmounts)
      .at(0) ?? '0';
  const maxAmount =
    methods
      .map((each) => each.maxAmount)
      .toSorted(compareAmounts)
      .at(-1) ?? '0';
  const distinct = new Map(methods.map((each) => [`${each.feeFlat} ${each.feePercentage}`, each]));
  const fees = [...distinct.values()].map(feeInMinorUnits);
  const fee = (amountMinor: bigint): bigint => {
    let most = 0n;
    for (const feeOf of fees) {
      const one = feeOf(amountMinor);
      if (one > most) most = one;
    }
    return most;
  };
  return { method, minAmount, maxAmount, judge: judgeBy(minAmount, maxAmount, decimals), fee };
};

const lookUp = (currency: string, methods: readonly PaymentMethod[]): TermsLookup => {
  const rail = railOf(currency);
  const decimals = decimalsOf(currency);
  if (rail === undefined || decimals === undefined) return {};
  const offered = methods.filter((method) => method.rail === rail && method.currency === currency);
  if (offered.length === 0) return { rail };
  const ofBanks = rail === 'fiat' ? offered : [];
  const banks = new Map(ofBanks.map((method) => [method.code, termsOf(method.code, [method], decimals)]));
  const any = termsOf(rail === 'fiat' ? 'recipientId' : currency, offered, decimals);
  return { rail, terms: { rail, currency, decimals, banks, any } };
};

/** Terms by currency, worked out once each: a file has a million rows and a handful of currencies. */
export const termsByCurrency = (methods: readonly PaymentMethod[]): ((currency: string) => TermsLookup) => {
  const offered = new Map<string, TermsLookup>(
    [...new Set(methods.map((method) => method.currency))].map((currency) => [currency, lookUp(currency, methods)]),
  );
  // What is not offered is not remembered: a file may name a million currencies that do not exist.
  return (currency) => offered.get(currency) ?? lookUp(currency, methods);
};
