import type { PaymentMethod } from '../../ports/provider.ts';
import { decimalsOf, railOf } from '../money/currency.ts';
import { feeInMinorUnits } from '../money/fees.ts';
import type { Rail } from '../payout/payout.ts';
import { bankNames, banksMeant } from './bank-names.ts';

/** A limit may have more decimals than an amount. The minimum is then rounded up, and the maximum down. */
const limitScale = 18;

/**
 * Combines limits and fee of one or more methods, also in minor units of their currency. Only the provider knows the
 * bank behind a recipientId. So such a row is refused only if every bank would refuse it, and the most expensive bank's
 * fee is reserved.
 *
 * @param method fiat: the bank code, or `recipientId` for rows whose bank only the provider knows. Crypto: the currency
 */
const termsOf = (method: string, methods: readonly PaymentMethod[], decimals: number) => {
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

/** The terms that rows of one currency are checked against. Undefined when the provider has no method for it. */
const termsIn = (currency: string, methods: readonly PaymentMethod[]) => {
  const rail = railOf(currency);
  const decimals = decimalsOf(currency);
  const offered = methods.filter((method) => method.rail === rail);
  if (rail === undefined || decimals === undefined || offered.length === 0) return undefined;
  const ofBanks = rail === 'fiat' ? offered : [];
  return {
    rail,
    currency,
    decimals,
    /** Terms by bank code; empty for crypto. */
    banks: new Map(ofBanks.map((method) => [method.code, termsOf(method.code, [method], decimals)])),
    twoBanks: bankNames(ofBanks),
    /** The bank whose name was written in the code's place. Used for bad rows only. */
    bankMeant: banksMeant(ofBanks),
    /** Terms of rows without a bank code. */
    any: termsOf(rail === 'fiat' ? 'recipientId' : currency, offered, decimals),
  };
};
export type CurrencyTerms = NonNullable<ReturnType<typeof termsIn>>;

/**
 * Terms by currency, for currencies that the provider has a method for. Computed once per currency: a file has a
 * million rows but few currencies.
 */
export const termsByCurrency = (methods: readonly PaymentMethod[]): ReadonlyMap<string, CurrencyTerms> => {
  const terms = new Map<string, CurrencyTerms>();
  for (const [currency, ofCurrency] of Map.groupBy(methods, (method) => method.currency)) {
    const found = termsIn(currency, ofCurrency);
    if (found !== undefined) terms.set(currency, found);
  }
  return terms;
};
