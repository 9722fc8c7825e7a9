import { decimalsOf } from './currency.ts';
import type { Money } from './money.ts';

/** Most zeros that pad the decimals of an amount. More decimals are shown only when the amount has them. */
const mostZeros = 6;

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** Formats a count for people: `1,000,000`. */
export const formatCount = (count: number): string => grouped(String(count));

/** `1 payout`, `2 payouts`. */
export const plural = (count: number, one: string, several = `${one}s`): string => (count === 1 ? one : several);

/**
 * Formats a decimal for people, with at least `decimals` decimals: `1,250.50`. It works on text and never converts to a number.
 */
export const formatDecimal = (decimal: string, decimals = 0): string => {
  const [whole = '', fraction = ''] = decimal.split('.');
  const shown = fraction.padEnd(decimals, '0');
  return `${grouped(whole)}${shown === '' ? '' : `.${shown}`}`;
};

/** Formats money for people, with its currency's decimals but without its name: `1,250,000.50`. */
export const formatAmount = ({ amount, currency }: Money): string =>
  formatDecimal(amount, Math.min(decimalsOf(currency) ?? 0, mostZeros));

/** `1,250,000.50 IDR`. */
export const formatMoney = (money: Money): string => `${formatAmount(money)} ${money.currency}`;
