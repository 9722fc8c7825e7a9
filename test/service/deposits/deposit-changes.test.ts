import { describe, expect, it, vi } from 'vitest';
import {
  cancelDeposit,
  depositAt,
  depositIn,
  fiatPath,
  postCryptoDeposit,
  postFiatDeposit,
  updateDeposit,
} from '../../support/payment-service/deposits/deposits.ts';
import { balanceOf, credentialsOf, envelopeOf, send } from '../../support/payment-service/merchant.ts';
import { uniqueWord } from '../../support/payment-service/unique-word.ts';

const patience = { timeout: 40_000, interval: 500 };
const second = credentialsOf('sandbox-second');

describe('PATCH /v1/deposit/:depositId', () => {
  it('moves the credit with the status, and shows the payer once the deposit is paid', async () => {
    const deposit = await depositIn(postFiatDeposit());
    const before = await balanceOf('PHP');
    for (const [status, balance] of [
      ['completed', before + 985],
      ['completed', before + 985],
      ['expired', before],
      ['completed', before + 985],
      ['pending', before],
    ] as const) {
      const answer = await envelopeOf(updateDeposit(deposit.depositId, status));
      expect(answer).toMatchObject({ statusCode: 200, message: 'Deposit updated', data: { status, exchangeRate: 1 } });
      const shown = await depositAt(fiatPath(deposit.depositId));
      expect(shown.status).toBe(status);
      expect('payerInfo' in shown && 'paidAt' in shown && 'settlementType' in shown && 'bankNote' in shown).toBe(
        status === 'completed',
      );
      expect(await balanceOf('PHP')).toBe(balance);
    }
  });

  it('shows the transaction of a paid crypto deposit, and credits the converted amount', async () => {
    const deposit = await depositIn(postCryptoDeposit({ outputCurrency: 'SGD' }));
    const before = await balanceOf('SGD');
    expect(await envelopeOf(updateDeposit(deposit.depositId, 'completed'))).toMatchObject({
      data: {
        exchangeRate: 1.3465,
        transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        senderWallet: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      },
    });
    expect(await balanceOf('SGD')).toBeCloseTo(before + deposit.outputAmount, 6);
  });

  it.each([
    ['an unknown deposit', 'dep_0', 'completed', 'Deposit not found'],
    ['no status', 'dep_0', undefined, 'status: must be one of pending, expired, completed'],
  ])('of %s is refused', async (_, id, status, message) => {
    expect(await envelopeOf(updateDeposit(id, status))).toMatchObject({ statusCode: 400, message });
  });

  it('accepts only the three statuses, and only own deposits', async () => {
    const deposit = await depositIn(postFiatDeposit());
    expect(await envelopeOf(updateDeposit(deposit.depositId, 'failed'))).toMatchObject({
      statusCode: 400,
      message: 'status: must be one of pending, expired, completed',
    });
    expect(
      await envelopeOf(send('PATCH', `/v1/deposit/${deposit.depositId}`, { status: 'completed' }, second)),
    ).toMatchObject({
      statusCode: 400,
      message: 'Deposit not found',
    });
  });

  it('cannot take back money that was spent in the meantime', async () => {
    const deposit = await depositIn(
      postFiatDeposit({ inputCurrency: 'THB', outputCurrency: 'THB', paymentMethod: 'KBANK' }, second),
    );
    const asSecond = (path: string, body: object) =>
      send(path.startsWith('/v2') ? 'POST' : 'PATCH', path, body, second);
    await envelopeOf(asSecond(`/v1/deposit/${deposit.depositId}`, { status: 'completed' }));
    const spent = await envelopeOf(
      asSecond('/v2/disbursement/fiat', { currency: 'THB', disburseData: [{ recipientId: 'rcp_anna', amount: 900 }] }),
    );
    expect(spent.statusCode).toBe(200);
    expect(await envelopeOf(asSecond(`/v1/deposit/${deposit.depositId}`, { status: 'pending' }))).toMatchObject({
      statusCode: 400,
      message: 'insufficient balance',
    });
  });
});

describe('PATCH /v1/deposit/:depositId/cancel', () => {
  it('expires a pending deposit, once', async () => {
    const deposit = await depositIn(postFiatDeposit());
    expect(await envelopeOf(cancelDeposit(deposit.depositId))).toEqual({
      statusCode: 200,
      message: 'Deposit cancelled',
    });
    const shown = await depositAt(fiatPath(deposit.depositId));
    expect(shown.status).toBe('expired');
    expect(shown.activityHistory.at(-1)?.activity).toBe('Deposit canceled');
    expect(await envelopeOf(cancelDeposit(deposit.depositId))).toMatchObject({
      statusCode: 400,
      message: 'a deposit that is expired cannot be canceled',
    });
  });

  it('of a completed, unknown or foreign deposit is refused', async () => {
    const deposit = await depositIn(postCryptoDeposit());
    expect(await envelopeOf(cancelDeposit(deposit.depositId, second))).toMatchObject({
      statusCode: 400,
      message: 'Deposit not found',
    });
    await updateDeposit(deposit.depositId, 'completed');
    expect(await envelopeOf(cancelDeposit(deposit.depositId))).toMatchObject({
      statusCode: 400,
      message: 'a deposit that is completed cannot be canceled',
    });
    expect(await envelopeOf(cancelDeposit('dep_0'))).toMatchObject({ statusCode: 400, message: 'Deposit not found' });
  });
});

describe('by itself', () => {
  it('a deposit is paid or expires, as its reference says', async () => {
    const before = await balanceOf('VND');
    const fields = { inputCurrency: 'VND', outputCurrency: 'VND', inputAmount: 100_000, paymentMethod: 'VIETQR' };
    const [paid, expired] = [
      await depositIn(postFiatDeposit({ ...fields, reference: `autopay-${uniqueWord()}` })),
      await depositIn(postFiatDeposit({ ...fields, reference: `expire-${uniqueWord()}` })),
    ];
    await vi.waitFor(async () => {
      const shown = [await depositAt(fiatPath(paid.depositId)), await depositAt(fiatPath(expired.depositId))];
      expect(shown.map(({ status }) => status)).toEqual(['completed', 'expired']);
    }, patience);
    expect(await balanceOf('VND')).toBe(before + paid.outputAmount);
    expect(await depositAt(fiatPath(paid.depositId))).toMatchObject({ paidAt: expect.any(String) });
  });
});
