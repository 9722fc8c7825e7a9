import { firstHidden, hasHidden, isBroken, joinLines } from '../readable-text.ts';
import { checkExtras } from './extra-columns.ts';
import type { PayoutField } from './field-table.ts';
import { fieldTable } from './field-table.ts';
import type { FileRow, Problem } from './fields.ts';
import { payoutFields } from './fields.ts';

const printableAscii = /^[\x20-\x7e]*$/;
const freeTexts: ReadonlySet<PayoutField> = new Set(payoutFields.filter((field) => fieldTable[field].isFreeText));

const joined = (text: string): string => (printableAscii.test(text) ? text : joinLines(text));

/** A field's text as it is paid: free text is on one line. */
export const onOneLine = (row: FileRow, field: PayoutField): string =>
  row.isPlain || !freeTexts.has(field) ? row[field] : joined(row[field]);

/** Length in code points; a character beyond U+FFFF has two UTF-16 units. Counts only when the units exceed the limit. */
const lengthOf = (text: string, most: number): number => (text.length > most ? [...text].length : text.length);

/**
 * The row with its texts cut to the most UTF-16 units that a field may have. Longer ones are refused already, but the
 * rest of the row is still checked. A megabyte of text, tried as every kind of address, would keep planning busy for
 * minutes.
 */
export const cutToLimits = (row: FileRow): FileRow => {
  const texts = payoutFields.map((field) => [field, row[field].slice(0, 2 * fieldTable[field].most)]);
  return { ...row, ...Object.fromEntries(texts) };
};

/** Most such files come from a spreadsheet on Windows, or from an export that broke the text before. */
const notUtf8 = (field: PayoutField): string =>
  `"${field}" has a letter that is not UTF-8. The file is probably saved as Windows-1252 (ANSI): save it as "CSV UTF-8".`;

/** The code point, in a form that a person can look up. */
const hiddenCode = (text: string): string => {
  const code = firstHidden(text)?.codePointAt(0);
  return code === undefined ? '' : ` (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
};

/** Checks the characters of a row's fields, whatever the fields mean. */
export const checkText = (row: FileRow, problem: Problem): void => {
  checkExtras(row.extras, problem);
  if (row.isPlain) return;
  for (const field of payoutFields) {
    const value = row[field];
    if (value === '') continue;
    const most = fieldTable[field].most;
    // Joining the lines of a text that is too long by far would take long.
    const sent = freeTexts.has(field) && value.length <= 2 * most ? joined(value) : value;
    const length = lengthOf(sent, most);
    if (length > most) problem(field, 'value_too_long', `"${field}" has ${length} characters. Write at most ${most}.`);
    else if (printableAscii.test(value)) continue;
    // A file that contains U+FFFD itself was broken by an earlier export.
    else if (isBroken(value)) problem(field, 'invalid_utf8', notUtf8(field));
    else if (hasHidden(sent))
      problem(
        field,
        'control_character',
        `"${field}" has an invisible character${hiddenCode(sent)}. Empty the cell and type the text again.`,
      );
  }
};
