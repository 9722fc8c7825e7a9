import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOfNumber } from '../../../../../functions/domain/payout-file/readers/xlsx/number-text.ts';
import { runs } from '../../../../support/fast-loop.ts';
import type { Cell, WorkbookOptions } from '../../../../support/workbook.ts';
import { formula, number, workbook } from '../../../../support/workbook.ts';
import { payoutsOf, planBytes } from '../plan-bytes.ts';

const header = ['reference', 'amount', 'currency', 'recipientId', 'note'];
const good = ['A-1', '50000', 'IDR', 'rec_1', 'salary'];
const payouts = (amount: Cell, note: Cell = undefined): (readonly Cell[])[] => [
  header,
  ['A-1', amount, 'IDR', 'rec_1', note],
];

const amountOf = async (amount: Cell, options?: WorkbookOptions) =>
  payoutsOf(await planBytes(workbook(payouts(amount), options)))[0]?.amount;

describe('an amount in a workbook', () => {
  it.each([
    ['50000', '50000'],
    ['50000.50', '50000.5'],
    ['50000.000000000000', '50000'],
    // Excel's notation of 4000000.1, 50000.1 and 1234567.89.
    ['4000000.1000000001', '4000000.1'],
    ['50000.099999999999', '50000.1'],
    ['1234567.8899999999', '1234567.89'],
    ['1E+5', '100000'],
    ['1.25e5', '125000'],
  ])('of %s is %s', async (source, amount) => {
    expect(await amountOf(number(source))).toBe(amount);
  });

  it('is the typed number up to 15 digits, in any program’s notation', () => {
    const typed = fc
      .tuple(fc.bigInt({ min: 1n, max: 999_999_999_999_999n }), fc.integer({ min: 0, max: 15 }))
      .map(([digits, decimals]) => {
        const text = String(digits).padStart(decimals + 1, '0');
        return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
      });
    fc.assert(
      fc.property(typed, fc.constantFrom(15, 16, 17), (text, digits) => {
        const plain = (decimal = '') => decimal.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
        const written = Number(text).toPrecision(digits);
        expect(plain(decimalOfNumber(written))).toBe(plain(text));
        expect(plain(decimalOfNumber(String(Number(text))))).toBe(plain(text));
      }),
      { numRuns: runs(2000) },
    );
  });

  it.each(['1.12345678901234567', '3.3000000000000003', '123456789012345678', '0.30000000000000004'])(
    'of %s is refused, because the cell does not show it',
    async (source) => {
      const { errors } = await planBytes(workbook(payouts(number(source))));
      expect(errors).toMatchObject([{ code: 'amount_not_exact' }]);
    },
  );
});

interface BadCell {
  readonly why: string;
  readonly rows: readonly (readonly Cell[])[];
  readonly options?: WorkbookOptions;
  readonly code: string;
  readonly column: string;
  readonly message: string;
}

const asText = 'Format the column as Text and write it again.';
const date = 'is a date or a time. A spreadsheet may have made it one.';
const bank = ['amount', 'currency', 'bankCode', 'bankName', 'accountNumber', 'accountName'];

const badCells: readonly BadCell[] = [
  {
    why: 'an account number that is a number',
    rows: [bank, ['50000', 'IDR', 'bca', 'BCA', number('12345678'), 'Siti Rahma']],
    code: 'number_not_text',
    column: 'accountNumber',
    message: `Cell E2 is a number, which loses zeros in front and long digits. ${asText}`,
  },
  {
    why: 'a bank code that a formula made a number',
    rows: [bank, ['50000', 'IDR', formula('14'), 'BCA', '0012345678', 'Siti Rahma']],
    code: 'number_not_text',
    column: 'bankCode',
    message: `Cell C2 is a number, which loses zeros in front and long digits. ${asText}`,
  },
  ...(['yyyy\\-mm\\-dd', 'd/m/yy', '[$-409]h:mm AM/PM', '[h]:mm', 'dddd'] as const).map((format) => ({
    why: `a date shown as ${format}`,
    rows: payouts(number('45000', 1)),
    options: { formats: [format] },
    code: 'cell_is_date',
    column: 'amount',
    message: `Cell B2 ${date} ${asText}`,
  })),
  {
    why: 'a reference that became a date',
    rows: [header, [number('45000', 1), ...good.slice(1)]],
    options: { formats: ['dd-mmm'] },
    code: 'cell_is_date',
    column: 'reference',
    message: `Cell A2 ${date} ${asText}`,
  },
  {
    why: 'a date in words of ISO 8601',
    rows: payouts({ xml: '<c t="d"><v>2026-01-05</v></c>' }),
    code: 'cell_is_date',
    column: 'amount',
    message: `Cell B2 is a date. ${asText}`,
  },
  {
    why: 'TRUE',
    rows: payouts('50000', { xml: '<c t="b"><v>1</v></c>' }),
    code: 'value_not_text',
    column: 'note',
    message: `Cell E2 is TRUE or FALSE. ${asText}`,
  },
  {
    why: 'an error of a formula',
    rows: payouts(formula('#N/A', 'e')),
    code: 'cell_error',
    column: 'amount',
    message: 'Cell B2 shows an error, such as #N/A. Correct its formula.',
  },
  {
    why: 'a formula without its value',
    rows: payouts(formula(undefined)),
    code: 'formula_without_value',
    column: 'amount',
    message:
      'Cell B2 has a formula whose value was not saved. Open the file in a spreadsheet, save it, and upload that.',
  },
  {
    why: 'more digits than a spreadsheet shows',
    rows: payouts(number('50000.30000000001')),
    code: 'amount_not_exact',
    column: 'amount',
    message:
      'Cell B2 holds more digits than the 15 that a spreadsheet shows. Round it in its formula, such as =ROUND(A1*1.1,2), or write it as text.',
  },
  {
    why: 'a percentage',
    rows: payouts(number('50000', 1)),
    options: { formats: ['0.00%'] },
    code: 'amount_format',
    column: 'amount',
    message: 'Cell B2 is shown as a percentage, so it is not the amount that you see. Format it as a number.',
  },
  {
    why: 'thousands',
    rows: payouts(number('50000', 1)),
    options: { formats: ['#,##0,"K"'] },
    code: 'amount_format',
    column: 'amount',
    message: 'Cell B2 is shown divided by a thousand, so it is not the amount that you see. Format it as a number.',
  },
  {
    why: 'a value beside the named columns',
    rows: [header, [...good, undefined, 'checked']],
    code: 'wrong_number_of_fields',
    column: '',
    message: 'Cell G2 has a value, and its column has no name. Name the column, or clear it.',
  },
  {
    why: 'a hidden row',
    rows: [header, good],
    options: { sheet: (xml) => xml.replace('<row r="2"', '<row r="2" hidden="1"') },
    code: 'row_hidden',
    column: '',
    message: 'Row 2 of the sheet is hidden, by a filter perhaps. Show it, or delete it.',
  },
  {
    why: 'a row hidden as all are',
    rows: [header, good],
    options: {
      sheet: (xml) =>
        xml
          .replace('<sheetData>', '<sheetFormatPr zeroHeight="1"/><sheetData>')
          .replace('<row r="1"', '<row r="1" hidden="0"'),
    },
    code: 'row_hidden',
    column: '',
    message: 'Row 2 of the sheet is hidden, by a filter perhaps. Show it, or delete it.',
  },
];

describe('a row of a workbook', () => {
  it.each(badCells)('is refused for $why', async ({ rows, options, code, column, message }) => {
    const { planned, errors } = await planBytes(workbook(rows, options));
    expect(planned.kind).toBe('refused');
    expect(errors).toMatchObject([{ row: 1, line: 2, column, code, message }]);
  });

  it.each(['0.00', '#,##0', '#,##0.00_);[Red](#,##0.00)', '"Rp" #,##0', '[$Rp-421]#,##0.00', 'General', '@'])(
    'is accepted with its amount shown as %s',
    async (format) => {
      expect(await amountOf(number('50000.5', 1), { formats: [format] })).toBe('50000.5');
    },
  );
});
