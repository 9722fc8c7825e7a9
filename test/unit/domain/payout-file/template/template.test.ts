import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { PayoutField } from '../../../../../functions/domain/payout-file/field-table.ts';
import { payoutFields } from '../../../../../functions/domain/payout-file/fields.ts';
import { templateCsv } from '../../../../../functions/domain/payout-file/template/template-csv.ts';
import { templateWorkbook } from '../../../../../functions/domain/payout-file/template/template-workbook.ts';
import { payoutsOf, planBytes } from '../plan-bytes.ts';

const written: Partial<Record<PayoutField, string>> = {
  ...{ reference: 'A-1', amount: '50000.5', currency: 'idr' },
  ...{ bankCode: 'bca', bankName: 'BCA', accountNumber: '0012345678', accountName: 'Siti Rahma' },
  ...{ name: 'Siti', note: 'salary' },
};
const row = payoutFields.map((field) => written[field] ?? '');
const amountColumn = payoutFields.indexOf('amount');

/** The template as a spreadsheet saves it after one row was entered. */
const filled = (): Buffer => {
  const parts = unzipSync(templateWorkbook());
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  const cells = row.map((text, column) => {
    if (text === '') return '<c/>';
    return column === amountColumn ? `<c><v>${text}</v></c>` : `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  });
  const withRow = sheet.replace('</sheetData>', `<row>${cells.join('')}</row></sheetData>`);
  return Buffer.from(zipSync({ ...parts, 'xl/worksheets/sheet1.xml': strToU8(withRow) }));
};

describe('a template', () => {
  it.each([
    ['CSV', templateCsv()],
    ['workbook', templateWorkbook()],
  ])('pays nothing as downloaded: %s', async (_, file) => {
    for (const invalidRows of ['reject', 'skip'] as const) {
      const { planned, errors } = await planBytes(file, { invalidRows });
      expect(planned).toMatchObject({ kind: 'refused', rows: 0 });
      expect(errors.map(({ code }) => code)).toEqual(['no_rows']);
    }
  });

  it.each([
    ['CSV', Buffer.concat([templateCsv(), Buffer.from(`${row.join(',')}\r\n`)])],
    ['workbook', filled()],
  ])('pays the row written into it: %s', async (_, file) => {
    const result = await planBytes(file);
    expect(result.errors).toEqual([]);
    expect(payoutsOf(result)).toMatchObject([
      {
        reference: 'A-1',
        amount: '50000.5',
        currency: 'IDR',
        recipient: { accountNumber: '0012345678' },
        note: 'salary',
      },
    ]);
  });

  it('has all columns except the amount as text, so that leading zeros stay', () => {
    const sheet = strFromU8(unzipSync(templateWorkbook())['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
    const styles = [...sheet.matchAll(/<col [^>]*style="(\d)"/g)].map(([, style]) => style);
    expect(styles).toEqual(payoutFields.map((field) => (field === 'amount' ? '0' : '1')));
  });

  it('explains each column on its second sheet', () => {
    const help = strFromU8(unzipSync(templateWorkbook())['xl/worksheets/sheet2.xml'] ?? new Uint8Array());
    const rows = [...help.matchAll(/<row>(.*?)<\/row>/g)].map(([, xml = '']) =>
      [...xml.matchAll(/<t [^>]*>(.*?)<\/t>/g)].map(([, text]) => text),
    );
    expect(rows.map(([name]) => name)).toEqual(['column', ...payoutFields, 'x-…']);
    for (const cells of rows) expect(cells.filter((text) => text !== '')).toHaveLength(5);
  });
});
