/**
 * What of a cell may stand in a message. Messages go to errors.csv and to the batch's status: an account, an address, a name
 * never stands there. Cells may stand in each other's columns, so a value is shown only when its form is that of an
 * amount or a code, and no part of it could be an account number.
 */

const longestShown = 24;

/** Digits with what people write between and around them, and a currency's sign or short name. */
const amountShape =
  /^[\p{L}\p{Sc}.]{0,4}\s?[-−+=(~]*\s?\p{Nd}[\p{Nd}.,'’٫٬\s_+*/()%-]*(?:e[+-]?\p{Nd}+)?\s?[\p{L}\p{Sc}]{0,4}$/iu;
/** As many digits as an account number has, and with a zero in front: no amount has that. */
const [mostDigits, mostDigitsAfterZero] = [9, 4];
/** A number that may have more: thousands in groups by one sign that is no space, or few digits beside the point. */
const amountForm =
  /^(?:[1-9]\d{0,2}([.,٬'’])\d{3}(?:\1\d{3})*(?!\1)|[1-9]\d{0,8}(?=[.,٫]\d{1,2}$)|0(?=[.,٫]))(?:[.,٫]\d{1,9})?$/u;
const quotes = /^["'“”‘’«»„`]+|["'“”‘’«»„`]+$/gu;

/** What a spreadsheet may have made of an amount. */
const dateForm = /^\d{2}([./-])\d{1,2}\1(?:\d{2}|\d{4})$/;

const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));

/** Digits of other scripts as 0 to 9: Unicode has each script's ten, zero first, one after the other. */
export const latinDigits = (text: string): string =>
  text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let before = 0;
    while (isDigit(code - before - 1)) before++;
    return String(before % 10);
  });

const digitsOf = (text: string): number => text.replaceAll(/\D/g, '').length;

/** Whether it may be an account number, whatever stands between its digits. */
const isAccountLike = (text: string): boolean => {
  const [number = ''] = /\d.*\d/s.exec(latinDigits(text)) ?? [];
  const digits = digitsOf(number);
  if (/^0\d/.test(number) && !dateForm.test(number)) return digits > mostDigitsAfterZero;
  return digits > mostDigits && !amountForm.test(number);
};

const isPrintable = (text: string): boolean => !/[\p{C}\p{Zl}\p{Zp}`]/u.test(text);

/** What a spreadsheet shows in place of a value that it cannot compute. */
const isSpreadsheetError = (text: string): boolean =>
  /^#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|#+)$/i.test(text);

/** The start of a message about an amount: the amount itself, where it may be shown. */
export const shownAmount = (text: string): string | undefined => {
  if (isSpreadsheetError(text)) return `\`${text.slice(0, longestShown)}\``;
  const inner = text.replaceAll(quotes, '');
  const isFit = text.length <= longestShown && amountShape.test(inner) && !isAccountLike(inner);
  return isFit && isPrintable(text.replaceAll('`', '')) ? `\`${text.replaceAll('`', "'")}\`` : undefined;
};

/** A code of a bank or a currency, where it has the form of one. */
export const shownCode = (text: string): string | undefined =>
  text.length <= 12 && /^[\w.$€£¥₫฿₱-]+$/u.test(text) && digitsOf(text) < 6 ? `\`${text}\`` : undefined;

const named: Readonly<Record<string, string>> = {
  ' ': 'a space',
  '\u00a0': 'a space',
  "'": 'an apostrophe',
  '"': 'a quotation mark',
};

/** The first character of a text that a field may not have, in words; never more of the text than that. */
export const oddCharacter = (text: string, allowed: RegExp): string | undefined => {
  const odd = [...text].find((character) => !allowed.test(character));
  if (odd === undefined) return undefined;
  const name = named[odd];
  if (name !== undefined) return name;
  if (/[“”„«»]/u.test(odd)) return 'a quotation mark';
  if (/[‘’]/u.test(odd)) return 'an apostrophe';
  if (/\p{Nd}/u.test(odd)) return 'a digit of another script';
  if (/\p{L}|\p{M}/u.test(odd)) return 'a letter beyond A to Z';
  return /^[\x21-\x7e]$/.test(odd) ? `"${odd}"` : 'a special character';
};
