import { describe, expect, it } from 'vitest';
import { truthOf } from '../../chaos/truth/service-truth.ts';

const groupId = 'grp_0123456789abcdef01234567';

const marker = (state: string) => ({ pk: `GROUP#${groupId}`, sk: 'GROUP', groupId, state, currency: 'IDR' });

const item = (position: number, recipient: object) => ({
  pk: `GROUP#${groupId}`,
  sk: `ITEM#00${position}`,
  groupId,
  position,
  amount: '10.5',
  fee: '1',
  reference: `ref-${position}`,
  status: 'failed',
  changes: [{ status: 'completed' }, { status: 'failed' }],
  recipient,
});

const bank = { bankCode: 'BCA', accountNumber: '0012', bankName: 'B', accountName: 'A' };

describe('the payment service’s table', () => {
  it('shows each item of a committed group, with every notation of the recipient', () => {
    const { disbursements } = truthOf([
      item(0, { kind: 'bank', bank }),
      marker('committed'),
      item(1, { kind: 'bank', recipientId: 'rcp_x', bank }),
      item(2, { kind: 'wallet', address: '0xab' }),
    ]);
    expect(disbursements.map(({ disbursementId, destinations }) => [disbursementId, destinations])).toEqual([
      ['dsb_0123456789abcdef01234567000', ['bank BCA 0012']],
      ['dsb_0123456789abcdef01234567001', ['bank BCA 0012', 'recipient rcp_x']],
      ['dsb_0123456789abcdef01234567002', ['wallet 0xab']],
    ]);
  });

  it('shows every status of a disbursement', () => {
    const [one] = truthOf([item(0, { kind: 'bank', bank }), marker('committed')]).disbursements;
    expect(one).toMatchObject({ status: 'failed', hasBeen: ['completed', 'failed', 'failed'] });
  });

  it.each([[], [marker('abandoned')]])('shows nothing of an uncommitted group', (...markers) => {
    expect(truthOf([item(0, { kind: 'bank', bank }), ...markers]).disbursements).toEqual([]);
  });

  it('shows each conversion, with the amounts that left and arrived after the fee', () => {
    const conversion = { convertId: 'cnv_1', inputCurrency: 'usdt-tron', inputAmount: '2', outputCurrency: 'IDR' };
    const createdAt = '2026-01-01T00:00:00.000Z';
    const { conversions } = truthOf([
      {
        ...conversion,
        pk: 'CONVERSION#cnv_1',
        sk: 'CONVERSION',
        convertedAmount: '32501',
        fee: '162.51',
        totalConvertedAmount: '32338.49',
        rate: '16250.5',
        createdAt,
      },
    ]);
    expect(conversions).toEqual([{ ...conversion, outputAmount: '32338.49', createdAt }]);
  });

  it('shows the net change of a balance, without the opening', () => {
    const entry = (kind: string, amount: string) => ({
      pk: 'LEDGER#acc#IDR',
      kind,
      currency: 'IDR',
      postings: [
        { account: 'balance', amount },
        { account: 'disbursements', amount: '7' },
      ],
    });
    const balance = { pk: 'ACCOUNT#acc', sk: 'BALANCE#IDR', currency: 'IDR', amount: '979.5', version: 2 };
    const { spent, balances } = truthOf([
      entry('opening', '1000'),
      entry('disbursement', '-30.5'),
      entry('disbursement_status', '10'),
      balance,
    ]);
    expect(spent).toEqual(new Map([['IDR', '20.5']]));
    expect(balances).toEqual(new Map([['IDR', { opening: '1000', now: '979.5' }]]));
  });
});
