import { guardedCell } from '../../../report/csv-report.ts';
import { fieldNamed } from '../../fields.ts';
import { styleOf, textCell, valueCell } from '../../written-workbook.ts';
import type { Shown } from './number-formats.ts';
import { isNumber } from './number-text.ts';
import type { CellSources } from './open-workbook.ts';
import { textOf } from './read-cell.ts';
import type { SheetCell } from './sheet-rows.ts';

/** A column that comes back. */
export interface OwnColumn {
  readonly isAmount: boolean;
  readonly isField: boolean;
}

export const ownColumn = (name: string): OwnColumn => {
  const field = fieldNamed(name);
  return { isAmount: field === 'amount', isField: field !== undefined };
};

const numberStyle = (source: string, shown: Shown, { isAmount }: OwnColumn) => {
  if (shown === 'date') return source.includes('.') ? 'dateAndTime' : 'date';
  // As text, so that what is typed in its place stays as it is typed.
  return shown ?? (isAmount ? 'plain' : 'text');
};

/** Errors that a spreadsheet knows: it takes a workbook with another for damaged. */
const knownErrors = ['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A'];

/** As XML schema writes a date, or a date and a time. */
const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z?)?$/.test(text);

/**
 * A cell as it was written: a text as it is, a number as a number, a formula as its value. What is refused for what it is, such as a
 * number in place of a text, stays that: only whoever wrote it knows what was meant. What no spreadsheet would show is an error.
 */
export const copied = (
  cell: SheetCell,
  { strings, formats }: CellSources,
  column: OwnColumn,
  isBad: boolean,
  at: string,
) => {
  const error = (text: string): string => valueCell(text, styleOf('text', isBad), `${at}t="e" `);
  const text = (from: string): string => {
    const mayBeTyped = column.isAmount && guardedCell(from) === from;
    return textCell(from, styleOf(mayBeTyped ? 'plain' : 'text', isBad), at);
  };
  switch (cell.type) {
    case 's':
    case 'str':
    case 'inlineStr':
      return text(textOf(cell, strings));
    case 'n': {
      if (cell.text.trim() === '') return error('#N/A');
      const style = numberStyle(cell.text, formats[cell.style], column);
      if (isNumber(cell.text)) return valueCell(cell.text, styleOf(style, isBad), at);
      return column.isField || formats[cell.style] === 'date' ? error('#NUM!') : text(cell.text);
    }
    case 'd':
      return isDate(cell.text) ? valueCell(cell.text, styleOf('dateAndTime', isBad), `${at}t="d" `) : error('#VALUE!');
    case 'b':
      return valueCell(cell.text === '0' ? '0' : '1', styleOf('text', isBad), `${at}t="b" `);
    default:
      return error(knownErrors.includes(cell.text) ? cell.text : '#VALUE!');
  }
};
