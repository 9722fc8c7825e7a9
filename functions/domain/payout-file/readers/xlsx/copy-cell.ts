import { guardedCell } from '../../../report/csv-report.ts';
import type { PayoutField } from '../../field-table.ts';
import { styleOf, textCell, valueCell } from '../../written-workbook.ts';
import type { Shown } from './number-formats.ts';
import { isNumber } from './number-text.ts';
import type { CellSources } from './open-workbook.ts';
import { textOf } from './read-cell.ts';
import type { SheetCell } from './sheet-rows.ts';

const numberStyle = (source: string, shown: Shown, field: PayoutField | undefined) => {
  if (shown === 'date') return source.includes('.') ? 'dateAndTime' : 'date';
  // Text format, so that a corrected value stays as it is typed.
  return shown ?? (field === 'amount' ? 'plain' : 'text');
};

/** Errors that Excel knows. It calls a workbook with any other one damaged. */
const knownErrors = ['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A'];

/** True for an XML schema date, with or without a time. */
const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z?)?$/.test(text);

/**
 * Copies a cell as written: texts as texts, numbers as numbers, formulas as their values. A refused value keeps its
 * type (such as a number where a text belongs), because only its writer knows what was meant. A value that no
 * spreadsheet would show becomes an error.
 *
 * @param field what its column means, if it is a known one
 */
export const copied = (
  cell: SheetCell,
  { strings, formats }: CellSources,
  field: PayoutField | undefined,
  isBad: boolean,
  at: string,
) => {
  const error = (text: string): string => valueCell(text, styleOf('text', isBad), `${at}t="e" `);
  const text = (from: string): string => {
    const mayBeTyped = field === 'amount' && guardedCell(from) === from;
    return textCell(from, styleOf(mayBeTyped ? 'plain' : 'text', isBad), at);
  };
  switch (cell.type) {
    case 's':
    case 'str':
    case 'inlineStr':
      return text(textOf(cell, strings));
    case 'n': {
      if (cell.text.trim() === '') return error('#N/A');
      const style = numberStyle(cell.text, formats[cell.style], field);
      if (isNumber(cell.text)) return valueCell(cell.text, styleOf(style, isBad), at);
      return field !== undefined || formats[cell.style] === 'date' ? error('#NUM!') : text(cell.text);
    }
    case 'd':
      return isDate(cell.text) ? valueCell(cell.text, styleOf('dateAndTime', isBad), `${at}t="d" `) : error('#VALUE!');
    case 'b':
      return valueCell(cell.text === '0' ? '0' : '1', styleOf('text', isBad), `${at}t="b" `);
    default:
      return error(knownErrors.includes(cell.text) ? cell.text : '#VALUE!');
  }
};
