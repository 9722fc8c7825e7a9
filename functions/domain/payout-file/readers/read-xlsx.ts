import type { RowError } from '../../batch/plan.ts';
import { ExtraColumns } from '../extra-columns.ts';
import type { FileRow, Problem } from '../fields.ts';
import { fileRow, noExtras, refuseFile, shownName } from '../fields.ts';
import type { CsvHeader } from './header.ts';
import { csvHeader } from './header.ts';
import type { CellSources } from './xlsx/open-workbook.ts';
import { openWorkbook } from './xlsx/open-workbook.ts';
import type { Mistake } from './xlsx/read-cell.ts';
import { namesOf, readCell } from './xlsx/read-cell.ts';
import { tooLarge } from './xlsx/refusals.ts';
import type { IsColumnHidden, SheetRow } from './xlsx/sheet-rows.ts';
import { columnLetters } from './xlsx/sheet-rows.ts';

/** The most payouts in a workbook. */
export const maxWorkbookRows = 100_000;

/** Characters of all cells together. One shared string of 32,767 characters may be used by a million cells. */
const maxTextLength = 256 * 1024 * 1024;

const cellName = (column: number, row: number): string => `${columnLetters(column)}${row}`;

/** Makes rows of a sheet's rows. The first that is not blank is the header. Blank rows are skipped. */
const rowMaker = (sources: CellSources, extraColumns: ExtraColumns) => {
  let header: CsvHeader | undefined;
  let row = 0;
  let textLength = 0;

  const headerOf = (names: readonly string[], isColumnHidden: IsColumnHidden): CsvHeader => {
    const read = csvHeader(names, extraColumns);
    const hidden = names.findIndex((name, column) => name !== '' && isColumnHidden(column));
    if (hidden < 0) return read;
    const message = `Column ${columnLetters(hidden)}, "${shownName(names[hidden] ?? '')}", is hidden. Show it, or delete it.`;
    throw refuseFile('column_hidden', message);
  };
  const payoutRow = (
    { number, isHidden }: SheetRow,
    cells: ReadonlyMap<number, string | Mistake>,
    { positions, columns, extras }: CsvHeader,
  ): FileRow => {
    row++;
    if (row > maxWorkbookRows) throw tooLarge(`A workbook may have at most ${maxWorkbookRows} payouts.`);
    const problems: RowError[] = [];
    const problem: Problem = (column, code, message) => problems.push({ row, column, code, message });
    const beside = [...cells].find(([column, text]) => column >= columns && text !== '');
    if (beside !== undefined) {
      const message = `Cell ${cellName(beside[0], number)} has a value, and its column has no name. Name the column, or clear it.`;
      problem('', 'wrong_number_of_fields', message);
    }
    if (isHidden) {
      const message = `Row ${number} of the sheet is hidden, by a filter perhaps. Show it, or delete it.`;
      problem('', 'row_hidden', message);
    }
    const textAt = (position: number | undefined, name: string): string => {
      const read = position === undefined ? '' : (cells.get(position) ?? '');
      if (typeof read === 'string') return read;
      problem(name, ...read);
      return '';
    };
    const ofExtras = extras.map(({ name, position }) => [name, textAt(position, shownName(name))]);
    const extraValues = extras.length === 0 ? noExtras : Object.fromEntries(ofExtras);
    return fileRow(row, number, (field) => textAt(positions[field], field), problems, extraValues);
  };

  return (sheetRow: SheetRow, isColumnHidden: IsColumnHidden): FileRow | undefined => {
    const cells = new Map<number, string | Mistake>();
    for (const cell of sheetRow.cells) {
      const at = cellName(cell.column, sheetRow.number);
      const read = readCell(cell, at, header?.fields.get(cell.column), sources);
      textLength += typeof read === 'string' ? read.length : 0;
      if (read !== '') cells.set(cell.column, read);
    }
    if (textLength > maxTextLength) throw tooLarge('The cells have too much text.');
    if (cells.size === 0) return undefined;
    if (header !== undefined) return payoutRow(sheetRow, cells, header);
    header = headerOf(namesOf(sheetRow.cells, sources), isColumnHidden);
    return undefined;
  };
};

/**
 * Reads the rows of a workbook's first sheet, block by block. Texts are trimmed, and formulas read as their last
 * computed value. Numbers are accepted only in `amount` and `x-` columns. An amount is the stored number, although its format
 * may show fewer decimals. Everything else in a workbook, macros included, is ignored.
 *
 * Throws FileRefused when the workbook, its first sheet or its header cannot be read, or is too large.
 */
export async function* readXlsx(
  blocks: AsyncIterable<Buffer>,
  extraColumns = new ExtraColumns(),
): AsyncGenerator<readonly FileRow[]> {
  const workbook = await openWorkbook(blocks);
  const rowOf = rowMaker(workbook, extraColumns);
  for await (const { rows, isColumnHidden } of workbook.rows)
    yield rows.flatMap((row) => rowOf(row, isColumnHidden) ?? []);
}
