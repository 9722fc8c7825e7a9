import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvReport, errorColumns } from '../../../functions/domain/csv-report.ts';
import type { SkippedRow } from '../../../functions/domain/skipped-rows.ts';
import { countSkipped, readSkippedRows, reasonOfSkipped } from '../../../functions/domain/skipped-rows.ts';

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
  reference: '',
  currency: '',
  amount: '',
  ...changes,
});

describe('the rows that errors.csv names', () => {
  it('are each told once, with the first message, and each code once', async () => {
    const csv = await csvOf([
      ['3', 'amount', 'amount_zero', 'The amount is zero.', 'R-3', 'IDR', ''],
      ['7', '=x', 'field_unknown', '"=x" is not one of: "a", b.', '', '', ''],
      ['7', 'y', 'field_unknown', '"y" is not one of: "a", b.', '', '', ''],
      ['7', 'email', 'email_malformed', '"email" is not a mail address.', '', '', ''],
    ]);
    expect(await read(csv)).toEqual([
      skipped(3, { reference: 'R-3', currency: 'IDR' }),
      skipped(7, {
        codes: new Set(['field_unknown', 'email_malformed']),
        message: '"=x" is not one of: "a", b.',
        problems: 3,
      }),
    ]);
  });

  it('are told without references and amounts where the file has none', async () => {
    const line = ['2', 'amount', 'amount_zero', 'The amount is zero.'];
    expect(await read(await csvOf([line], errorColumns.slice(0, 4)))).toEqual([skipped(2)]);
  });

  it('are the same wherever a part of the file ends', async () => {
    const signs = fc.constantFrom('a', 'é', '😀', '"', ',', '\n', ' ', '=');
    const text = fc.string({ unit: signs, maxLength: 8 }).map((cell) => cell.trim());
    const problems = fc.array(fc.record({ row: fc.integer({ min: 1, max: 4 }), text }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(problems, fc.integer({ min: 1, max: 40 }), async (found, blockBytes) => {
        const lines = found.toSorted((a, b) => a.row - b.row).map(({ row, text: message }) => [row, message] as const);
        const csv = await csvOf(lines.map(([row, message]) => [String(row), '', 'code', message, message, '', '']));
        const expected = [...Map.groupBy(lines, ([row]) => row)].map(([row, [first, ...more]]) =>
          skipped(row, {
            codes: new Set(['code']),
            message: first?.[1] ?? '',
            reference: first?.[1] ?? '',
            problems: 1 + more.length,
          }),
        );
        expect(await read(csv, blockBytes)).toEqual(expected);
      }),
    );
  });
});

describe('the count of skipped rows', () => {
  it.each([
    ['of a planned file', { manifestKey: 'm', rows: 3, invalidRows: 2 }, 2, 'Skipped as invalid: 2 of 3 rows.'],
    ['of a file without a bad row', { manifestKey: 'm', rows: 3, invalidRows: 0 }, 0, undefined],
    ['of a refused file, of which nothing is paid', { rows: 3, invalidRows: 2 }, 0, undefined],
  ])('is that %s', (_, plan, count, message) => {
    expect(countSkipped(plan)).toBe(count);
    const reason = reasonOfSkipped(plan);
    expect(reason?.message).toEqual(message === undefined ? undefined : expect.stringContaining(message));
  });
});
