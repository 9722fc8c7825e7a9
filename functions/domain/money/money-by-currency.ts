import { Money } from './money.ts';

/** Money by currency. An absent currency counts as zero: see moneyIn. */
export type MoneyByCurrency = ReadonlyMap<string, Money>;

/** Adds up amounts by currency. */
export const sumByCurrency = (amounts: Iterable<Money>): MoneyByCurrency => {
  const sums = new Map<string, Money>();
  for (const amount of amounts) sums.set(amount.currency, moneyIn(sums, amount.currency).plus(amount));
  return sums;
};

/** Returns the money in a currency, zero when it is absent. */
export const moneyIn = (amounts: MoneyByCurrency, currency: string): Money =>
  amounts.get(currency) ?? Money.zero(currency);

/** Reads a JSON record of amounts by currency. */
export const moneyOfText = (amounts: Readonly<Record<string, string>>): MoneyByCurrency =>
  new Map(Object.entries(amounts).map(([currency, amount]) => [currency, Money.of(amount, currency)]));

/** The reverse of moneyOfText. */
export const moneyInText = (amounts: MoneyByCurrency): Record<string, string> =>
  Object.fromEntries([...amounts].map(([currency, { amount }]) => [currency, amount]));
