import { isTrue, parsePart } from './part-xml.ts';
import { damaged } from './refusals.ts';
import { runs } from './shared-strings.ts';

/** A cell's content as stored. Numbers stay texts here. */
export interface SheetCell {
  /** From 0. */
  readonly column: number;
  /** `n` number, `s` index of a shared string, `str` and `inlineStr` text, `b` boolean, `e` error, `d` date. */
  readonly type: string;
  readonly style: number;
  readonly text: string;
  readonly hasFormula: boolean;
}

export interface SheetRow {
  /** The row's number in the spreadsheet, from 1. */
  readonly number: number;
  readonly isHidden: boolean;
  readonly cells: readonly SheetCell[];
}

export type IsColumnHidden = (column: number) => boolean;

/** Excel's limits. */
const maxRow = 1_048_576;
const maxColumn = 16_384;

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : undefined;

/** A column's number, from 0, by its letters: A, B, … Z, AA. */
const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** A column's letters, by its number from 0. */
export const columnLetters = (column: number): string => {
  const before = Math.floor(column / 26) - 1;
  return (before < 0 ? '' : columnLetters(before)) + String.fromCharCode(65 + (column % 26));
};

/** Position of a row or cell: the stated one, or the next. Positions must increase. */
const place = (stated: number | undefined, last: number, most: number): number => {
  const at = stated ?? last + 1;
  if (at <= last || at > most) throw damaged();
  return at;
};

/** The rows of a sheet that have cells, in order, block by block. */
export async function* sheetRows(blocks: AsyncIterable<Buffer>) {
  const hiddenColumns: (readonly [from: number, to: number])[] = [];
  const isColumnHidden: IsColumnHidden = (column) => hiddenColumns.some(([from, to]) => column >= from && column <= to);
  let rows: SheetRow[] = [];
  let isInData = false;
  let areRowsHidden = false;
  let row = { number: 0, isHidden: false, cells: [] as SheetCell[] };
  let cell = { column: -1, type: 'n', style: 0, text: '', hasFormula: false, hasValue: false };
  const read = runs();

  const beginRow = (attributes: Readonly<Record<string, string>>): void => {
    const number = place(wholeNumber(attributes['r']), row.number, maxRow);
    row = { number, isHidden: isTrue(attributes['hidden'] ?? String(areRowsHidden)), cells: [] };
    cell = { ...cell, column: -1 };
  };
  const beginCell = (attributes: Readonly<Record<string, string>>): void => {
    const [, letters, digits] = /^([A-Z]{1,3})(\d{1,7})$/.exec(attributes['r'] ?? '') ?? [];
    if (attributes['r'] !== undefined && Number(digits) !== row.number) throw damaged();
    const stated = letters === undefined ? undefined : columnOf(letters);
    const column = place(stated, cell.column, maxColumn - 1);
    const style = wholeNumber(attributes['s']) ?? 0;
    cell = { column, type: attributes['t'] ?? 'n', style, text: '', hasFormula: false, hasValue: false };
    read.begin();
  };
  const endCell = (): void => {
    const { hasValue, ...rest } = cell;
    if (hasValue || cell.hasFormula) row.cells.push({ ...rest, text: read.end() });
  };

  const parsing = parsePart(blocks, {
    open: (name, attributes) => {
      if (name === 'sheetData') isInData = true;
      else if (name === 'sheetFormatPr') areRowsHidden = isTrue(attributes['zeroHeight']);
      else if (name === 'col' && isTrue(attributes['hidden']))
        hiddenColumns.push([Number(attributes['min']) - 1, Number(attributes['max']) - 1]);
      if (!isInData) return;
      if (name === 'row') beginRow(attributes);
      else if (name === 'c') beginCell(attributes);
      else if (name === 'f') cell.hasFormula = true;
      else if (name === 'v' || name === 'is') cell.hasValue = true;
      read.open(name);
    },
    text: (text) => {
      if (isInData) read.text(text);
    },
    close: (name) => {
      if (!isInData) return;
      read.close(name);
      if (name === 'c') endCell();
      else if (name === 'row' && row.cells.length > 0) rows.push(row);
      else if (name === 'sheetData') isInData = false;
    },
  });
  for (let next = await parsing.next(); next.done !== true; next = await parsing.next()) {
    if (rows.length > 0) yield { rows, isColumnHidden };
    rows = [];
  }
}
