import { describe, expect, it } from 'vitest';
import { setStatusByHand } from '../../../../functions/payment-service/domain/disbursements/lifecycle.ts';
import { Money } from '../../../../functions/payment-service/domain/money/money.ts';
import {
  depositAnnouncement,
  disbursementAnnouncement,
  readAnnouncement,
} from '../../../../functions/payment-service/webhooks/announcement.ts';
import { newDeposit } from '../../../support/payment-service/deposits/new-deposit.ts';
import { newDisbursement } from '../../../support/payment-service/new-disbursement.ts';
import { announcementIn } from '../../../support/payment-service/webhook-attempts.ts';

const at = new Date('2026-11-21T06:00:10.000Z');

const paid = newDeposit({
  reference: 'ORDER-1',
  input: Money.of('100000.00', 'IDR'),
  output: Money.of('6.123456789012345678', 'usdt-tron'),
  status: 'completed',
  version: 2,
  paidAt: at.toISOString(),
  updatedAt: at.toISOString(),
});

describe('the webhook of a disbursement', () => {
  it('contains the new status and the previous one', () => {
    const change = setStatusByHand(
      newDisbursement({ reference: 'PAY-1', amount: Money.of('0.10', 'PHP') }),
      'failed',
      at,
    );
    const { body, ...rest } = announcementIn(disbursementAnnouncement(change));
    expect(rest).toEqual({
      accountId: 'merchant',
      webhookId: `msg_${change.after.disbursementId}_2`,
      type: 'disbursement.updated',
      about: change.after.disbursementId,
    });
    expect(JSON.parse(body)).toEqual({
      type: 'disbursement.updated',
      timestamp: at.toISOString(),
      data: {
        disbursementId: change.after.disbursementId,
        disbursementType: 'fiat',
        groupId: change.after.groupId,
        reference: 'PAY-1',
        amount: 0.1,
        currency: 'PHP',
        status: 'failed',
        previousStatus: 'pending',
        updatedAt: at.toISOString(),
      },
    });
  });
});

describe('the webhook of a deposit', () => {
  const { body, ...rest } = announcementIn(depositAnnouncement({ before: newDeposit(), after: paid }));

  it("contains payment and credit; its order is the checkout, which has the deposit's id", () => {
    expect(rest).toEqual({
      accountId: 'merchant',
      webhookId: `msg_${paid.depositId}_2`,
      type: 'deposit.updated',
      about: paid.depositId,
    });
    expect(JSON.parse(body)).toEqual({
      type: 'deposit.updated',
      timestamp: at.toISOString(),
      data: {
        orderId: paid.depositId,
        depositId: paid.depositId,
        depositType: 'fiat',
        reference: 'ORDER-1',
        inputCurrency: 'IDR',
        inputAmount: 100_000,
        outputCurrency: 'usdt-tron',
        outputAmount: expect.closeTo(6.123456789, 9),
        status: 'completed',
        previousStatus: 'pending',
        paidAt: at.toISOString(),
        updatedAt: at.toISOString(),
      },
    });
  });

  it('keeps every digit of an amount', () => {
    expect(body).toContain('"outputAmount":6.123456789012345678,');
  });

  it('omits missing fields', () => {
    const unpaid = newDeposit({ status: 'expired' });
    const { data } = JSON.parse(announcementIn(depositAnnouncement({ before: newDeposit(), after: unpaid })).body);
    expect(Object.keys(data)).not.toContain('paidAt');
    expect(Object.keys(data)).not.toContain('reference');
  });
});

it.each(['', '{', 'null', '{}', '{"accountId":"merchant"}'])('%j is not an announcement', (text) => {
  expect(readAnnouncement(text)).toBeUndefined();
});
