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

export type TermsLookup =
  | { readonly kind: 'known'; readonly terms: CurrencyTerms }
  /** Neither form of a currency, or not in the table of decimals. */
  | { readonly kind: 'unknown' }
  /** The provider has no payment method for it. */
  | { readonly kind: 'not_offered'; readonly rail: Rail };

/** A limit may have more decimals than an amount; comparing needs the scale of the finer. */
const limitScale = 18;

const judgeBy = (minAmount: string, maxAmount: string, decimals: number): MethodTerms['judge'] => {
  const finer = 10n ** BigInt(limitScale - decimals);
  const least = toMinorUnits(minAmount, limitScale);
  const most = toMinorUnits(maxAmount, limitScale);
  return (amountMinor) => {
    const amount = amountMinor * finer;
    if (amount < least) return 'below';
    return amount > most ? 'above' : 'within';
  };
};

const termsOf = (method: PaymentMethod, decimals: number): MethodTerms => ({
  method: method.code,
  minAmount: method.minAmount,
  maxAmount: method.maxAmount,
  judge: judgeBy(method.minAmount, method.maxAmount, decimals),
  fee: feeInMinorUnits(method),
});

const dearest = (fees: readonly MethodTerms['fee'][], amountMinor: bigint): bigint => {
  let most = 0n;
  for (const feeOf of fees) {
    const fee = feeOf(amountMinor);
    if (fee > most) most = fee;
  }
  return most;
};

/**
 * Which bank a recipientId stands for is known to the provider only. So such a row is refused only where every bank
 * would refuse it, and the fee set aside is that of the most expensive one.
 */
const widest = (
  method: string,
  methods: readonly [PaymentMethod, ...PaymentMethod[]],
  decimals: number,
): MethodTerms => {
  const [first] = methods;
  const minAmount = methods.reduce(
    (least, { minAmount: min }) => (compareAmounts(min, least) < 0 ? min : least),
    first.minAmount,
  );
  const maxAmount = methods.reduce(
    (most, { maxAmount: max }) => (compareAmounts(max, most) > 0 ? max : most),
    first.maxAmount,
  );
  const distinct = new Map(methods.map((each) => [`${each.feeFlat} ${each.feePercentage}`, each]));
  const fees = [...distinct.values()].map(feeInMinorUnits);
  return {
    method,
    minAmount,
    maxAmount,
    judge: judgeBy(minAmount, maxAmount, decimals),
    fee: (amountMinor) => dearest(fees, amountMinor),
  };
};

const lookUp = (currency: string, methods: readonly PaymentMethod[]): TermsLookup => {
  const rail = railOf(currency);
  const decimals = decimalsOf(currency);
  if (rail === undefined || decimals === undefined) return { kind: 'unknown' };
  const [first, ...others] = methods.filter((method) => method.rail === rail && method.currency === currency);
  if (first === undefined) return { kind: 'not_offered', rail };
  const offered = [first, ...others] as const;
  const banks = new Map(
    rail === 'fiat' ? offered.map((method) => [method.code, termsOf(method, decimals)] as const) : [],
  );
  const any = widest(rail === 'fiat' ? 'recipientId' : currency, offered, decimals);
  return { kind: 'known', terms: { rail, currency, decimals, banks, any } };
};

/** Terms by currency, worked out once each: a file has a million rows and a handful of currencies. */
export const termsByCurrency = (methods: readonly PaymentMethod[]): ((currency: string) => TermsLookup) => {
  const offered = new Map<string, TermsLookup>(
    [...new Set(methods.map((method) => method.currency))].map((currency) => [currency, lookUp(currency, methods)]),
  );
  // What is not offered is not remembered: a file may name a million currencies that do not exist.
  return (currency) => offered.get(currency) ?? lookUp(currency, methods);
};
