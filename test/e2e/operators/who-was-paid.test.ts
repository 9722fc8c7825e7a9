import { createHash, randomBytes } from 'node:crypto';
import { unzipSync } from 'fflate';
import Papa from 'papaparse';
import { beforeAll, describe, expect, it } from 'vitest';
import { proofArchive, proofLink } from '../../../functions/api/schemas/file-links.ts';
import { payoutPage } from '../../../functions/api/schemas/payout.ts';
import { payoutPath } from '../../../functions/api/schemas/payout-path.ts';
import { recipientView } from '../../../functions/api/schemas/recipient.ts';
import {
  freshAccount,
  freshReference,
  operator,
  readReport,
  start,
  untilEnded,
  upload,
} from '../deployed/deployed-orchestrator.ts';

describe('a search for a person’s payment', () => {
  const [accountNumber, failing] = [freshAccount(), freshAccount('9901')];
  const [reference, failed] = [freshReference(), freshReference()];
  const name = `Zulaikha Q${randomBytes(4).toString('hex')}`;
  let batchId = '';

  beforeAll(async () => {
    const row = (...cells: readonly string[]) => [...cells, 'IDR', 'BCA', 'Bank Central Asia'].join(',');
    const file = [
      'reference,amount,accountNumber,accountName,x-Department,currency,bankCode,bankName',
      row(reference, '150000', accountNumber, name, 'Accounts'),
      row(failed, '160000', failing, 'Nimrod', 'Sales'),
    ].join('\n');
    batchId = await start(await upload(file));
    expect((await untilEnded(batchId)).status).toBe('partially_completed');
  });

  const search = (wanted: object) =>
    operator().ask({ method: 'POST', path: '/search/payouts', body: { limit: 1, ...wanted } }, payoutPage);

  it('finds it by the account alone, in all batches', async () => {
    const { payouts } = await search({ recipient: { bankCode: 'BCA', accountNumber } });
    const found = {
      batchId,
      reference,
      status: 'completed',
      bankCode: 'BCA',
      account: `***${accountNumber.slice(-4)}`,
    };
    expect(payouts).toMatchObject([found]);
    expect((await search({ recipient: { bankCode: 'BCA', accountNumber: freshAccount() } })).payouts).toEqual([]);
  });

  it('finds it by the beginning of the reference in all batches, and by the amount in its batch', async () => {
    const found = { batchId, reference, status: 'completed', amount: '150000' };
    expect((await search({ referencePrefix: reference.slice(0, -1).toUpperCase() })).payouts).toMatchObject([found]);
    expect((await search({ amount: '150000.00', currency: 'IDR', batchId })).payouts).toMatchObject([found]);
    expect((await search({ amount: '150000.01', currency: 'IDR', batchId })).payouts).toEqual([]);
    const nothing = await operator().send({ method: 'POST', path: '/search/payouts', body: { batchId } });
    expect(nothing.status).toBe(400);
  });

  it('shows the name to a caller with the right', async () => {
    const recipient = await operator().ask(
      { method: 'POST', path: `${payoutPath(reference)}/recipient` },
      recipientView,
    );
    expect(recipient).toMatchObject({ name, bankName: 'Bank Central Asia', extras: { 'x-Department': 'Accounts' } });
  });

  it('matches results.csv, with the name, the file’s own column, and the other’s failure', async () => {
    const { data } = Papa.parse<Record<string, string>>(await readReport(batchId, 'results.csv'), { header: true });
    const account = (number: string) => `***${number.slice(-4)}`;
    expect(data).toMatchObject([
      { reference, name, account: account(accountNumber), status: 'completed', 'x-Department': 'Accounts' },
      { reference: failed, name: 'Nimrod', account: account(failing), status: 'failed', 'x-Department': 'Sales' },
      {},
    ]);
    expect(data[1]?.['providerText']).not.toBe('');
  });

  it('is proven by a PDF whose hash is in results.csv', async () => {
    const { data } = Papa.parse<Record<string, string>>(await readReport(batchId, 'results.csv'), { header: true });
    const { url, sha256 } = await operator().ask({ method: 'GET', path: `${payoutPath(reference)}/proof` }, proofLink);
    const pdf = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(createHash('sha256').update(pdf).digest('hex')).toBe(sha256);
    expect(data[0]?.['proofSha256']).toBe(sha256);
    expect((await operator().send({ method: 'GET', path: `${payoutPath(failed)}/proof` })).status).toBe(404);
    const zip = await operator().ask({ method: 'POST', path: `/batches/${batchId}/proofs`, body: {} }, proofArchive);
    expect(zip).toMatchObject({ name: `proofs-${batchId}.zip`, proofs: 1 });
    const files = unzipSync(new Uint8Array(await (await fetch(zip.url)).arrayBuffer()));
    expect(Object.keys(files)).toEqual([`0000001-${reference}.pdf`, 'index.csv']);
    expect(Buffer.from(files[`0000001-${reference}.pdf`] ?? []).equals(pdf)).toBe(true);
  });
});
