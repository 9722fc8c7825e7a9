import { strToU8, zipSync } from 'fflate';
import { ownReferenceLimit } from '../../payout/retries.ts';
import { extraLimit } from '../extra-columns.ts';
import { fieldTable } from '../field-table.ts';
import { payoutFields } from '../fields.ts';
import type { WrittenColumn } from '../written-workbook.ts';
import { beginSheet, endSheet, sheetPart, styleOf, textRow, workbookParts, zipTime } from '../written-workbook.ts';

/** A sheet whose first row stays visible. */
const sheetXml = (columns: readonly WrittenColumn[], rows: readonly string[]): string =>
  `${beginSheet(columns, 1)}${rows.join('')}${endSheet}`;

/**
 * Columns are text, so that leading zeros and other input stay unchanged. Amounts are numbers, so that users may type
 * their country's decimal comma.
 */
const payouts = sheetXml(
  payoutFields.map((field) => ({ width: 18, style: styleOf(field === 'amount' ? 'plain' : 'text') })),
  [textRow(payoutFields, () => styleOf('heading'))],
);

const helpRow = (texts: readonly string[]): string => textRow(texts, () => styleOf('text'));
const ownColumns = 'Your own columns, such as x-department. The results have them too';

const help = sheetXml(
  [16, 16, 12, 70, 40].map((width) => ({ width, style: styleOf('text') })),
  [
    textRow(['column', 'needed', 'characters', 'what', 'example'], () => styleOf('heading')),
    ...payoutFields.map((field) => {
      const { most, needed, what, example } = fieldTable[field];
      return helpRow([field, needed, `up to ${field === 'reference' ? ownReferenceLimit : most}`, what, example]);
    }),
    helpRow(['x-…', 'no', `up to ${extraLimit}`, ownColumns, 'Sales']),
  ],
);

/** A workbook to fill in: one sheet with only the header, and one that explains the columns. */
export const templateWorkbook = (): Buffer => {
  const sheets = { [sheetPart(1)]: strToU8(payouts), [sheetPart(2)]: strToU8(help) };
  return Buffer.from(zipSync({ ...workbookParts(['Payouts', 'Help']), ...sheets }, { mtime: zipTime }));
};
