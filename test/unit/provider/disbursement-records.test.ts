import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashDestination } from '../../../functions/domain/payout/destination.ts';
import { disbursementOf } from '../../../functions/provider/disbursement-records.ts';
import { silentLog } from '../../support/silent-log.ts';

const entry = (status: string, description?: string) => ({
  activity: 'Settled',
  status,
  description,
  updatedAt: undefined,
});
const bank = {
  bankName: 'BCA',
  accountName: 'Siti Rahma',
  accountNumber: '0012345678',
  bankCode: 'bca',
  currency: undefined,
  country: undefined,
  bankIdentifierCode: undefined,
  address: undefined,
  city: undefined,
  province: undefined,
  postCode: undefined,
};
const fiatTextOf = (status: string, ...activityHistory: readonly ReturnType<typeof entry>[]) => {
  const recipient = { recipientId: undefined, email: 'siti@example.com', name: 'S. Rahma-Putri', bank };
  const record = { disbursementId: 'd-1', currency: 'IDR', amount: '1', status, activityHistory: [...activityHistory] };
  // @ts-expect-error The other fields of a record are not read.
  return disbursementOf(silentLog, { ...record, recipient }).statusText;
};

describe('the provider’s message about a status', () => {
  it.each([
    [
      'the newest entry of that status',
      'Account closed',
      [entry('failed', 'Retrying'), entry('FAILED', 'Account closed')],
    ],
    ['an older entry when the newest has none', 'Retrying', [entry('failed', 'Retrying'), entry('failed')]],
    ['nothing without a matching entry', undefined, [entry('pending', 'Sent to the bank')]],
    ['nothing without a history', undefined, []],
  ])('is %s', (_, text, entries) => {
    expect(fiatTextOf('failed', ...entries)).toBe(text);
  });

  it.each(['completed', 'pending', 'odd'])('is not read for one that is %s', (status) => {
    expect(fiatTextOf(status, entry(status, 'Paid to Siti'))).toBeUndefined();
  });

  it.each([
    ['No account of SITI RAHMA at BCA', 'No account of *** at BCA'],
    ['Name differs: expected Rahma, found Siti', 'Name differs: expected ***, found ***'],
    ['putri is unknown', '*** is unknown'],
    ['Account 0012345678 (also 001-234-5678) is closed', 'Account *** (also ***) is closed'],
    ['Mail to siti@example.com bounced', 'Mail to *** bounced'],
    ['Closed\r\nby\tbank\u202e!', 'Closed by bank !'],
    ['Rahmat is another name', 'Rahmat is another name'],
  ])('contains no recipient: %s', (description, text) => {
    expect(fiatTextOf('failed', entry('failed', description))).toBe(text);
  });

  it('has at most 200 characters', () => {
    expect(fiatTextOf('failed', entry('failed', 'no '.repeat(500)))?.length).toBeLessThanOrEqual(200);
  });

  it('contains no wallet either', () => {
    const receiverAddress = 'TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3';
    const activityHistory = [entry('need_check', `Screening of ${receiverAddress}`)];
    const record = { disbursementId: 'd-1', token: 'usdt', network: 'tron', amount: '1', status: 'need_check' };
    // @ts-expect-error The other fields of a record are not read.
    const { statusText } = disbursementOf(silentLog, { ...record, receiverAddress, activityHistory });
    expect(statusText).toBe('Screening of ***');
  });
});

it.each([
  ['usdt', 'tron', 'usdt-tron'],
  ['USDT', 'Tron', 'usdt-tron'],
  ['usdt-tron', 'tron', 'usdt-tron'],
  ['USDT-TRON', 'TRC20', 'usdt-tron'],
  ['usdt-tron', '', 'usdt-tron'],
  ['bnb-bsc', 'BNB Smart Chain', 'bnb-bsc'],
  ['usdt-bsc', 'Ethereum', 'usdt-bsc-ethereum'],
])('the token %s on the network %s is %s', (token, network, currency) => {
  const record = { disbursementId: 'd-1', token, network, amount: '1', status: 'completed' };
  // @ts-expect-error The other fields of a record are not read.
  expect(disbursementOf(silentLog, record).amount.currency).toBe(currency);
});

it('recognizes a TON wallet by both hashes that payouts to it may have', () => {
  const receiverAddress = 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA';
  const record = { disbursementId: 'd-1', token: 'ton', network: 'ton', amount: '1', status: 'completed' };
  // @ts-expect-error The other fields of a record are not read.
  expect(disbursementOf(silentLog, { ...record, receiverAddress })).toMatchObject({
    destinationHash: hashDestination({ kind: 'wallet', walletAddress: receiverAddress }),
    formerHash: hash('sha256', `wallet\n${receiverAddress}`),
  });
});
