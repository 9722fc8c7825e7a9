import { Big } from 'big.js';

/** A number with its source text in the JSON. Kept apart from strings, so that `123` never passes for `"123"`. */
export class JsonNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/**
 * Parses JSON without ever making a float: each number becomes a JsonNumber with its source text.
 *
 * @throws SyntaxError for invalid JSON; RangeError for JSON nested too deeply
 */
export const parseJsonBySource = (text: string): unknown =>
  JSON.parse(text, (_key, value, context) => {
    if (typeof value !== 'number') return value;
    if (context.source === undefined) throw new SyntaxError('a number without its source text');
    return new JsonNumber(context.source);
  });

/** Longer than any amount. Keeps `1e999999999` from becoming a gigabyte of zeros. */
const longestSource = 100;
const largestExponent = 100;

/**
 * The same decimal without exponent, superfluous zeros or sign of zero: `1e-7` is `0.0000001`, `10.50` is `10.5`. Exact: nothing
 * is rounded. Undefined when the text is not a decimal, or is absurdly long.
 */
export const exactDecimal = (text: string): string | undefined => {
  const match = /^-?\d+(?:\.\d+)?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null || text.length > longestSource) return undefined;
  if (Math.abs(Number(match[1] ?? '0')) > largestExponent) return undefined;
  const exact = new Big(text);
  return exact.eq(0) ? '0' : exact.toFixed();
};
