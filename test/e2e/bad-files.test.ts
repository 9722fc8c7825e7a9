import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { deployedProvider } from '../contract/provider/deployed-service.ts';
import { evmAddress } from '../support/wallet-addresses.ts';
import {
  csvOf,
  freshReference,
  header,
  idrRow,
  readReport,
  start,
  untilEnded,
  upload,
  walletRow,
} from './deployed-orchestrator.ts';

interface BadFile {
  readonly why: string;
  readonly file: string | Uint8Array;
  readonly code: string;
}

const bank = 'BCA,Bank Central Asia,001234567,Ayu Lestari';
const twice = freshReference();
const good = idrRow();
const gzipped = gzipSync(csvOf(...Array.from({ length: 500 }, () => idrRow())));

/** A good row and one with this instead of its reference, amount, currency and recipient. */
const withRow = (row: string): string => csvOf(idrRow(), row);

const badFiles: readonly BadFile[] = [
  { why: 'a missing column', file: 'amount,recipientId\n5,rcp_1\n', code: 'column_missing' },
  { why: 'an unknown column', file: csvOf(good).replace('reference', 'colour'), code: 'column_unknown' },
  { why: 'two recipients', file: withRow(`,20000,IDR,rcp_e2e00001,${bank},,`), code: 'recipient_ambiguous' },
  { why: 'no recipient', file: withRow(',20000,IDR,,,,,,,'), code: 'recipient_missing' },
  { why: 'an amount of zero', file: withRow(idrRow({ amount: '0.00' })), code: 'amount_zero' },
  { why: 'a negative amount', file: withRow(idrRow({ amount: '-20000' })), code: 'amount_negative' },
  { why: 'an amount with an exponent', file: withRow(idrRow({ amount: '2e4' })), code: 'amount_exponent' },
  { why: 'an amount with a comma', file: withRow(idrRow({ amount: '"20,000"' })), code: 'amount_comma' },
  { why: 'too many decimals', file: withRow(idrRow({ amount: '20000.001' })), code: 'amount_too_many_decimals' },
  { why: 'an unknown currency', file: withRow(`,20,XXX,,${bank},,`), code: 'currency_unknown' },
  {
    why: 'an unknown bank code',
    file: withRow(',20000,IDR,,NOBANK,No Bank,001234567,Ayu,,'),
    code: 'bank_code_unknown',
  },
  {
    why: 'an amount below the limit of the method',
    file: withRow(idrRow({ amount: '9999' })),
    code: 'amount_below_minimum',
  },
  {
    why: 'an amount above the limit of the method',
    file: withRow(walletRow('bnb-bsc', '501')),
    code: 'amount_above_maximum',
  },
  {
    why: 'a reference twice',
    file: csvOf(idrRow({ reference: twice }), idrRow({ reference: twice })),
    code: 'duplicate_reference',
  },
  {
    why: 'a reference once more in other letters',
    file: csvOf(idrRow({ reference: twice }), idrRow({ reference: twice.toUpperCase() })),
    code: 'duplicate_reference',
  },
  {
    why: 'a reserved reference in capitals',
    file: withRow(idrRow({ reference: 'ESTIMATE' })),
    code: 'reference_reserved',
  },
  {
    why: 'a wallet of another network',
    file: withRow(`${freshReference()},20,usdt-tron,,,,,,${evmAddress(twice)},`),
    code: 'address_wrong_network',
  },
  {
    why: 'a wallet with a digit too few',
    file: withRow(`${freshReference()},20,usdc-polygon,,,,,,${evmAddress(twice).slice(0, -1)},`),
    code: 'value_malformed',
  },
  { why: 'a field that is too long', file: withRow(`${'R'.repeat(65)},20000,IDR,,${bank},,`), code: 'value_too_long' },
  {
    why: 'a control character',
    file: withRow(',20000,IDR,,BCA,Bank\u0007,001234567,Ayu,,'),
    code: 'control_character',
  },
  { why: 'invalid UTF-8', file: Buffer.from(csvOf(good).replace('Ayu', 'Ay\u00fc'), 'latin1'), code: 'invalid_utf8' },
  { why: 'an empty file', file: '', code: 'file_empty' },
  { why: 'a header only', file: `${header}\n`, code: 'no_rows' },
  { why: 'a gzip bomb', file: gzipSync(`[${' '.repeat(70_000_000)}`), code: 'gzip_bomb' },
  { why: 'a gzip file cut off', file: gzipped.subarray(0, gzipped.length - 300), code: 'gzip_truncated' },
  { why: 'a quote that is never closed', file: `${header}\n"${good}`, code: 'malformed_csv' },
  { why: 'JSON that is not an array of objects', file: '[1, 2]', code: 'json_not_objects' },
  { why: 'JSON that is cut off', file: '[{"amount": "20000"', code: 'malformed_json' },
];

describe('a bad file', () => {
  let batches: Record<string, string>;
  let totalBefore: string;
  const balances = async () => JSON.stringify([...(await deployedProvider().readBalances())]);

  beforeAll(async () => {
    totalBefore = await balances();
    const started = badFiles.map(async ({ why, file }) => [why, await start(await upload(file, 'data'))] as const);
    batches = Object.fromEntries(await Promise.all(started));
  });

  it.each(badFiles)('with $why is refused as $code', async ({ why, code }) => {
    const batch = await untilEnded(batches[why] ?? '');
    expect([batch.status, batch.reason?.code]).toEqual(['validation_failed', 'file_invalid']);
    expect(batch.plan?.errors.map((error) => error.code)).toContain(code);
    expect(batch.counts).toEqual({});
    expect(await readReport(batch.batchId, 'errors.csv')).toContain(code);
  });

  it('pays nothing: no balance has moved', async () => {
    expect(await balances()).toBe(totalBefore);
  });

  it('may be mended and uploaded again under the same name', async () => {
    const first = await untilEnded(await start(await upload(csvOf(idrRow({ amount: '0' })))));
    expect(first.status).toBe('validation_failed');
    const skipped = await start(first.file.key, { invalidRows: 'skip' });
    expect((await untilEnded(skipped)).status).toBe('validation_failed');
  });
});
