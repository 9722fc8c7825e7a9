import type { Decimal } from './money.ts';
import { decimalsOf } from './money.ts';

/** `1250000.5` with two decimals is `1,250,000.50`. Decimals beyond those the currency has are shown, never rounded away. */
export const grouped = (amount: Decimal, decimals: number): string => {
  const [whole = '0', fraction = ''] = amount.split('.');
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const shown = fraction.padEnd(Math.max(decimals, decimalsOf(amount)), '0');
  return shown === '' ? thousands : `${thousands}.${shown}`;
};
