import { decimalsIn } from './currencies.ts';
import type { Money } from './money.ts';

/** `1,250,000.50` for 1250000.5 rupiah: at least the currency's decimals, and all of the amount's. */
export const grouped = ({ amount, currency }: Money): string => {
  const [whole = '0', fraction = ''] = amount.split('.');
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const shown = fraction.padEnd(decimalsIn(currency), '0');
  return shown === '' ? thousands : `${thousands}.${shown}`;
};
