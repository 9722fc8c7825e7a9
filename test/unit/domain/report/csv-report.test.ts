import { buffer, text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PlannedPayout } from '../../../../functions/domain/batch/chunk-file.ts';
import { csvReport, guardedCell, unguardedCell } from '../../../../functions/domain/report/csv-report.ts';
import { retryColumns, retryRow } from '../../../../functions/domain/report/report.ts';
import { workbookReport } from '../../../../functions/domain/report/workbook-report.ts';
import { runs } from '../../../support/fast-loop.ts';
import { idr } from '../../../support/money.ts';
import { payoutsOf, planBytes } from '../payout-file/plan-bytes.ts';

const beginsFormula = /^[=+\-@＝＋－＠\t\r\n]/;

const csvOf = async (rows: readonly (readonly string[])[]): Promise<string> => {
  const csv = csvReport(['a', 'b', 'c']);
  for (const row of rows) csv.write(row);
  csv.end();
  return text(csv);
};

/** Cells in the worst reading of a spreadsheet set to semicolons: borders everywhere, quotes and spaces ignored. */
const cellsAtWorst = (csv: string): readonly string[] =>
  csv.split(/[;\t\r\n]/).map((cell) => cell.replace(/^[ "]+/, ''));

const nasty = (characters: readonly string[]) => fc.string({ unit: fc.constantFrom(...characters), maxLength: 12 });
const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'] as const;
const anything = nasty([...signs, "'", '"', ';', ',', '\t', '\r', '\n', ' ', 'a', '1']);

/** Cells as the reader returns them. */
const trimmed = anything.map((cell) => cell.trim());

describe('a written CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ["'=1", "''=1"],
    ['＝1', "'＝1"],
    ['a;=1', "a;'=1"],
    ['a; "-1', `a; "'-1`],
    ['a\n@x', "a\n'@x"],
    ['a-b, -5', 'a-b, -5'],
    ["'s-Gravenhage", "'s-Gravenhage"],
  ])('makes text of formulas: %j', (cell, guarded) => {
    expect(guardedCell(cell)).toBe(guarded);
    expect(unguardedCell(guarded)).toBe(cell);
  });

  it('begins with one byte order mark, with rows or without', async () => {
    const full = csvReport(['a', 'b']);
    for (const name of ['José', 'สมชาย']) full.write([name, '1']);
    full.end();
    expect((await buffer(full)).toString()).toBe('\ufeffa,b\nJosé,1\nสมชาย,1\n');
    const empty = csvReport(['a', 'b']);
    empty.end();
    expect((await buffer(empty)).toString()).toBe('\ufeffa,b\n');
  });

  it('has no cell that a spreadsheet would run, whichever delimiter it is set to', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anything, anything, anything), { minLength: 1, maxLength: 5 }),
        async (rows) => {
          const csv = await csvOf(rows);
          const cells = z
            .array(z.array(z.string()))
            .parse(parse(csv, { relax_column_count: true }))
            .flat();
          expect(cells.filter((cell) => beginsFormula.test(cell))).toEqual([]);
          const within = cellsAtWorst(csv).filter((cell) => /^[=+\-@＝＋－＠]/.test(cell));
          expect(within).toEqual([]);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('is read back unchanged', () => {
    fc.assert(
      fc.property(trimmed, (cell) => void expect(unguardedCell(guardedCell(cell))).toBe(cell)),
      {
        numRuns: runs(2000),
        examples: [["';'=;"], ["''=''"], [';"\'-']],
      },
    );
  });

  it.each([
    ['a CSV', csvReport, 150],
    ['a workbook', workbookReport, 40],
  ])('of failed rows can be uploaded unchanged as %s, with every text intact', async (_kind, reportOf, numRuns) => {
    // Its text after the semicolon already looks guarded.
    const column = "x-a;'=b";
    const field = nasty([...signs, "'", '"', ';', ',', ' ', 'a', '1']).map((value) => value.trim());
    const needed = field.filter((value) => value !== '');
    await fc.assert(
      fc.asyncProperty(needed, needed, needed, field, anything, async (bankName, accountName, name, note, message) => {
        const planned: PlannedPayout = {
          row: 1,
          reference: 'INV-1',
          amount: '50000',
          recipient: { kind: 'bank', bankCode: 'bca', bankName, accountNumber: '0012', accountName },
          name,
          ...(note === '' ? {} : { note }),
          extras: { [column]: accountName.slice(0, 64).trim() },
        };
        const report = reportOf(retryColumns([column]));
        report.write(retryRow(planned, { amount: idr('50000'), reason: { code: 'c', message } }, [column]));
        report.end();
        const again = await planBytes(await buffer(report));
        expect(again.errors).toEqual([]);
        expect(payoutsOf(again)).toEqual([{ ...planned, reference: 'INV-1.r1', currency: 'IDR' }]);
      }),
      { numRuns: runs(numRuns) },
    );
  });
});
