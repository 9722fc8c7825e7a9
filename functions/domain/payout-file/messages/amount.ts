import { fractionDigits, parseAmount } from '../../money/decimal.ts';
import { plural } from '../../money/format-money.ts';
import { isCurrencyWord } from './codes.ts';
import { latinDigits, shownAmount } from './shown-value.ts';

const instead = 'Write digits, and a point before decimals, such as 1250.50';

/** Signs and words before or after a number. */
const wordsAround = /^([\p{L}\p{Sc}$]+)\.?\s*(?=[\d.])|(?<=\d)\s*([\p{L}\p{Sc}$]+)$/gu;
/** Thousands separators other than comma and point. */
const thinSeparators = /(?<=\d)[\s_'’٬](?=\d)/gu;

/** The number without the currency, quotes and spaces around it. Other words stay: `1.5 jt` is ambiguous. */
const bareNumber = (text: string): string =>
  latinDigits(text)
    .replaceAll(/^["'“”‘’«»„`]+|["'“”‘’«»„`]+$/gu, '')
    .replaceAll('٫', '.')
    .replaceAll(wordsAround, (all, before: string | undefined, after: string | undefined) =>
      isCurrencyWord(before ?? after ?? '') ? '' : all,
    )
    .replace(/^\+/, '')
    .replace(/\.$/, '')
    .replace(/^\./, '0.')
    .replaceAll(thinSeparators, ' ');

/** Thousands in groups of three, all with one separator. */
const grouped = (separator: string): RegExp => new RegExp(`^\\d{1,3}(\\${separator}\\d{3})+$`);

const onlyOnce = (text: string, part: string): boolean => text.indexOf(part) === text.lastIndexOf(part);

/** The amount as it should be written, if that is certain. `or` is a second reading. Undefined when it is not certain. */
const rewritten = (text: string, decimals: number): { readonly as: string; readonly or?: string } | undefined => {
  const read = bareNumber(text);
  const [whole = '', rest = ''] = read.split(/(?=[.,])/, 2);
  if (whole.includes(' ') && (!grouped(' ').test(whole) || rest.includes(' '))) return undefined;
  const bare = read.replaceAll(' ', '');
  const of = (amount: string) =>
    parseAmount(amount) === undefined || fractionDigits(amount) > decimals ? undefined : { as: amount };
  const [comma, point] = [bare.lastIndexOf(','), bare.lastIndexOf('.')];
  if (comma < 0 && point < 0) return of(bare);
  if (comma >= 0 && point >= 0) {
    const [group, decimal] = comma > point ? ['.', ','] : [',', '.'];
    const [thousands = '', fraction = ''] = bare.split(decimal);
    if (!onlyOnce(bare, decimal) || !grouped(group).test(thousands)) return undefined;
    return of(`${thousands.replaceAll(group, '')}.${fraction}`);
  }
  const separator = comma >= 0 ? ',' : '.';
  const isGrouped = grouped(separator).test(bare);
  const without = isGrouped ? of(bare.replaceAll(separator, '')) : undefined;
  const withPoint = onlyOnce(bare, separator) ? of(bare.replace(separator, '.')) : undefined;
  // 1,250 may mean a thousand and more, or 1.25 where the currency has that many decimals.
  if (without === undefined || withPoint === undefined) return without ?? withPoint;
  return { as: without.as, or: withPoint.as };
};

/** A common mistake in an amount. It is recognized by `bare` (the text in digits 0 to 9, without spaces) or by `text`. */
interface Slip {
  readonly bare?: RegExp;
  readonly text?: RegExp;
  readonly is: string;
  /** What to do. Without a hint, the message shows the corrected amount. */
  readonly hint?: string;
  readonly write?: string;
}

const positive = 'Write what is owed, without a sign, or remove the row.';
const wholeNumber = 'Format the column as a number and write all digits.';

/** The first match is used. */
const slips: readonly Slip[] = [
  { text: /^#/, is: 'the spreadsheet could not compute it', hint: 'Correct its formula, or write the amount.' },
  { text: /^=/, is: 'a formula', hint: 'Write the amount itself.' },
  {
    bare: /^\d{1,4}([./-])\d{1,2}\1(\d{2}|\d{4})$/,
    is: 'a date, which a spreadsheet may have made of it',
    hint: 'Format the column as a number and write the amount again.',
  },
  { bare: /^\(.*\)$/, is: 'in parentheses, as a negative amount', hint: positive },
  { bare: /^[-−–—]|[-−–—]$/u, is: 'negative', hint: positive },
  { bare: /^\W*\d[\d.,]*e[+-]?\d+$/i, is: 'a spreadsheet’s short form, which may be rounded', hint: wholeNumber },
  { text: /["“”„«»‘]|^['’`]|['’`]$/u, is: 'quotation marks around it', write: 'without them' },
  { text: /(?![0-9])\p{Nd}/u, is: 'digits of another script', write: 'with the digits 0 to 9' },
  { text: /%/, is: 'a percentage', hint: 'Write the amount itself.' },
  { text: /[\p{L}\p{Sc}]/u, is: 'a currency or a word in it', write: 'alone: the currency has a column of its own' },
  { text: /,.*\.|\..*,/, is: 'a comma and a point', write: 'without thousands separators' },
  { text: /,.*,/, is: 'more than one comma', write: 'without thousands separators' },
  { bare: grouped(','), is: 'a comma', write: 'without a thousands separator' },
  { text: /,/, is: 'a comma', write: 'with a point' },
  { text: /\..*\./, is: 'more than one point', write: 'without thousands separators' },
  { text: /\s/, is: 'a space in it', write: 'without spaces' },
  { text: /^\+/, is: 'a plus in front', write: 'without it' },
  { text: /^\.|\.$/, is: 'a point without digits on both sides', write: 'instead' },
];

/** Says what is wrong with the amount, and what to write instead. */
const problemOf = (text: string, decimals: number): string => {
  const digits = latinDigits(text).replaceAll(/\s/g, '');
  const slip = slips.find((one) => one.bare?.test(digits) ?? one.text?.test(text));
  const { is, hint, write = 'instead' } = slip ?? { is: 'not a number' };
  if (hint !== undefined) return `${is}. ${hint}`;
  const better = rewritten(text, decimals);
  if (better === undefined) return `${is}. ${instead}.`;
  const or = better.or === undefined ? '' : ` If it has decimals, write ${better.or}.`;
  return `${is}. Write ${better.as} ${write}.${or}`;
};

/** Messages about an amount that must not be shown: they contain nothing of the text. */
const unshown = {
  amount_negative: 'The amount is negative. Write what is owed without a minus, or remove the row.',
  amount_exponent: 'The amount is in a spreadsheet’s short form, which may be rounded. Write all its digits.',
  amount_comma: `The amount has a comma. ${instead}.`,
  amount_not_a_number: `The amount is not a number. ${instead}.`,
} as const;

const problemUnshown = (text: string, code: keyof typeof unshown): string =>
  text.startsWith('=') ? 'The amount is a formula. Write the amount itself.' : unshown[code];

const codeOf = (text: string): keyof typeof unshown => {
  if (text.includes(',')) return 'amount_comma';
  if (/^-\d+(\.\d+)?$/.test(text)) return 'amount_negative';
  return /^[+-]?\d+(\.\d+)?e[+-]?\d+$/i.test(text) ? 'amount_exponent' : 'amount_not_a_number';
};

/**
 * Says why a text is not an amount that may be paid, and what to write instead.
 *
 * @param decimals those of the currency; undefined when it is unknown. The row's values may then be in the wrong
 * columns, so this one is not shown
 */
export const amountProblem = (text: string, decimals: number | undefined): readonly [code: string, message: string] => {
  if (text === '') return ['value_missing', '"amount" is empty. Write what is owed, such as 1250.50.'];
  if (parseAmount(text) !== undefined)
    return ['amount_zero', 'The amount is zero. Write what is owed, or remove the row.'];
  const code = codeOf(text);
  const shown = shownAmount(text);
  if (decimals === undefined || shown === undefined) return [code, problemUnshown(text, code)];
  return [code, `${shown}: ${problemOf(text, decimals)}`];
};

/** Message about an amount with more decimals than its currency has. Three decimals may be thousands. */
export const tooManyDecimals = (amount: string, currency: string, decimals: number): string => {
  const digits = fractionDigits(amount);
  const shown = shownAmount(amount);
  const has = `${shown ?? 'The amount'} has ${digits} ${plural(digits, 'decimal')}; ${currency} has ${decimals}.`;
  const better = shown === undefined || !grouped('.').test(amount) ? undefined : rewritten(amount, decimals);
  if (better === undefined) return `${has} Write no more than that: nothing is rounded here.`;
  return `${has} If the point separates thousands, write ${better.as}.`;
};
