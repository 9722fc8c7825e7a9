import { unguardedCell } from '../../../report/csv-report.ts';
import type { PayoutField } from '../../field-table.ts';
import type { Shown } from './number-formats.ts';
import { decimalOfNumber } from './number-text.ts';
import type { CellSources } from './open-workbook.ts';
import { damaged } from './refusals.ts';
import type { SheetCell } from './sheet-rows.ts';

export type Mistake = readonly [code: string, message: string];

const asText = 'Format the column as Text and write it again.';

/**
 * The text of a number's cell, or the reason why the column takes no such number.
 *
 * @param at the cell's name, such as B7
 */
const readNumber = (cell: SheetCell, at: string, field: PayoutField | undefined, shown: Shown): string | Mistake => {
  if (shown === 'date')
    return ['cell_is_date', `Cell ${at} is a date or a time. A spreadsheet may have made it one. ${asText}`];
  if (field === undefined) return decimalOfNumber(cell.text) ?? cell.text;
  if (field !== 'amount')
    return ['number_not_text', `Cell ${at} is a number, which loses zeros in front and long digits. ${asText}`];
  if (shown !== undefined) {
    const how = shown === 'percent' ? 'as a percentage' : 'divided by a thousand';
    return [
      'amount_format',
      `Cell ${at} is shown ${how}, so it is not the amount that you see. Format it as a number.`,
    ];
  }
  const decimal = decimalOfNumber(cell.text);
  if (decimal !== undefined) return decimal;
  const how = 'Round it in its formula, such as =ROUND(A1*1.1,2), or write it as text.';
  return ['amount_not_exact', `Cell ${at} holds more digits than the 15 that a spreadsheet shows. ${how}`];
};

/** The text of a text cell, as stored. */
export const textOf = ({ type, text }: SheetCell, strings: readonly string[]): string => {
  if (type !== 's') return text;
  const shared = /^\d{1,7}$/.test(text) ? strings[Number(text)] : undefined;
  if (shared === undefined) throw damaged();
  return shared;
};

/** The names of the columns, by the cells of a header row. Empty for a blank cell, `?` for a refused one, such as a date. */
export const namesOf = (cells: readonly SheetCell[], sources: CellSources): readonly string[] => {
  const names = Array.from({ length: (cells.at(-1)?.column ?? -1) + 1 }, () => '');
  for (const cell of cells) {
    const read = readCell(cell, '', undefined, sources);
    names[cell.column] = typeof read === 'string' ? read : '?';
  }
  return names;
};

/** The text of a cell, or the reason why it is refused. Throws FileRefused when the cell is damaged. */
export const readCell = (
  cell: SheetCell,
  at: string,
  field: PayoutField | undefined,
  { strings, formats }: CellSources,
): string | Mistake => {
  switch (cell.type) {
    case 's':
    case 'str':
    case 'inlineStr':
      return unguardedCell(textOf(cell, strings).trim());
    case 'n':
      if (cell.text.trim() !== '') return readNumber(cell, at, field, formats[cell.style]);
      if (!cell.hasFormula) return '';
      return [
        'formula_without_value',
        `Cell ${at} has a formula whose value was not saved. Open the file in a spreadsheet, save it, and upload that.`,
      ];
    case 'd':
      return ['cell_is_date', `Cell ${at} is a date. ${asText}`];
    case 'b':
      return ['value_not_text', `Cell ${at} is TRUE or FALSE. ${asText}`];
    case 'e':
      return ['cell_error', `Cell ${at} shows an error, such as #N/A. Correct its formula.`];
    default:
      throw damaged();
  }
};
