import type { RowError } from '../../batch.ts';
import { unguardedCell } from '../../csv-report.ts';
import { ExtraColumns, noExtras } from '../extra-columns.ts';
import type { FileRow, PayoutField } from '../fields.ts';
import { fileRow, payoutFields, refuseFile, shownName } from '../fields.ts';
import type { CsvHeader } from './header.ts';
import { csvHeader } from './header.ts';
import type { Shown } from './xlsx/number-formats.ts';
import { readNumberFormats } from './xlsx/number-formats.ts';
import { decimalOfNumber } from './xlsx/number-text.ts';
import { damaged, saveAsCsv } from './xlsx/refusals.ts';
import { readSharedStrings } from './xlsx/shared-strings.ts';
import type { SheetCell, SheetColumns, SheetRow } from './xlsx/sheet-rows.ts';
import { columnLetters, sheetRows } from './xlsx/sheet-rows.ts';
import { findParts } from './xlsx/workbook.ts';
import { openZip } from './xlsx/zip-parts.ts';

/** A workbook is in memory whole, since its parts stand in any order. A hundred thousand rows have some 10 MiB. */
const maxWorkbookBytes = 32 * 1024 * 1024;
const maxSheetBytes = 256 * 1024 * 1024;

/** Payouts of one workbook. */
export const maxWorkbookRows = 100_000;

/** Characters of all cells together. One shared text of 32,767 may stand in each of a million cells. */
const maxTextLength = 256 * 1024 * 1024;

const tooLarge = (what: string) => refuseFile('workbook_too_large', `${what} ${saveAsCsv}`);

const gathered = async (blocks: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = [];
  let length = 0;
  for await (const block of blocks) {
    all.push(block);
    length += block.length;
    if (length > maxWorkbookBytes) throw tooLarge(`A workbook may have at most ${maxWorkbookBytes} bytes.`);
  }
  return Buffer.concat(all);
};

/** What cells refer to. */
interface Workbook {
  readonly strings: readonly string[];
  readonly formats: readonly Shown[];
}

type Mistake = readonly [code: string, message: string];

const asText = 'Format the column as Text and write it again.';

/** A number's text where the column takes numbers, and why not elsewhere. `at` is where it stands. */
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

/** The text of a cell, or why it is none. */
const readCell = (
  cell: SheetCell,
  at: string,
  field: PayoutField | undefined,
  workbook: Workbook,
): string | Mistake => {
  switch (cell.type) {
    case 's': {
      const text = /^\d{1,7}$/.test(cell.text) ? workbook.strings[Number(cell.text)] : undefined;
      if (text === undefined) throw damaged();
      return unguardedCell(text.trim());
    }
    case 'str':
    case 'inlineStr':
      return unguardedCell(cell.text.trim());
    case 'n':
      if (cell.text.trim() !== '') return readNumber(cell, at, field, workbook.formats[cell.style]);
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

const cellName = (column: number, row: number): string => `${columnLetters(column)}${row}`;

/** The fields by their columns. */
const fieldsOf = ({ positions }: CsvHeader): ReadonlyMap<number, PayoutField> =>
  new Map(
    payoutFields.flatMap((field) => {
      const position = positions[field];
      return position === undefined ? [] : [[position, field] as const];
    }),
  );

/** Makes rows of a sheet's: the first with a text is the header, blank ones do not count. */
const rowMaker = (workbook: Workbook, extraColumns: ExtraColumns) => {
  let header: CsvHeader | undefined;
  let fields: ReadonlyMap<number, PayoutField> = new Map();
  let row = 0;
  let textLength = 0;

  const headerOf = (texts: ReadonlyMap<number, string>, columns: SheetColumns): CsvHeader => {
    const last = Math.max(...texts.keys());
    const read = csvHeader(
      Array.from({ length: last + 1 }, (_, column) => texts.get(column) ?? ''),
      extraColumns,
    );
    const hidden = [...texts].find(([column, text]) => text !== '' && columns.isHidden(column));
    if (hidden !== undefined) {
      const message = `Column ${columnLetters(hidden[0])}, "${shownName(hidden[1])}", is hidden. Show it, or delete it.`;
      throw refuseFile('column_hidden', message);
    }
    return read;
  };
  const payoutRow = (
    { number, isHidden }: SheetRow,
    cells: ReadonlyMap<number, string | Mistake>,
    { positions, columns, extras }: CsvHeader,
  ): FileRow => {
    row++;
    if (row > maxWorkbookRows) throw tooLarge(`A workbook may have at most ${maxWorkbookRows} payouts.`);
    const problems: RowError[] = [];
    const beside = [...cells].find(([column, text]) => column >= columns && text !== '');
    if (beside !== undefined) {
      const message = `Cell ${cellName(beside[0], number)} has a value, and its column has no name. Name the column, or clear it.`;
      problems.push({ row, column: '', code: 'wrong_number_of_fields', message });
    }
    if (isHidden) {
      const message = `Row ${number} of the sheet is hidden, by a filter perhaps. Show it, or delete it.`;
      problems.push({ row, column: '', code: 'row_hidden', message });
    }
    const textAt = (position: number, name: string): string => {
      const read = cells.get(position) ?? '';
      if (typeof read === 'string') return read;
      problems.push({ row, column: name, code: read[0], message: read[1] });
      return '';
    };
    const textOf = (field: PayoutField): string => {
      const position = positions[field];
      return position === undefined ? '' : textAt(position, field);
    };
    const ofExtras = extras.map(({ name, position }) => [name, textAt(position, shownName(name))]);
    const given = extras.length === 0 ? noExtras : Object.fromEntries(ofExtras);
    return fileRow(row, number, textOf, problems, () => false, given);
  };

  return (sheetRow: SheetRow, columns: SheetColumns): FileRow | undefined => {
    const cells = new Map<number, string | Mistake>();
    for (const cell of sheetRow.cells) {
      const at = cellName(cell.column, sheetRow.number);
      const read = readCell(cell, at, fields.get(cell.column), workbook);
      textLength += typeof read === 'string' ? read.length : 0;
      if (read !== '') cells.set(cell.column, read);
    }
    if (textLength > maxTextLength) throw tooLarge('The cells have too much text.');
    if (cells.size === 0) return undefined;
    if (header !== undefined) return payoutRow(sheetRow, cells, header);
    const texts = new Map([...cells].map(([column, read]) => [column, typeof read === 'string' ? read : '?']));
    header = headerOf(texts, columns);
    fields = fieldsOf(header);
    return undefined;
  };
};

/**
 * Rows of a workbook's first sheet, a block at a time. A text is taken as it is and a formula as its last value; of numbers
 * only amounts are taken, as the decimals that they show. What else a workbook has, macros too, is not looked at.
 */
export async function* readXlsx(
  blocks: AsyncIterable<Buffer>,
  extraColumns = new ExtraColumns(),
): AsyncGenerator<readonly FileRow[]> {
  const zip = await openZip(await gathered(blocks));
  const parts = await findParts(zip);
  const formats = await readNumberFormats(zip, parts.styles);
  const strings = await readSharedStrings(zip, parts.sharedStrings);
  const rowOf = rowMaker({ strings, formats }, extraColumns);
  for await (const { rows, columns } of sheetRows(zip.read(parts.sheet, maxSheetBytes)))
    yield rows.flatMap((row) => rowOf(row, columns) ?? []);
}
