import type { PaymentMethod } from '../../ports/provider.ts';
import { decimalsOf, railOf } from '../money/currency.ts';
import { feeInMinorUnits } from '../money/fees.ts';
import type { Rail } from '../payout/payout.ts';
import type { Bank, BankNames } from './bank-names.ts';
import { bankNames, banksMeant } from './bank-names.ts';

/** Limits and fee of one payment method or of several, also in minor units of their currency. */
interface MethodTerms extends Pick<PaymentMethod, 'minAmount' | 'maxAmount'> {
  /** Fiat: the bank code, or `recipientId` for rows whose bank only the provider knows. Crypto: the currency. */
  readonly method: string;
  readonly least: bigint;
  readonly most: bigint;
  readonly fee: (amountMinor: bigint) => bigint;
}

/** The terms that rows of one currency are checked against. */
export interface CurrencyTerms {
  readonly rail: Rail;
  readonly currency: string;
  readonly decimals: number;
  /** Terms by bank code; empty for crypto. */
  readonly banks: ReadonlyMap<string, MethodTerms>;
  readonly twoBanks: BankNames;
  /** The bank whose name was written in the code's place. Used for bad rows only. */
  readonly bankMeant: (text: string) => Bank | undefined;
  /** Terms of rows without a bank code. */
  readonly any: MethodTerms;
}

/** A limit may have more decimals than an amount. The minimum is then rounded up, and the maximum down. */
const limitScale = 18;

/**
 * Combines the terms of one or more methods. Only the provider knows the bank behind a recipientId. So such a row is
 * refused only if every bank would refuse it, and the most expensive bank's fee is reserved.
 */
const termsOf = (method: string, methods: readonly PaymentMethod[], decimals: number): MethodTerms => {
  const minAmount = methods.map((each) => each.minAmount).reduce((one, other) => one.smallerOf(other));
  const maxAmount = methods.map((each) => each.maxAmount).reduce((one, other) => one.largerOf(other));
  const finer = 10n ** BigInt(limitScale - decimals);
  const least = (minAmount.inMinorUnits(limitScale) + finer - 1n) / finer;
  const most = maxAmount.inMinorUnits(limitScale) / finer;
  const distinct = new Map(methods.map((each) => [`${each.feeFlat.amount} ${each.feePercentage}`, each]));
  const fees = [...distinct.values()].map(feeInMinorUnits);
  const fee = (amountMinor: bigint): bigint => {
    let highest = 0n;
    for (const feeOf of fees) {
      const one = feeOf(amountMinor);
      if (one > highest) highest = one;
    }
    return highest;
  };
  return { method, minAmount, maxAmount, least, most, fee };
};

/** The rail of a currency that has a known form and known decimals. Undefined for any other. */
export const payableRail = (currency: string): Rail | undefined =>
  decimalsOf(currency) === undefined ? undefined : railOf(currency);

/**
 * Terms by currency, for currencies that the provider has a method for. Computed once per currency: a file has a
 * million rows but few currencies.
 */
export const termsByCurrency = (methods: readonly PaymentMethod[]): ReadonlyMap<string, CurrencyTerms> => {
  const terms = new Map<string, CurrencyTerms>();
  for (const [currency, all] of Map.groupBy(methods, (method) => method.currency)) {
    const rail = railOf(currency);
    const decimals = decimalsOf(currency);
    const offered = all.filter((method) => method.rail === rail);
    if (rail === undefined || decimals === undefined || offered.length === 0) continue;
    const ofBanks = rail === 'fiat' ? offered : [];
    const banks = new Map(ofBanks.map((method) => [method.code, termsOf(method.code, [method], decimals)]));
    const any = termsOf(rail === 'fiat' ? 'recipientId' : currency, offered, decimals);
    terms.set(currency, {
      rail,
      currency,
      decimals,
      banks,
      twoBanks: bankNames(ofBanks),
      bankMeant: banksMeant(ofBanks),
      any,
    });
  }
  return terms;
};
