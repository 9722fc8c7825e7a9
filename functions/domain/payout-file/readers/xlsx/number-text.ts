import Big from 'big.js';

/** As XML schema writes a double, but for those that are no amounts. */
const shape = /^-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/;

/** Whether a number's cell has one, and nothing else. */
export const isNumber = (source: string): boolean => shape.test(source);

/** What a spreadsheet keeps of a number, and shows of it. */
const shownDigits = 15;

/**
 * The decimal that a number's cell shows, without zeros at its end, which a number does not have; undefined when the cell holds another one than it shows.
 *
 * A cell holds the double that is nearest to what was typed, and its file has up to 17 digits of that: 4.1 stands there as
 * 4.0999999999999996. With 15 digits it is 4.1 again, which is what was typed when 4.1 makes the same double. That is asked
 * of the doubles, and nothing else is: the decimal itself is never one. The result of a formula often fails, as 1.1 × 3.
 */
export const decimalOfNumber = (source: string): string | undefined => {
  if (!isNumber(source)) return undefined;
  const exact = new Big(source);
  if (exact.c.length <= shownDigits) return exact.toFixed();
  const shown = exact.prec(shownDigits, Big.roundHalfUp).toFixed();
  return Number(shown) === Number(source) ? shown : undefined;
};
