import { decimalsOf } from '../../../money/currency.ts';
import { Decimal, fractionDigits } from '../../../money/decimal.ts';

const shape = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
/** Longer than any valid decimal, including redundant zeros. */
const maxLength = 64;

/**
 * The canonical text of an XML schema decimal: without a plus, leading zeros, or trailing zeros in the fraction. Undefined
 * when the text is not a decimal.
 */
export const readDecimal = (text: string): string | undefined => {
  const trimmed = text.length > maxLength ? '' : text.trim();
  return shape.test(trimmed) ? new Decimal(trimmed.replace('+', '')).toFixed() : undefined;
};

/**
 * The amount as a payout file would have it: with the decimals as written, but without zeros beyond the currency's
 * decimals. A schema decimal has one meaning, so `10.000` in a currency with two decimals is ten.
 */
export const payoutAmount = (text: string, currency: string): string => {
  const decimal = readDecimal(text);
  if (decimal === undefined) return text;
  const written = fractionDigits(text.trim());
  const digits = Math.min(written, decimalsOf(currency) ?? written);
  return digits > fractionDigits(decimal) ? new Decimal(decimal).toFixed(digits) : decimal;
};
