import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Money } from '../../../functions/domain/money/money.ts';
import { deployedClient, deployedProvider } from './deployed-service.ts';

const client = deployedClient();
const provider = deployedProvider();
const newReference = (): string => `contract-${randomUUID()}`;
const item = (currency: string, amount: string, reference = newReference()) => ({
  currency,
  recipientId: 'rcp_contract',
  amount,
  reference,
});

describe('POST /v1/disbursement/fiat', () => {
  it('accepts items in several currencies, returns them in order, and sums by currency', async () => {
    const disburseData = [item('PHP', '100.25'), item('SGD', '20'), item('PHP', '200'), item('VND', '50000')];
    const answer = await client.fiatDisbursements.createV1({ disburseData });
    expect(answer).toMatchObject({
      kind: 'succeeded',
      statusCode: 200,
      data: {
        totalRecipient: 4,
        disburseData: disburseData.map(({ currency, amount, reference }) => ({
          currency,
          amount,
          reference,
          status: 'pending',
          feeAmount: expect.any(String),
          feePercentage: expect.any(String),
        })),
        sumAmount: [
          { currency: 'PHP', totalAmount: '300.25' },
          { currency: 'SGD', totalAmount: '20' },
          { currency: 'VND', totalAmount: '50000' },
        ],
        sumFees: [{ currency: 'PHP' }, { currency: 'SGD' }, { currency: 'VND' }],
      },
    });
    for (const { reference, amount, currency } of disburseData) {
      expect(await provider.lookUp('fiat', reference)).toMatchObject({
        kind: 'found',
        disbursement: { amount: Money.of(amount, currency) },
      });
    }
  });

  it('makes nothing when one recipient is unknown', async () => {
    const good = item('PHP', '100');
    const disburseData = [good, { ...item('SGD', '20'), recipientId: 'rcp_unknown1' }];
    expect(await client.fiatDisbursements.createV1({ disburseData })).toMatchObject({
      kind: 'refused',
      statusCode: 400,
      message: 'disburseData[1].recipientId: Recipient not found',
    });
    expect(await provider.lookUp('fiat', good.reference)).toEqual({ kind: 'absent' });
  });
});
