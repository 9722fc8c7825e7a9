import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { planPayoutFile } from '../../../../functions/domain/payout-file/plan-payout-file.ts';
import { orchestratorSettings } from '../../../../functions/domain/settings.ts';
import { drawsAll } from '../../../support/fast-loop.ts';
import { paymentMethod } from '../../../support/money.ts';
import type { PlanOptions } from './plan-bytes.ts';
import { batchId, methods, planBytes } from './plan-bytes.ts';

const header = 'reference,amount,currency,recipientId\n';
const row = (n: number) => `R-${n},50000,IDR,rec_${n}\n`;
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index + 1)).join('');
const object = (n: number) => ({ reference: `R-${n}`, amount: '50000', currency: 'IDR', recipientId: `rec_${n}` });

const jsonLines = `${JSON.stringify(object(1))}\n${JSON.stringify(object(2))}\n`;

interface BadFile {
  readonly why: string;
  readonly file: string | Buffer;
  readonly code: string;
  readonly row?: number;
  readonly column?: string;
  readonly message?: string;
  readonly settings?: PlanOptions['settings'];
}

const packed = gzipSync(header + rows(2_000));

const zeros =
  'The file has zero bytes. It is UTF-16 without a byte order mark, or it is not a text. Save it as "CSV UTF-8".';

const badFiles: readonly BadFile[] = [
  { why: 'an empty file', file: '', code: 'file_empty' },
  { why: 'a file of blank lines', file: '\n \r\n\t\n', code: 'file_empty' },
  { why: 'a byte order mark and nothing else', file: '\ufeff', code: 'file_empty' },
  { why: 'an empty gzip file', file: gzipSync(''), code: 'file_empty' },
  { why: 'a header only', file: header, code: 'no_rows' },
  { why: 'an empty JSON array', file: '[]', code: 'no_rows' },
  { why: 'a missing column', file: 'amount,recipientId\n50000,rec_1\n', code: 'column_missing', column: 'currency' },
  { why: 'no recipient column', file: 'amount,currency\n50000,IDR\n', code: 'column_missing' },
  {
    why: 'bank details without the account name',
    file: 'amount,currency,bankCode,bankName,accountNumber\n50000,IDR,bca,BCA,001\n',
    code: 'column_missing',
    column: 'accountName',
  },
  { why: 'an unknown column', file: `colour,${header}`, code: 'column_unknown', column: 'colour' },
  { why: 'a column twice', file: `amount,${header}`, code: 'column_repeated', column: 'amount' },
  {
    why: 'a column under two names',
    file: `Recipient ID,${header}`,
    code: 'column_repeated',
    column: 'recipientId',
    message: 'Columns 1 and 5 both mean "recipientId". Keep one of them.',
  },
  { why: 'a file without a header', file: rows(3), code: 'header_missing', column: '' },
  { why: 'plain text', file: 'Dear all,\nplease pay Siti.\n', code: 'header_missing', column: '' },
  { why: 'a gzip file of too many bytes', file: packed, code: 'file_too_large', settings: { maxFileBytes: 1_000 } },
  {
    why: 'UTF-16 without a mark',
    file: Buffer.from(header + rows(1), 'utf16le'),
    code: 'invalid_utf8',
    message: zeros,
  },
  {
    why: 'UTF-16 without a mark, its greater bytes first',
    file: Buffer.from(header + rows(1), 'utf16le').swap16(),
    code: 'invalid_utf8',
    message: zeros,
  },
  {
    why: 'UTF-32',
    file: Buffer.concat([...`\ufeff${header}`].map((letter) => Buffer.from(`${letter}\0`, 'utf16le'))),
    code: 'invalid_utf8',
    message: zeros,
  },
  {
    why: 'UTF-16 that is cut off',
    file: Buffer.from(`\ufeff${header}${rows(2)}R-3,500`, 'utf16le').subarray(0, -1),
    code: 'malformed_csv',
    row: 3,
  },
  { why: 'a line with the delimiter, and nothing else', file: 'sep=;\n', code: 'no_rows' },
  { why: 'too many bytes', file: header + rows(100), code: 'file_too_large', settings: { maxFileBytes: 1_000 } },
  { why: 'too many rows', file: header + rows(11), code: 'too_many_rows', settings: { maxRows: 10 } },
  {
    why: 'a gzip file that unpacks to too much',
    file: packed,
    code: 'gzip_bomb',
    settings: { maxFileBytes: packed.length, maxUnpackedBytes: packed.length },
  },
  ...(drawsAll
    ? [
        {
          why: 'a gzip file that unpacks to far more than its size',
          file: gzipSync(`[${' '.repeat(70_000_000)}`),
          code: 'gzip_bomb',
        },
      ]
    : []),
  { why: 'a gzip file cut off', file: packed.subarray(0, packed.length - 500), code: 'gzip_truncated' },
  { why: 'a gzip file cut off in its header', file: packed.subarray(0, 2), code: 'gzip_truncated' },
  {
    why: 'a damaged gzip file',
    file: Buffer.concat([packed.subarray(0, 40), Buffer.alloc(200, 0xff), packed.subarray(240)]),
    code: 'gzip_damaged',
  },
  {
    why: 'a gzip file of two parts with a zero byte between them',
    file: Buffer.concat([packed, Buffer.alloc(1), gzipSync('more')]),
    code: 'gzip_damaged',
  },
  {
    why: 'a quote never closed',
    file: `${header}${row(1)}R-2,50000,IDR,"rec_2\n${row(3)}`,
    code: 'malformed_csv',
    row: 2,
  },
  {
    why: 'a quote never closed in a large file',
    file: `${header}${row(1)}R-2,50000,IDR,"rec_2\n${rows(80_000)}`,
    code: 'malformed_csv',
    row: 2,
  },
  {
    why: 'quotes by the thousand in a row that does not end',
    file: `${header}${row(1)}R-2,50000,IDR,"${'"x'.repeat(100_000)}${' '.repeat(800_000)},\n`,
    code: 'malformed_csv',
    row: 2,
  },
  {
    why: 'text after a closing quote',
    file: `${header}${row(1)}R-2,50000,IDR,"rec"2\n`,
    code: 'malformed_csv',
    row: 2,
  },
  { why: 'a quote inside a field', file: `${header}R-1,50000,IDR,rec"1"\n`, code: 'malformed_csv', row: 1 },
  {
    why: 'a quote inside a field, and the same text in quotes behind it',
    file: `${header}R-1,50000,IDR,r"1\nR-2,50000,IDR,"r""1"\n`,
    code: 'malformed_csv',
    row: 1,
  },
  { why: 'a CSV cut off in its last row', file: `${header}${rows(2)}R-3,500`, code: 'malformed_csv', row: 3 },
  {
    why: 'a file to correct, cut off in the last of its own columns',
    file: `${header.trimEnd()},error,line\n${rows(2)}R-3,50000,IDR,rec`,
    code: 'malformed_csv',
    row: 3,
  },
  {
    why: 'a JSON array cut off',
    file: JSON.stringify([object(1), object(2)]).slice(0, -1),
    code: 'malformed_json',
    row: 2,
  },
  {
    why: 'a JSON array with a comma too many',
    file: `[${JSON.stringify(object(1))},]`,
    code: 'malformed_json',
    row: 1,
  },
  { why: 'text after the JSON array', file: `[${JSON.stringify(object(1))}] x`, code: 'malformed_json', row: 1 },
  { why: 'JSON nested without end', file: '['.repeat(5_000), code: 'malformed_json' },
  {
    why: 'one JSON object over several lines',
    file: JSON.stringify({ payouts: [object(1)] }, null, 2),
    code: 'json_not_objects',
    row: 1,
  },
  {
    why: 'JSON Lines cut off in the last line',
    file: `${jsonLines}${JSON.stringify(object(3)).slice(0, -1)}`,
    code: 'malformed_json',
    row: 3,
  },
  {
    why: 'JSON Lines cut off in a last line that is bad already',
    file: `${jsonLines}{"amount":,"cur`,
    code: 'malformed_json',
    row: 3,
  },
  { why: 'JSON Lines on one endless line', file: `{"note":"${'x'.repeat(1_200_000)}`, code: 'malformed_json' },
];

describe('a last row under skip', () => {
  const whole = JSON.stringify(object(3));
  it.each([
    ['broken JSON with a line end', `${jsonLines}{"amount":\n`, 1],
    ['JSON, yet no object, without one', `${jsonLines}17`, 1],
    ['a whole object without one', `${jsonLines}${whole}`, 0],
    ['a whole object with half a CRLF', `${jsonLines}${whole}\r`, 0],
    ['too few cells with a line end', `${header}${rows(2)}R-3,500\n`, 1],
    ['no cells for error and line, with a line end', `${header.trimEnd()},error,line\n${rows(3)}`, 0],
    ['all its cells without one', `${header}${rows(3).trimEnd()}`, 0],
    ['all its cells, and blanks after the line end', `${header}${rows(3)} `, 0],
  ])('is read when it has %s', async (_, file, invalidRows) => {
    const { planned } = await planBytes(file, { invalidRows: 'skip' });
    expect(planned).toMatchObject({ kind: 'planned', rows: 3, invalidRows });
  });
});

it.each([
  [25, 'planned', []],
  [26, 'refused', ['too_many_currencies']],
] as const)('a file of %i currencies is %s', async (count, kind, codes) => {
  const currencies =
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP';
  const codesOf = currencies.split(' ').slice(0, count);
  const amounts = { minAmount: '10', maxAmount: '1000000', feeFlat: '5', feePercentage: '0.1' };
  const offered = codesOf.map((currency) =>
    paymentMethod({ rail: 'fiat', currency, code: 'bank', name: 'Bank', ...amounts }),
  );
  const file = header + codesOf.map((currency, index) => `R-${index},50000,${currency},rec_1\n`).join('');
  const { planned, errors } = await planBytes(file, { methods: offered, invalidRows: 'skip' });
  expect(planned.kind).toBe(kind);
  expect(errors.map(({ code }) => code)).toEqual(codes);
});

it('the message about a CSV that is cut off in its last row names what that lacks', async () => {
  const { errors } = await planBytes(`${header}${rows(2)}R-3,500`);
  expect(errors.at(-1)?.message).toMatch(
    /^The row has 2 fields and the header has \d+\. .* was probably cut off\. Export or upload it again\.$/,
  );
});

describe('an unreadable payout file', () => {
  it.each(badFiles)('is refused as $code: $why', async ({ file, code, row: at, column, message, settings }) => {
    for (const invalidRows of ['reject', 'skip'] as const) {
      const { planned, errors } = await planBytes(file, {
        invalidRows,
        ...(settings === undefined ? {} : { settings }),
      });
      expect(planned.kind).toBe('refused');
      expect(errors).toContainEqual(
        expect.objectContaining({
          code,
          ...(at === undefined ? {} : { row: at }),
          ...(column === undefined ? {} : { column }),
          ...(message === undefined ? {} : { message }),
        }),
      );
      expect(planned.errors).toEqual(errors.slice(0, 100));
    }
  });

  it('names every problem of a header together', async () => {
    const { errors } = await planBytes('colour,amount,amount,note\n1,2,3,4\n');
    expect(errors.map((error) => [error.code, error.column])).toEqual([
      ['column_unknown', 'colour'],
      ['column_repeated', 'amount'],
      ['column_missing', 'currency'],
      ['column_missing', ''],
    ]);
  });

  it('does not repeat a value in place of a column name', async () => {
    const { errors } = await planBytes('amount,currency,0012345678,TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3\n1,IDR,3,4\n');
    expect(errors.map((error) => error.code)).toContain('column_unknown');
    expect(JSON.stringify(errors)).not.toMatch(/0012345678|TV2c3n/);
  });

  it('reports the bad rows before the unreadable place', async () => {
    const { planned, errors } = await planBytes(`${header}R-1,0,IDR,rec_1\n${row(2)}R-3,50000,IDR,"rec_3\n`);
    expect(errors.map((error) => [error.row, error.code])).toEqual([
      [1, 'amount_zero'],
      [3, 'malformed_csv'],
    ]);
    expect(planned).toMatchObject({ kind: 'refused', rows: 2, invalidRows: 1 });
  });

  it('repeats nothing of a row in place of the header', async () => {
    const { errors } = await planBytes('A-1,50000,IDR,,bca,BCA,0012345678,Siti Rahma\n');
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors)).not.toMatch(/0012345678|Siti/);
  });

  it.each([
    ['plain', Buffer.from(header + rows(100))],
    ['gzipped', gzipSync(header + rows(100))],
  ])('passes on an outage in the middle of a %s file, instead of blaming the file', async (_, bytes) => {
    const source = Readable.from(
      (function* () {
        yield bytes.subarray(0, 200);
        throw new Error('connection reset');
      })(),
      { objectMode: false },
    );
    const planning = planPayoutFile(
      {
        findReferences: async () => new Map(),
        getPayouts: async () => [],
        findRefusedRetries: async () => new Map(),
        putChunk: async () => undefined,
        writeError: () => undefined,
        seeInstructions: () => undefined,
      },
      {
        batchId,
        paidOn: '2026-11-21',
        source,
        invalidRows: 'reject',
        methods,
        payoutsPerCall: 98,
        settings: orchestratorSettings().parse({}),
      },
    );
    await expect(planning).rejects.toThrow('connection reset');
  });

  it('passes on an outage of the ledger', async () => {
    await expect(
      planBytes(header + row(1), { findReferences: async () => Promise.reject(new Error('ledger is out')) }),
    ).rejects.toThrow('ledger is out');
  });
});
