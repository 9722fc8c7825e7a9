import { decimalsOf } from '../../../money/currency.ts';

/** An XML schema's decimal without what says nothing: a plus, zeros in front and at the end. */
export interface Decimal {
  readonly isNegative: boolean;
  readonly integer: string;
  readonly fraction: string;
}

const shape = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
/** More than any that is taken, zeros that say nothing included. */
const maxLength = 64;

/** Undefined of what is no decimal. */
export const readDecimal = (text: string): Decimal | undefined => {
  const trimmed = text.length > maxLength ? '' : text.trim();
  if (!shape.test(trimmed)) return undefined;
  const [whole = '', fraction = ''] = trimmed.replace(/^[+-]/, '').split('.');
  const [integer, decimals] = [whole.replace(/^0+/, ''), fraction.replace(/0+$/, '')];
  return { isNegative: trimmed.startsWith('-') && integer + decimals !== '', integer, fraction: decimals };
};

/** In canonical text, as amounts are compared. */
export const decimalText = ({ integer, fraction }: Decimal): string =>
  `${integer === '' ? '0' : integer}${fraction === '' ? '' : `.${fraction}`}`;

/**
 * The amount as a payout file has it: with the decimals that it was written with, without zeros beyond those of its currency. A
 * schema's decimal has one meaning, so `10.000` of a currency with two decimals is ten.
 */
export const payoutAmount = (text: string, currency: string): string => {
  const decimal = readDecimal(text);
  if (decimal === undefined) return text;
  const written = text.trim().split('.')[1]?.length ?? 0;
  const digits = Math.min(written, decimalsOf(currency) ?? written);
  return decimalText({ ...decimal, fraction: decimal.fraction.padEnd(digits, '0') });
};
