import { Parser } from 'csv-parse';
import type { RowError } from '../batch.ts';
import { unguardedCell } from '../csv-report.ts';
import type { HeaderPositions } from './csv-header.ts';
import { csvHeader } from './csv-header.ts';
import type { FileRow } from './fields.ts';
import { noProblems } from './fields.ts';
import { refuseFile } from './file-refused.ts';

/** No row has so many bytes: an opened quote that nobody closes would otherwise gather the whole file in memory. */
const maxRecordBytes = 1_048_576;

/**
 * Takes each record where csv-parse hands it over. Read as a stream, a million records would wait in its queue and be
 * fetched one by one, which costs as much as parsing them.
 */
class RecordParser extends Parser {
  records: string[][] = [];

  override push(record: unknown): boolean {
    if (record === null) return super.push(null);
    if (Array.isArray(record)) this.records.push(record);
    return true;
  }

  takeRecords(): readonly string[][] {
    const taken = this.records;
    this.records = [];
    return taken;
  }
}

const write = (parser: RecordParser, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    parser.write(bytes, (error) => (error ? reject(error) : resolve()));
  });

const finish = (parser: RecordParser): Promise<void> =>
  new Promise((resolve, reject) => {
    parser.once('error', reject);
    parser.end(resolve);
  });

const malformed: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quoted field is opened and never closed.',
  CSV_INVALID_CLOSING_QUOTE: 'A quoted field goes on after its closing quote; a quote inside one is written twice.',
  INVALID_OPENING_QUOTE: 'A quote stands inside a field that is not quoted; quote the field and write it twice.',
};

/** csv-parse says what is wrong with quoting from some row on; what follows cannot be told apart any more. */
const refusalOf = (error: unknown, row: number): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = malformed[code];
  return message === undefined ? error : refuseFile('malformed_csv', `${message} Nothing after it can be read.`, row);
};

const cell = (record: readonly string[], position: number): string => {
  const value = record[position];
  return value === undefined || value === '' ? '' : unguardedCell(value.trim());
};

const isBlank = (record: readonly string[]): boolean => record.every((value) => value.trim() === '');

const widthProblem = (record: readonly string[], columns: number, row: number): readonly RowError[] => {
  const extra = record.slice(columns);
  if (record.length === columns || (record.length > columns && isBlank(extra))) return noProblems;
  const message = `The row has ${record.length} fields and the header has ${columns}; a field with a delimiter in it needs quotes.`;
  return [{ row, column: '', code: 'wrong_number_of_fields', message }];
};

const fileRow = (record: readonly string[], header: HeaderPositions, row: number): FileRow => ({
  row,
  reference: cell(record, header.reference),
  amount: cell(record, header.amount),
  currency: cell(record, header.currency),
  recipientId: cell(record, header.recipientId),
  bankCode: cell(record, header.bankCode),
  bankName: cell(record, header.bankName),
  accountNumber: cell(record, header.accountNumber),
  accountName: cell(record, header.accountName),
  walletAddress: cell(record, header.walletAddress),
  name: cell(record, header.name),
  email: cell(record, header.email),
  note: cell(record, header.note),
  problems: record.length === header.columns ? noProblems : widthProblem(record, header.columns, row),
});

/** Makes rows of records: the first is the header, blank ones do not count. */
const rowMaker = () => {
  let header: HeaderPositions | undefined;
  let row = 0;
  return {
    next: () => row + 1,
    rowsOf: (records: readonly string[][]): FileRow[] => {
      const rows: FileRow[] = [];
      for (const record of records) {
        if (header === undefined) header = isBlank(record) ? undefined : csvHeader(record);
        else if (!isBlank(record)) rows.push(fileRow(record, header, ++row));
      }
      return rows;
    },
  };
};

/**
 * Rows of a CSV, a block at a time.
 *
 * @param delimiter found by csvDialect in the header line, as is the line end
 */
export async function* readCsv(
  blocks: AsyncIterable<Buffer>,
  dialect: { readonly delimiter: string; readonly lineEnds: readonly string[] },
): AsyncGenerator<readonly FileRow[]> {
  const parser = new RecordParser({
    delimiter: dialect.delimiter,
    record_delimiter: [...dialect.lineEnds],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // Without a listener the stream would throw what the write's callback reports already.
  parser.on('error', () => undefined);
  const maker = rowMaker();
  let bytesWithoutRecord = 0;
  try {
    for await (const block of blocks) {
      const failure = await write(parser, block).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      const records = parser.takeRecords();
      const rows = maker.rowsOf(records);
      if (failure !== undefined) {
        yield rows;
        throw refusalOf(failure.error, maker.next());
      }
      bytesWithoutRecord = records.length === 0 ? bytesWithoutRecord + block.length : 0;
      if (bytesWithoutRecord > maxRecordBytes)
        throw refuseFile(
          'malformed_csv',
          'A row goes on for more than a megabyte: a quote is probably not closed.',
          maker.next(),
        );
      yield rows;
    }
    const failure = await finish(parser).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    yield maker.rowsOf(parser.takeRecords());
    if (failure !== undefined) throw refusalOf(failure.error, maker.next());
  } finally {
    parser.destroy();
  }
}
