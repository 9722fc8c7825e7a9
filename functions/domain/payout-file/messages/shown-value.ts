/**
 * What of a cell may stand in a message. Messages go to errors.csv and to the batch's status: an account, an address, a name
 * never stands there. Cells may stand in each other's columns, so a value is shown only when its form is that of an
 * amount or a code, and no part of it could be an account number.
 */

const longestShown = 24;

/** Digits with what people write between and around them, and a currency's sign or short name. */
const amountShape =
  /^[\p{L}\p{Sc}.]{0,4}\s?[-−+=(~]*\s?\p{Nd}[\p{Nd}.,'’٫٬\s_+*/()%-]*(?:e[+-]?\p{Nd}+)?\s?[\p{L}\p{Sc}]{0,4}$/iu;
/** As many digits as an account number has, or zeros in front as no amount has. */
const accountLike = /\p{Nd}{10,}|^0\d{4,}/u;
const quotes = /^["'“”‘’«»„`]+|["'“”‘’«»„`]+$/gu;

const isPrintable = (text: string): boolean => !/[\p{C}\p{Zl}\p{Zp}`]/u.test(text);

/** What a spreadsheet shows in place of a value that it cannot compute. */
const isSpreadsheetError = (text: string): boolean =>
  /^#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|#+)$/i.test(text);

/** The start of a message about an amount: the amount itself, where it may be shown. */
export const shownAmount = (text: string): string | undefined => {
  if (isSpreadsheetError(text)) return `\`${text.slice(0, longestShown)}\``;
  const inner = text.replaceAll(quotes, '');
  const isFit =
    text.length <= longestShown && amountShape.test(inner) && !accountLike.test(inner.replaceAll(/\s/g, ''));
  return isFit && isPrintable(text.replaceAll('`', '')) ? `\`${text.replaceAll('`', "'")}\`` : undefined;
};

/** A code of a bank or a currency, where it has the form of one. */
export const shownCode = (text: string): string | undefined =>
  text.length <= 12 && /^[\w.$€£¥₫฿₱-]+$/u.test(text) && !/\d{6,}/.test(text) ? `\`${text}\`` : undefined;

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
