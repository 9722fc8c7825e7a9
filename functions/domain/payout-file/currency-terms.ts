import type { PaymentMethod } from '../../ports/provider.ts';
import { decimalsOf, railOf } from '../money/currency.ts';
import { feeInMinorUnits } from '../money/fees.ts';
import type { Rail } from '../payout/payout.ts';
import type { Bank, BankNames } from './bank-names.ts';
import { bankNames, banksMeant } from './bank-names.ts';

/** Limits and fee of a payment method, or of several, also in minor units of their currency. */
export interface MethodTerms extends Pick<PaymentMethod, 'minAmount' | 'maxAmount'> {
  /** Fiat: the bank code, or `recipientId` for rows whose bank only the provider knows. Crypto: the currency. */
  readonly method: string;
  readonly least: bigint;
  readonly most: bigint;
  readonly fee: (amountMinor: bigint) => bigint;
}

/** What rows of one currency are judged by. */
export interface CurrencyTerms {
  readonly rail: Rail;
  readonly currency: string;
  readonly decimals: number;
  /** Terms by bank code; empty for crypto. */
  readonly banks: ReadonlyMap<string, MethodTerms>;
  readonly twoBanks: BankNames;
  /** The bank whose name stands where its code should. Asked of bad rows alone. */
  readonly bankMeant: (text: string) => Bank | undefined;
  /** Terms of rows without a bank code. */
  readonly any: MethodTerms;
}

/** A limit may have more decimals than an amount. The least amount is rounded up then, and the most is rounded down. */
const limitScale = 18;

/**
 * What all these methods take, of which there is one at least. Which bank a recipientId stands for is known to the provider only: so such a row is refused
 * only where every bank would refuse it, and the fee set aside is that of the most expensive one.
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

/** The rail of a currency that can be paid: one of a known form, with known decimals. */
export const payableRail = (currency: string): Rail | undefined =>
  decimalsOf(currency) === undefined ? undefined : railOf(currency);

/** Terms by currency, of those that the provider has a method for: a file has a million rows and a handful of currencies. */
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
