import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlannedPayout } from '../../../functions/domain/batch/chunk-file.ts';
import { InvariantBroken } from '../../../functions/domain/errors.ts';
import { composeSubmission } from '../../../functions/provider/submission.ts';

const bank = {
  kind: 'bank',
  bankCode: '014',
  bankName: 'BCA',
  accountNumber: '0012345678',
  accountName: 'Ana "A" Santoso',
} as const;
const wallet = { kind: 'wallet', walletAddress: 'TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3' } as const;
const payout = (recipient: PlannedPayout['recipient'], more: Partial<PlannedPayout> = {}): PlannedPayout => ({
  row: 1,
  reference: 'r1',
  amount: '10000.50',
  recipient,
  ...more,
});

/** A value in every column that does not name the recipient, so that one which must not be sent shows. */
const filled = {
  row: 1,
  reference: 'r1',
  amount: '10000.50',
  email: 'a@example.com',
  name: 'Ana',
  note: 'n',
  extras: { 'x-department': 'Sales' },
} satisfies Required<Omit<PlannedPayout, 'recipient'>>;

describe('the body of a submission', () => {
  it.each([
    [
      'a recipient id',
      { rail: 'fiat', currency: 'IDR' } as const,
      payout({ kind: 'recipientId', recipientId: 'rcp_1' }, filled),
      '{"currency":"IDR","disburseData":[{"recipientId":"rcp_1","amount":10000.50,"reference":"r1","note":"n"}]}',
    ],
    [
      'bank details, without the columns of the file that are for its reports alone',
      { rail: 'fiat', currency: 'IDR' } as const,
      payout(bank, filled),
      '{"currency":"IDR","disburseData":[{"recipient":{"name":"Ana","email":"a@example.com","bank":{"bankName":"BCA",' +
        '"accountName":"Ana \\"A\\" Santoso","accountNumber":"0012345678","bankCode":"014"}},"amount":10000.50,' +
        '"reference":"r1","note":"n"}]}',
    ],
    [
      'bank details alone',
      { rail: 'fiat', currency: 'IDR' } as const,
      payout(bank),
      '{"currency":"IDR","disburseData":[{"recipient":{"bank":{"bankName":"BCA","accountName":"Ana \\"A\\" Santoso",' +
        '"accountNumber":"0012345678","bankCode":"014"}},"amount":10000.50,"reference":"r1"}]}',
    ],
    [
      'a wallet',
      { rail: 'crypto', currency: 'usdt-tron' } as const,
      payout(wallet, { ...filled, amount: '0.000000000000000001' }),
      '{"token":"usdt-tron","receivers":[{"amount":0.000000000000000001,"receiverWalletAddress":"TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3","reference":"r1","note":"n"}]}',
    ],
  ])('for %s', (_case, chunk, planned, text) => {
    expect(composeSubmission(chunk, [planned])).toBe(text);
  });

  it.each([
    ['a wallet in a fiat call', 'fiat', wallet],
    ['a bank account in a crypto call', 'crypto', bank],
  ] as const)('is never made for %s', (_case, rail, recipient) => {
    expect(() => composeSubmission({ rail, currency: 'x' }, [payout(recipient)])).toThrow(InvariantBroken);
  });

  it.each(['1e3', '-1', '0', '0.00', '1,5', ' 1', '007', 'NaN', ''])('is never made from the amount "%s"', (amount) => {
    expect(() => composeSubmission({ rail: 'crypto', currency: 'x' }, [payout(wallet, { amount })])).toThrow(/amount/);
  });

  it('contains every digit of any amount', () => {
    const digits = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }));
    fc.assert(
      fc.property(digits, ([units, decimals]) => {
        const padded = units.toString().padStart(decimals + 1, '0');
        const point = padded.length - decimals;
        const amount = decimals === 0 ? padded : `${padded.slice(0, point)}.${padded.slice(point)}`;
        const body = composeSubmission({ rail: 'crypto', currency: 'x-y' }, [payout(wallet, { amount })]);
        expect(body).toContain(`{"amount":${amount},`);
      }),
    );
  });
});
