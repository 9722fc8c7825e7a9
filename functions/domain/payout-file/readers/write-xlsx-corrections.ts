import { fieldNamed } from '../fields.ts';
import { packedWorkbook } from '../packed-workbook.ts';
import { beginSheet, styleOf, textCell, valueCell } from '../written-workbook.ts';
import { correctionColumns, correctionPositions } from './header.ts';
import type { Corrections } from './write-corrections.ts';
import { copied } from './xlsx/copy-cell.ts';
import type { CellSources } from './xlsx/open-workbook.ts';
import { openWorkbook } from './xlsx/open-workbook.ts';
import { namesOf, readCell } from './xlsx/read-cell.ts';
import type { SheetCell, SheetRow } from './xlsx/sheet-rows.ts';
import { columnLetters } from './xlsx/sheet-rows.ts';

/** A header further down is not frozen: it would fill the screen. */
const maxRowsInSight = 20;

const place = (column: number, row: number): string => `r="${columnLetters(column)}${row}" `;

/**
 * Writes the rows of a sheet whose header has these names. Replaces the errors of an earlier corrections file with the
 * current ones.
 */
const rowWriter = (names: readonly string[], sources: CellSources) => {
  const corrections = correctionPositions(names);
  const columns = names.findLastIndex((name) => name.trim() !== '') + 1;
  const positions = Array.from({ length: columns }, (_, position) => position).filter((at) => !corrections.has(at));
  const own = positions.map((position) => fieldNamed(names[position] ?? ''));
  const widths = [
    ...own.map((field) => ({ width: 18, style: styleOf(field === 'amount' ? 'plain' : 'text') })),
    ...[90, 8].map((width) => ({ width, style: styleOf('text') })),
  ];

  const ownCells = function* (number: number, cells: readonly SheetCell[], isBad: boolean): Generator<string> {
    const byColumn = new Map(cells.map((cell) => [cell.column, cell]));
    for (const [at, field] of own.entries()) {
      const cell = byColumn.get(positions[at] ?? -1);
      if (cell !== undefined) yield copied(cell, sources, field, isBad, place(at, number));
      else if (isBad) yield `<c ${place(at, number)}s="${styleOf(field === 'amount' ? 'plain' : 'text', true)}"/>`;
    }
  };
  return {
    begin: (number: number, headerError: string | undefined): string => {
      const texts = [...positions.map((position) => names[position] ?? ''), ...correctionColumns(headerError)];
      const style = styleOf('heading', headerError !== undefined);
      const cells = texts.map((text, at) => textCell(text, style, place(at, number)));
      return `${beginSheet(widths, number <= maxRowsInSight ? number : 0)}<row r="${number}">${cells.join('')}</row>`;
    },
    row: function* (
      number: number,
      { number: line, isHidden }: SheetRow,
      cells: readonly SheetCell[],
      error: string | undefined,
    ): Generator<string> {
      yield `<row r="${number}"${isHidden ? ' hidden="1"' : ''}>`;
      yield* ownCells(number, cells, error !== undefined);
      if (error !== undefined) {
        yield textCell(error, styleOf('text', true), place(own.length, number));
        yield valueCell(`${line}`, styleOf('plain', true), place(own.length + 1, number));
      }
      let at = own.length + 2;
      for (const cell of cells)
        if (cell.column >= columns) yield copied(cell, sources, undefined, error !== undefined, place(at++, number));
      yield '</row>';
    },
  };
};

/**
 * Writes a sheet's rows again. The first row that is not blank is the header. Other rows are written if they have an
 * error, or all of them with `withGoodRows`.
 */
const sheetWriter = (sources: CellSources, { errorOf, withGoodRows }: Corrections) => {
  let writer: ReturnType<typeof rowWriter> | undefined;
  let row = -1;
  let last = 0;
  return async (sheetRow: SheetRow, write: (xml: string) => void): Promise<void> => {
    const cells = sheetRow.cells.filter((cell) => readCell(cell, '', undefined, sources) !== '');
    if (cells.length === 0) return;
    row++;
    const found = errorOf(row);
    const error = typeof found === 'object' ? await found : found;
    if (row > 0 && error === undefined && !withGoodRows) return;
    last = withGoodRows ? sheetRow.number : last + 1;
    if (writer !== undefined) for (const xml of writer.row(last, sheetRow, cells, error)) write(xml);
    else {
      writer = rowWriter(namesOf(cells, sources), sources);
      write(writer.begin(last, error));
    }
  };
};

/**
 * Writes a workbook as it was, with two more columns: each row's error and its number in the sheet. When all rows are
 * included they keep their numbers, which messages mention. Corrected in place, the file can be uploaded again.
 */
export async function* writeXlsxCorrections(
  blocks: AsyncIterable<Buffer>,
  corrections: Corrections,
): AsyncGenerator<Uint8Array> {
  const workbook = await openWorkbook(blocks);
  const packed = packedWorkbook(workbook.isFrom1904);
  const writeRow = sheetWriter(workbook, corrections);
  for await (const { rows } of workbook.rows) {
    for (const row of rows) await writeRow(row, packed.write);
    yield* packed.take();
  }
  packed.end();
  yield* packed.take();
}
