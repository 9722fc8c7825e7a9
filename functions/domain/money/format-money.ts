import { decimalsOf } from './currency.ts';
import type { Money } from './money.ts';

/** More than so many decimals are shown only where the amount has them: 18 zeros say nothing. */
const mostZeros = 6;

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** A count as people read it: `1,000,000`. */
export const formatCount = (count: number): string => grouped(String(count));

/** `1 payout`, `2 payouts`. */
export const plural = (count: number, one: string, several = `${one}s`): string => (count === 1 ? one : several);

/** A decimal as people read it, with so many decimals at least: `1,250.50`. All text: it never becomes a number. */
export const formatDecimal = (decimal: string, decimals = 0): string => {
  const [whole = '', fraction = ''] = decimal.split('.');
  const shown = fraction.padEnd(decimals, '0');
  return `${grouped(whole)}${shown === '' ? '' : `.${shown}`}`;
};

/** Money as people read it, with its currency's decimals but without its name: `1,250,000.50`. */
export const formatAmount = ({ amount, currency }: Money): string =>
  formatDecimal(amount, Math.min(decimalsOf(currency) ?? 0, mostZeros));

/** `1,250,000.50 IDR`. */
export const formatMoney = (money: Money): string => `${formatAmount(money)} ${money.currency}`;
