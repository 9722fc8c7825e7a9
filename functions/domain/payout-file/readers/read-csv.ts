import type { RowError } from '../../batch/plan.ts';
import { unguardedCell } from '../../report/csv-report.ts';
import { ExtraColumns } from '../extra-columns.ts';
import type { PayoutField } from '../field-table.ts';
import { fieldTable } from '../field-table.ts';
import type { Extras, FileRow } from '../fields.ts';
import { fileRow, noExtras, refuseFile } from '../fields.ts';
import type { CsvRecords, Dialect } from './csv-records.ts';
import { csvRecords } from './csv-records.ts';
import type { CsvHeader } from './header.ts';
import { csvDialect, csvHeader, withoutSeparatorLine } from './header.ts';

const cutOff = 'It is the last row and has no line end: the file was probably cut off. Export or upload it again.';

const noProblems: readonly RowError[] = [];

/**
 * Matches a cell that needs no cleaning, the usual case: printable ASCII, without spaces around it or a quote that
 * guards a formula.
 */
const asItIs = /^[!-&(-~](?:[ -&(-~]*[!-&(-~])?$/;

/** The text of a cell that was read with one character per byte. */
export const cellText = (bytes: string): string =>
  asItIs.test(bytes) ? bytes : unguardedCell(Buffer.from(bytes, 'latin1').toString('utf8').trim());

/**
 * True for a cell that certainly has text, the usual case. It begins with printable ASCII, but not with a space or a
 * quote that guards a formula.
 */
const beginsText = (bytes: string): boolean => {
  const first = bytes.charCodeAt(0);
  return first > 0x27 && first < 0x7f;
};

/** True for a record whose cells are all empty or white space. */
export const isBlank = (record: readonly string[]): boolean =>
  record.every((bytes) => bytes === '' || (!beginsText(bytes) && cellText(bytes) === ''));

/**
 * True when a row has a cell for every named column. Empty cells may follow, and the columns that a corrections file
 * added may be missing.
 */
export const hasWidthOf = (record: readonly string[], { columns, own }: Pick<CsvHeader, 'columns' | 'own'>): boolean =>
  record.length === columns || record.length === own || (record.length > columns && isBlank(record.slice(columns)));

const widthProblem = (record: readonly string[], columns: number, row: number, delimiter: string): RowError => {
  const named = delimiter === '\t' ? 'a tab' : `"${delimiter}"`;
  const hint =
    record.length > columns
      ? `Put quotes around a value that has ${named} in it.`
      : `Write ${named} for each empty field too.`;
  const message = `The row has ${record.length} fields and the header has ${columns}. ${hint}`;
  return { row, column: '', code: 'wrong_number_of_fields', message };
};

/** Works with any delimiter: `sep=;` may parse as one cell or two. */
export const isSeparator = (record: readonly string[]): boolean => withoutSeparatorLine(record.join('').trim()) === '';

const extrasOf = (record: readonly string[], extras: CsvHeader['extras']): Extras =>
  extras.length === 0
    ? noExtras
    : Object.fromEntries(extras.map(({ name, position }) => [name, cellText(record[position] ?? '')]));

/** Makes rows of records. The first record is the header. Blank records are skipped. */
const rowMaker = ({ delimiter }: Dialect, extraColumns: ExtraColumns) => {
  let header: CsvHeader | undefined;
  let row = 0;
  // State of the current row. Kept here because two closures per row would be slow for a million rows.
  let record: readonly string[] = [];
  let isPlain = true;
  const textOf = (field: PayoutField): string => {
    const position = header?.positions[field];
    const bytes = position === undefined ? '' : record[position];
    if (bytes === undefined || bytes === '') return '';
    if (asItIs.test(bytes) && bytes.length <= fieldTable[field].most) return bytes;
    isPlain = false;
    return cellText(bytes);
  };
  const wasPlain = (): boolean => isPlain;
  const rowOf = (line: number, known: CsvHeader, isOpen: boolean): FileRow => {
    row++;
    isPlain = true;
    const { columns } = known;
    // A row cut off in its last own column is as wide as a row without the corrections columns. So the last, open row
    // needs the full width.
    const widths = isOpen ? { columns, own: columns } : known;
    const problems = hasWidthOf(record, widths) ? noProblems : [widthProblem(record, columns, row, delimiter)];
    return fileRow(row, line, textOf, problems, extrasOf(record, known.extras), wasPlain);
  };
  return {
    nextRow: () => row + 1,
    rowsOf: ({ records, lines, isOpen }: CsvRecords): FileRow[] => {
      const rows: FileRow[] = [];
      let index = -1;
      for (record of records) {
        index++;
        if (isBlank(record)) continue;
        if (header === undefined && isSeparator(record)) continue;
        if (header === undefined) header = csvHeader(record.map(cellText), extraColumns);
        else rows.push(rowOf(lines(index), header, isOpen));
      }
      return rows;
    },
  };
};

/** Reads a CSV's rows, block by block. Detects the delimiter and the line ends from the header line. */
export async function* readCsv(
  blocks: AsyncIterable<Buffer>,
  headerLine: string,
  extraColumns = new ExtraColumns(),
): AsyncGenerator<readonly FileRow[]> {
  const dialect = csvDialect(headerLine);
  const maker = rowMaker(dialect, extraColumns);
  for await (const read of csvRecords(blocks, dialect, maker.nextRow)) {
    if ('refusal' in read) throw read.refusal;
    const rows = maker.rowsOf(read);
    // An error in a last row without a line end probably means that the file is cut off.
    const [problem] = read.isOpen ? rows.flatMap(({ problems }) => problems) : [];
    if (problem !== undefined)
      throw refuseFile('malformed_csv', `${problem.message} ${cutOff}`, problem.row, rows[0]?.line);
    yield rows;
  }
}
