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
      { number: line, isHidden, cells }: SheetRow,
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
 * Writes a workbook as it was, with two more columns: each row's error and its number in the sheet. The first row that is not
 * blank is the header. Other rows are written if they have an error, or all of them with `withGoodRows`. They then keep their
 * numbers, which messages mention. Corrected in place, the file can be uploaded again.
 */
export async function* writeXlsxCorrections(
  blocks: AsyncIterable<Buffer>,
  { errorOf, withGoodRows }: Corrections,
): AsyncGenerator<Uint8Array> {
  const workbook = await openWorkbook(blocks);
  const packed = packedWorkbook(workbook.isFrom1904);
  const withoutBlanks = (row: SheetRow): SheetRow => ({
    ...row,
    cells: row.cells.filter((cell) => readCell(cell, '', undefined, workbook) !== ''),
  });
  let writer: ReturnType<typeof rowWriter> | undefined;
  let row = 0;
  let last = 0;
  for await (const { rows } of workbook.rows) {
    for (const filled of rows.map(withoutBlanks).filter(({ cells }) => cells.length > 0)) {
      const error = await errorOf(row++);
      if (writer !== undefined && error === undefined && !withGoodRows) continue;
      last = withGoodRows ? filled.number : last + 1;
      if (writer === undefined) {
        writer = rowWriter(namesOf(filled.cells, workbook), workbook);
        packed.write(writer.begin(last, error));
      } else for (const xml of writer.row(last, filled, error)) packed.write(xml);
    }
    yield* packed.take();
  }
  packed.end();
  yield* packed.take();
}
