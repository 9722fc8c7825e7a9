import { describe, expect, it } from 'vitest';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import { refusalOf } from '../../../infra/local/batch/refusal.ts';
import { batchView } from './batch-view.ts';

type Errors = NonNullable<BatchView['plan']>['errors'];

const refused = (errors: Errors, invalidRows: number): string =>
  refusalOf(
    batchView({
      status: 'validation_failed',
      plan: { rows: 240, validRows: 240 - invalidRows, invalidRows, chunks: 0, errors },
    }),
    '.local/demo/b-1',
  );

const errorIn = (row: number, column = 'amount') => ({
  row,
  line: row + 1,
  reference: `R-${row}`,
  column,
  code: 'amount_zero',
  message: 'The amount must be greater than zero.',
});

describe('the report of a refused file', () => {
  it('has row, line, reference, column and message of each error, and links to all errors', () => {
    expect(refused([errorIn(3), errorIn(40, 'currency')], 2)).toBe(
      [
        'row  line  reference  column    what is wrong',
        '---  ----  ---------  --------  -------------------------------------',
        '3    4     R-3        amount    The amount must be greater than zero.',
        '40   41    R-40       currency  The amount must be greater than zero.',
        '',
        '2 of 240 rows are bad, so nothing was paid: correct the file and run the demo again. All errors are in .local/demo/b-1/errors.csv.',
      ].join('\n'),
    );
  });

  it('has the first twenty errors, and notes that there are more', () => {
    const lines = refused(
      Array.from({ length: 21 }, (_, index) => errorIn(index + 1)),
      21,
    ).split('\n');
    expect(lines.filter((line) => line.includes('greater than zero'))).toHaveLength(20);
    expect(lines).toContain('These are the first 20 errors.');
  });

  it('names the file itself when it cannot be read', () => {
    const printed = refused([{ row: 0, column: '', code: 'x', message: 'The first line is not a header.' }], 0);
    expect(printed).toMatch(/^file +The first line is not a header\.$/m);
    expect(printed).toContain('The file cannot be read, so nothing was paid');
  });

  it('cannot steer the terminal by the name of a column', () => {
    expect(refused([errorIn(1, '\u001b[31mred\u202e')], 1)).toContain('?[31mred?');
  });
});
