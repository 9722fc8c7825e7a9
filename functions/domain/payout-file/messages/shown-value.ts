/*
 * Decides which part of a cell's value a message may show. Messages go to errors.csv and to the batch's status, which
 * must never contain an account, an address or a name. Values may be in the wrong columns. So a value is shown only if
 * it looks like an amount or a code, and no part of it could be an account number.
 */

const longestShown = 24;

/** Digits, with the characters that people write between and around them, and a currency's sign or short name. */
const amountShape =
  /^[\p{L}\p{Sc}.]{0,4}\s?[-−+=(~]*\s?\p{Nd}[\p{Nd}.,'’٫٬\s_+*/()%-]*(?:e[+-]?\p{Nd}+)?\s?[\p{L}\p{Sc}]{0,4}$/iu;
/** The most digits that a shown value may have, and the most with a leading zero. More may be an account number. */
const [mostDigits, mostDigitsAfterZero] = [9, 4];
/** A number that may have more digits: thousands grouped by one sign other than a space, or few digits before the point. */
const amountForm =
  /^(?:[1-9]\d{0,2}([.,٬'’])\d{3}(?:\1\d{3})*(?!\1)|[1-9]\d{0,8}(?=[.,٫]\d{1,2}$)|0(?=[.,٫]))(?:[.,٫]\d{1,9})?$/u;
const quotes = /^["'“”‘’«»„`]+|["'“”‘’«»„`]+$/gu;

/** A date, which a spreadsheet may have made of an amount. */
const dateForm = /^\d{2}([./-])\d{1,2}\1(?:\d{2}|\d{4})$/;

const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));

/** Digits of other scripts as 0 to 9. In Unicode the ten digits of a script follow each other, zero first. */
export const latinDigits = (text: string): string =>
  text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let before = 0;
    while (isDigit(code - before - 1)) before++;
    return String(before % 10);
  });

const digitsOf = (text: string): number => text.replaceAll(/\D/g, '').length;

/** True when the text may be an account number, whatever is between its digits. */
const isAccountLike = (text: string): boolean => {
  const [number = ''] = /\d.*\d/s.exec(latinDigits(text)) ?? [];
  const digits = digitsOf(number);
  if (/^0\d/.test(number) && !dateForm.test(number)) return digits > mostDigitsAfterZero;
  return digits > mostDigits && !amountForm.test(number);
};

const isPrintable = (text: string): boolean => !/[\p{C}\p{Zl}\p{Zp}`]/u.test(text);

/** True for the text that a spreadsheet shows in place of a value it cannot compute. */
const isSpreadsheetError = (text: string): boolean =>
  /^#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|#+)$/i.test(text);

/** Beginning of a message about an amount: the amount itself. Undefined when it must not be shown. */
export const shownAmount = (text: string): string | undefined => {
  if (isSpreadsheetError(text)) return `\`${text.slice(0, longestShown)}\``;
  const inner = text.replaceAll(quotes, '');
  const isFit = text.length <= longestShown && amountShape.test(inner) && !isAccountLike(inner);
  return isFit && isPrintable(text.replaceAll('`', '')) ? `\`${text.replaceAll('`', "'")}\`` : undefined;
};

/** A code of a bank or a currency. Undefined when the text does not look like one. */
export const shownCode = (text: string): string | undefined =>
  text.length <= 12 && /^[\w.$€£¥₫฿₱-]+$/u.test(text) && digitsOf(text) < 6 ? `\`${text}\`` : undefined;

/** Names of characters. The first match is used. */
const characterNames: readonly (readonly [shape: RegExp, name: string])[] = [
  [/[ \u00a0]/, 'a space'],
  [/["“”„«»]/u, 'a quotation mark'],
  [/['‘’]/u, 'an apostrophe'],
  [/\p{Nd}/u, 'a digit of another script'],
  [/\p{L}|\p{M}/u, 'a letter beyond A to Z'],
];

/** Names the first character that the field may not have, and shows no more of the text. Undefined when all are allowed. */
export const oddCharacter = (text: string, allowed: RegExp): string | undefined => {
  const odd = [...text].find((character) => !allowed.test(character));
  if (odd === undefined) return undefined;
  const [, name] = characterNames.find(([shape]) => shape.test(odd)) ?? [];
  return name ?? (/^[\x21-\x7e]$/.test(odd) ? `"${odd}"` : 'a special character');
};
