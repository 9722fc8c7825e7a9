import { decimalsOf } from './currency.ts';

/** More than so many decimals are shown only where the amount has them: 18 zeros say nothing. */
const mostZeros = 6;

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** A count as people read it: `1,000,000`. */
export const tellCount = (count: number): string => grouped(String(count));

/** `1 payout`, `2 payouts`. */
export const plural = (count: number, one: string, several = `${one}s`): string => (count === 1 ? one : several);

/**
 * An amount as people read it, with its currency's decimals: `1,250,000.50`. All text: an amount never becomes a number. What is
 * no plain decimal stays as it is.
 */
export const tellAmount = (amount: string, currency: string): string => {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === '') return amount;
  const decimals = Math.min(decimalsOf(currency) ?? 0, mostZeros);
  const shown = fraction.padEnd(decimals, '0');
  return `${sign}${grouped(whole)}${shown === '' ? '' : `.${shown}`}`;
};
