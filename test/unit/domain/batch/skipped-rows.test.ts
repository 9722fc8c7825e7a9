import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SkippedRow } from '../../../../functions/domain/batch/skipped-rows.ts';
import {
  countSkipped,
  describeProblems,
  errorColumns,
  errorLine,
  readSkippedRows,
  reasonOfSkipped,
} from '../../../../functions/domain/batch/skipped-rows.ts';
import { csvReport } from '../../../../functions/domain/report/csv-report.ts';

const csvOf = async (lines: readonly (readonly string[])[], columns: readonly string[] = errorColumns) => {
  const csv = csvReport(columns);
  for (const line of lines) csv.write(line);
  csv.end();
  return buffer(csv);
};

async function* blocksOf(bytes: Buffer, blockBytes: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += blockBytes) yield bytes.subarray(from, from + blockBytes);
}

const read = async (bytes: Buffer, blockBytes = 1000): Promise<readonly SkippedRow[]> =>
  Array.fromAsync(readSkippedRows(blocksOf(bytes, blockBytes)));

const skipped = (row: number, changes: Partial<SkippedRow> = {}): SkippedRow => ({
  row,
  codes: new Set(['amount_zero']),
  message: 'The amount is zero.',
  problems: 1,
  texts: ['amount: The amount is zero.'],
  reference: '',
  currency: '',
  amount: '',
  ...changes,
});

describe('the errors of a row', () => {
  it.each([
    [5, /^a b c d e$/],
    [6, /^a b c d e 1 more problem: see errors\.csv\.$/],
    [7, /^a b c d e 2 more problems: see errors\.csv\.$/],
  ])('are in one cell, the first five of %i problems', (problems, summary) => {
    expect(describeProblems(skipped(2, { problems, texts: ['a', 'b', 'c', 'd', 'e'] }))).toMatch(summary);
  });
});

describe('the rows that errors.csv names', () => {
  it('are listed with the file’s own columns', async () => {
    const error = { row: 3, column: 'amount', code: 'amount_zero', message: 'The amount is zero.' };
    const extras = { 'x-department': '=Sales; "=a"', 'x-é': "'b" };
    const summary = { reference: '', currency: '', amount: '' };
    const lines = [errorLine(error, { ...summary, extras }), errorLine({ ...error, row: 4 }, summary)];
    expect(await read(await csvOf(lines))).toEqual([skipped(3, { extras }), skipped(4)]);
  });

  it('are listed once each, with the first message, and each code once', async () => {
    const csv = await csvOf([
      ['3', '4', 'R-3', 'amount', 'amount_zero', 'The amount is zero.', 'IDR', ''],
      ['7', '9', '', '=x', 'field_unknown', '"=x" is not one of: "a", b.', '', ''],
      ['7', '9', '', 'y', 'field_unknown', '"y" is not one of: "a", b.', '', ''],
      ['7', '9', '', 'email', 'email_malformed', '"email" is not a mail address.', '', ''],
    ]);
    expect(await read(csv)).toEqual([
      skipped(3, { reference: 'R-3', currency: 'IDR' }),
      skipped(7, {
        codes: new Set(['field_unknown', 'email_malformed']),
        message: '"=x" is not one of: "a", b.',
        problems: 3,
        texts: [
          '=x: "=x" is not one of: "a", b.',
          'y: "y" is not one of: "a", b.',
          'email: "email" is not a mail address.',
        ],
      }),
    ]);
  });

  it.each([
    ['without references and amounts', ['row', 'column', 'code', 'message'], {}],
    ['without lines', ['row', 'column', 'code', 'message', 'reference', 'currency', 'amount'], { reference: 'R-2' }],
  ] as const)('are read from a file of an earlier version, %s', async (_, columns, changes) => {
    const cells = ['2', 'amount', 'amount_zero', 'The amount is zero.', 'R-2', '', ''];
    expect(await read(await csvOf([cells.slice(0, columns.length)], columns))).toEqual([skipped(2, changes)]);
  });

  it('do not depend on the borders of the file’s parts', async () => {
    const signs = fc.constantFrom('a', 'é', '😀', '"', ',', '\n', ' ', '=');
    const text = fc.string({ unit: signs, maxLength: 8 }).map((cell) => cell.trim());
    const problems = fc.array(fc.record({ row: fc.integer({ min: 1, max: 4 }), text }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(problems, fc.integer({ min: 1, max: 40 }), async (found, blockBytes) => {
        const lines = found.toSorted((a, b) => a.row - b.row).map(({ row, text: message }) => [row, message] as const);
        const csv = await csvOf(
          lines.map(([row, message]) =>
            errorLine({ row, column: '', code: 'code', message }, { reference: message, currency: '', amount: '' }),
          ),
        );
        const expected = [...Map.groupBy(lines, ([row]) => row)].map(([row, [first, ...more]]) =>
          skipped(row, {
            codes: new Set(['code']),
            message: first?.[1] ?? '',
            reference: first?.[1] ?? '',
            problems: 1 + more.length,
            texts: [first, ...more].slice(0, 5).map((problem) => problem?.[1] ?? ''),
          }),
        );
        expect(await read(csv, blockBytes)).toEqual(expected);
      }),
    );
  });
});

describe('the count of skipped rows', () => {
  it.each([
    [
      'of a planned file',
      { manifestKey: 'm', rows: 3, invalidRows: 2 },
      2,
      'Skipped as invalid: 2 of 3 rows. Nobody was',
    ],
    [
      'some of which are paid',
      { manifestKey: 'm', rows: 3, invalidRows: 2, alreadyPaid: { rows: 1, batches: ['b-0'] } },
      2,
      'under the same references: 1 of these. Nobody was paid for the others;',
    ],
    [
      'all of which are paid',
      { manifestKey: 'm', rows: 3, invalidRows: 2, alreadyPaid: { rows: 2, batches: ['b-0'] } },
      2,
      'under the same references: 2 of these. errors.csv',
    ],
    ['of a file without a bad row', { manifestKey: 'm', rows: 3, invalidRows: 0 }, 0, undefined],
    ['of a refused file, of which nothing is paid', { rows: 3, invalidRows: 2 }, 0, undefined],
  ])('is that %s', (_, plan, count, message) => {
    expect(countSkipped(plan)).toBe(count);
    const reason = reasonOfSkipped(plan);
    expect(reason?.message).toEqual(message === undefined ? undefined : expect.stringContaining(message));
  });
});
