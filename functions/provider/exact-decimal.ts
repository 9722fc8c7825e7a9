import { Big } from 'big.js';

/** Longer than any amount. Keeps `1e999999999` from becoming a gigabyte of zeros. */
const longestSource = 100;
const largestExponent = 100;

/**
 * The same decimal without exponent, superfluous zeros or sign of zero: `1e-7` is `0.0000001`, `10.50` is `10.5`. Exact: nothing
 * is rounded. Undefined when the text is not a decimal, has more than 100 characters, or an exponent beyond 100.
 */
export const exactDecimal = (text: string): string | undefined => {
  const match = /^-?\d+(?:\.\d+)?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null || text.length > longestSource) return undefined;
  if (Math.abs(Number(match[1] ?? '0')) > largestExponent) return undefined;
  const exact = new Big(text);
  return exact.eq(0) ? '0' : exact.toFixed();
};
