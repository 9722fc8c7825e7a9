import Big from 'big.js';

/** An XML schema double, without the forms that no amount has. */
const shape = /^-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/;

/** True when a number's cell holds a number and nothing else. */
export const isNumber = (source: string): boolean => shape.test(source);

/** Significant digits that a spreadsheet keeps and shows. */
const shownDigits = 15;

/**
 * The decimal that a number's cell shows, without trailing zeros. Undefined when the stored number differs from the one
 * shown, or the text is no number.
 *
 * A cell holds the double nearest to the typed number, and the file has up to 17 digits of it: 4.1 is stored as
 * 4.0999999999999996. Rounded to 15 digits it is 4.1 again. The code accepts that when 4.1 makes the same double.
 * Doubles serve for this comparison only; the returned decimal never passes through one. Results of formulas often
 * fail, such as 1.1 × 3.
 */
export const decimalOfNumber = (source: string): string | undefined => {
  if (!isNumber(source)) return undefined;
  const exact = new Big(source);
  if (exact.c.length <= shownDigits) return exact.toFixed();
  const shown = exact.prec(shownDigits, Big.roundHalfUp).toFixed();
  return Number(shown) === Number(source) ? shown : undefined;
};
