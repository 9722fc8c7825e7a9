import { Parser } from 'csv-parse';
import type { RowError } from '../batch.ts';
import { unguardedCell } from '../csv-report.ts';
import type { CsvHeader } from './csv-header.ts';
import { csvDialect, csvHeader } from './csv-header.ts';
import type { FileRow, PayoutField } from './fields.ts';
import { fileRow, refuseFile } from './fields.ts';

/** No row has so many bytes: an opened quote that nobody closes would otherwise gather the whole file in memory. */
const maxRecordBytes = 1_048_576;

/**
 * Takes each record where csv-parse hands it over. Read as a stream, a million records would wait in its queue and be
 * fetched one by one, which costs as much as parsing them.
 */
class RecordParser extends Parser {
  readonly records: string[][] = [];

  override push(record: unknown): boolean {
    if (record === null) return super.push(null);
    if (Array.isArray(record)) this.records.push(record);
    return true;
  }
}

/** Hands a block over, or the file's end, and answers what csv-parse finds wrong. */
const parse = (parser: RecordParser, block: Buffer | undefined): Promise<Error | null | undefined> =>
  new Promise((resolve) => {
    if (block === undefined) parser.end(resolve);
    else parser.write(block, resolve);
  });

const malformed: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quoted field is opened and never closed.',
  CSV_INVALID_CLOSING_QUOTE: 'A quoted field goes on after its closing quote; a quote inside one is written twice.',
  INVALID_OPENING_QUOTE: 'A quote stands inside a field that is not quoted; quote the field and write it twice.',
};

/** csv-parse says what is wrong with quoting from some row on; what follows cannot be told apart any more. */
const refusalOf = (error: Error, row: number): Error => {
  const message = 'code' in error ? malformed[String(error.code)] : undefined;
  return message === undefined ? error : refuseFile('malformed_csv', `${message} Nothing after it can be read.`, row);
};

const isBlank = (record: readonly string[]): boolean => record.every((value) => value.trim() === '');

const widthProblem = (record: readonly string[], columns: number, row: number): readonly RowError[] => {
  if (record.length > columns && isBlank(record.slice(columns))) return [];
  const message = `The row has ${record.length} fields and the header has ${columns}; a field with a delimiter in it needs quotes.`;
  return [{ row, column: '', code: 'wrong_number_of_fields', message }];
};

/** Makes rows of records: the first is the header, blank ones do not count. */
const rowMaker = () => {
  let header: CsvHeader | undefined;
  let row = 0;
  const rowOf = (record: readonly string[], { positions, columns }: CsvHeader): FileRow => {
    row++;
    const textOf = (field: PayoutField): string => {
      const value = record[positions.get(field) ?? -1];
      return value === undefined || value === '' ? '' : unguardedCell(value.trim());
    };
    return fileRow(row, textOf, record.length === columns ? [] : widthProblem(record, columns, row));
  };
  return {
    next: () => row + 1,
    rowsOf: (records: readonly string[][]): FileRow[] => {
      const rows: FileRow[] = [];
      for (const record of records) {
        if (isBlank(record)) continue;
        if (header === undefined) header = csvHeader(record);
        else rows.push(rowOf(record, header));
      }
      return rows;
    },
  };
};

/** Rows of a CSV, a block at a time. Delimiter and line ends are found in the line of the header. */
export async function* readCsv(blocks: AsyncIterable<Buffer>, headerLine: string): AsyncGenerator<readonly FileRow[]> {
  const parser = new RecordParser({ ...csvDialect(headerLine), relax_column_count: true, skip_empty_lines: true });
  // Without a listener the stream would throw what the write's callback reports already.
  parser.on('error', () => undefined);
  const maker = rowMaker();
  let bytesWithoutRecord = 0;
  const take = async function* (block?: Buffer): AsyncGenerator<readonly FileRow[]> {
    const failure = await parse(parser, block);
    const records = parser.records.splice(0);
    yield maker.rowsOf(records);
    if (failure) throw refusalOf(failure, maker.next());
    bytesWithoutRecord = records.length > 0 || block === undefined ? 0 : bytesWithoutRecord + block.length;
    if (bytesWithoutRecord <= maxRecordBytes) return;
    const message = 'A row goes on for more than a megabyte: a quote is probably not closed.';
    throw refuseFile('malformed_csv', message, maker.next());
  };
  try {
    for await (const block of blocks) yield* take(block);
    yield* take();
  } finally {
    parser.destroy();
  }
}
