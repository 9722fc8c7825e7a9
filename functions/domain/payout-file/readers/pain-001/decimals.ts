import { decimalsOf } from '../../../money/currency.ts';

/** An XML schema decimal in normal form: without a plus, leading zeros, or trailing zeros in the fraction. */
interface Decimal {
  readonly isNegative: boolean;
  readonly integer: string;
  readonly fraction: string;
}

const shape = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
/** Longer than any valid decimal, including redundant zeros. */
const maxLength = 64;

/** Undefined when the text is not a decimal. */
export const readDecimal = (text: string): Decimal | undefined => {
  const trimmed = text.length > maxLength ? '' : text.trim();
  if (!shape.test(trimmed)) return undefined;
  const [whole = '', fraction = ''] = trimmed.replace(/^[+-]/, '').split('.');
  const [integer, decimals] = [whole.replace(/^0+/, ''), fraction.replace(/0+$/, '')];
  return { isNegative: trimmed.startsWith('-') && integer + decimals !== '', integer, fraction: decimals };
};

/** The canonical text by which amounts are compared. */
export const decimalText = ({ integer, fraction }: Decimal): string =>
  `${integer === '' ? '0' : integer}${fraction === '' ? '' : `.${fraction}`}`;

/**
 * The amount as a payout file would have it: with the decimals as written, but without zeros beyond the currency's
 * decimals. A schema decimal has one meaning, so `10.000` in a currency with two decimals is ten.
 */
export const payoutAmount = (text: string, currency: string): string => {
  const decimal = readDecimal(text);
  if (decimal === undefined) return text;
  const written = text.trim().split('.')[1]?.length ?? 0;
  const digits = Math.min(written, decimalsOf(currency) ?? written);
  return decimalText({ ...decimal, fraction: decimal.fraction.padEnd(digits, '0') });
};
