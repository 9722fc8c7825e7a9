import type { Unzipped } from 'fflate';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { fileLink } from '../../../functions/api/schemas/file-links.ts';
import { templateCsv } from '../../../functions/domain/payout-file/template/template-csv.ts';
import { templateWorkbook } from '../../../functions/domain/payout-file/template/template-workbook.ts';
import { number, workbook } from '../../support/workbook.ts';
import {
  freshAccount,
  freshReference,
  operator,
  payoutOf,
  start,
  statusOf,
  untilEnded,
  upload,
} from '../deployed/deployed-orchestrator.ts';

const sheetPart = 'xl/worksheets/sheet1.xml';

const downloadWorkbook = async (batchId: string, name: string) => {
  const { url } = await operator().ask({ method: 'GET', path: `/batches/${batchId}/files/${name}` }, fileLink);
  const saved = await fetch(url);
  const parts = unzipSync(new Uint8Array(await saved.arrayBuffer()));
  const sheet = strFromU8(parts[sheetPart] ?? new Uint8Array());
  return { parts, sheet, saved: saved.headers.get('content-disposition') };
};

const withSheet = (parts: Unzipped, sheet: string): Buffer =>
  Buffer.from(zipSync({ ...parts, [sheetPart]: strToU8(sheet) }));

describe('a clerk with a spreadsheet', () => {
  it.each([
    ['/template.csv', templateCsv()],
    ['/template.xlsx', templateWorkbook()],
  ])('downloads %s unchanged, without its type in Accept', async (path, file) => {
    const { status, bytes } = await operator().send({ method: 'GET', path });
    expect(status).toBe(200);
    expect(bytes).toEqual(file);
  });

  it('pays a workbook, with numbers paid as they are shown', async () => {
    const reference = freshReference();
    const file = workbook(
      [
        ['Reference', 'Amount', 'Currency', 'Bank Code', 'Bank Name', 'Account Number', 'Account Name'],
        [reference, number('50000.099999999999'), 'idr', 'BCA', 'Bank Central Asia', freshAccount(), 'A. Example'],
      ],
      { isShared: true },
    );
    const batch = await untilEnded(await start(await upload(file)));
    expect(batch).toMatchObject({ status: 'completed', counts: { completed: 1 } });
    expect(await payoutOf(reference)).toMatchObject({ amount: '50000.1', currency: 'IDR' });
  });

  it('learns which cell is wrong', async () => {
    const rows = [
      ['amount', 'currency', 'bankCode', 'bankName', 'accountNumber', 'accountName'],
      ['50000', 'IDR', 'BCA', 'Bank Central Asia', number('12345678'), 'A. Example'],
    ];
    const batchId = await start(await upload(workbook(rows)));
    expect((await untilEnded(batchId)).status).toBe('validation_failed');
    expect((await statusOf(batchId)).plan?.errors).toMatchObject([
      { row: 1, line: 2, column: 'accountNumber', code: 'number_not_text' },
    ]);
  });

  it('gets the file back with its errors, retypes one cell, and pays the skipped rows', async () => {
    const [good, bad] = [freshReference(), freshReference()];
    const account = freshAccount();
    const rows = [
      ['Reference', 'Amount', 'Currency', 'Bank Code', 'Bank Name', 'Account Number', 'Account Name'],
      [good, number('50000'), 'IDR', 'BCA', 'Bank Central Asia', freshAccount(), 'A. Example'],
      [bad, number('60000'), 'IDR', 'BCA', 'Bank Central Asia', number('12345678'), 'B. Example'],
    ];
    const batch = await untilEnded(
      await start(await upload(workbook(rows, { isShared: true })), { invalidRows: 'skip' }),
    );
    expect(batch.files).toContain('to-correct.xlsx');
    const { parts, sheet, saved } = await downloadWorkbook(batch.batchId, 'to-correct.xlsx');
    expect(saved).toContain(`to-correct-${batch.batchId}.xlsx`);
    expect(sheet).not.toContain(good);
    expect(sheet).toContain('Cell F3 is a number');
    const corrected = sheet.replace(
      /(<c r="F2" [^>]*)><v>12345678<\/v>/,
      `$1 t="inlineStr"><is><t>${account}</t></is>`,
    );
    const correction = await untilEnded(
      await start(await upload(withSheet(parts, corrected)), { corrects: batch.batchId }),
    );
    expect(correction).toMatchObject({ status: 'completed', counts: { completed: 1 }, corrects: batch.batchId });
    expect(await payoutOf(bad)).toMatchObject({ amount: '60000', account: `***${account.slice(-4)}` });
  });

  it('gets failed rows as a workbook with the reasons, and pays them to another account', async () => {
    const [refused, other] = [freshAccount('9901'), freshAccount()];
    const rows = [
      ['Amount', 'Currency', 'Bank Code', 'Bank Name', 'Account Number', 'Account Name'],
      ['50000', 'IDR', 'BCA', 'Bank Central Asia', freshAccount(), 'A. Example'],
      ['60000', 'IDR', 'BCA', 'Bank Central Asia', refused, 'B. Example'],
    ];
    const batch = await untilEnded(await start(await upload(workbook(rows))));
    expect(batch.counts).toEqual({ completed: 1, failed: 1 });
    expect(batch.files).toContain('retry.xlsx');
    expect(batch.files).not.toContain('retry.csv');
    const { parts, sheet } = await downloadWorkbook(batch.batchId, 'retry.xlsx');
    expect(sheet).toContain('The provider says that the payout failed.');
    const file = withSheet(parts, sheet.replace(refused, other));
    const retried = await untilEnded(await start(await upload(file)));
    expect(retried).toMatchObject({ status: 'completed', counts: { completed: 1 } });
    expect(await payoutOf(`${batch.batchId}-2.r1`)).toMatchObject({
      amount: '60000',
      account: `***${other.slice(-4)}`,
    });
  });
});
