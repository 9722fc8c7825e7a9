import { describe, expect, it, vi } from 'vitest';
import {
  balanceOf,
  createdBy,
  cryptoItems,
  detailOf,
  envelopeOf,
  fiatItems,
  getSigned,
  postCrypto,
  postFiat,
  send,
} from '../../support/payment-service/merchant.ts';

const patience = { timeout: 40_000, interval: 500 };
const fiatPath = (id: string | undefined) => `/v1/disbursement/fiat/${id}`;

const magicItems = (endings: readonly string[]) =>
  fiatItems(endings.length).map((item, index) => ({
    ...item,
    recipient: { bank: { ...item.recipient.bank, accountNumber: `001234${endings[index]}` } },
  }));

describe('disbursements settle by themselves', () => {
  it.concurrent('fiat disbursements end as their account numbers say; failed ones are back in the balance', async ({
    expect,
  }) => {
    const before = await balanceOf('PHP');
    const made = await createdBy(postFiat(magicItems(['0000', '9901', '9902', '9904'])));
    const [paid, , held] = made;
    await vi.waitFor(async () => {
      const statuses = await Promise.all(
        made.map(async (one) => (await detailOf(fiatPath(one.disbursementId))).status),
      );
      expect(statuses).toEqual(['completed', 'failed', 'pending', 'failed']);
      expect((await detailOf(fiatPath(held?.disbursementId))).activityHistory.at(-1)?.activity).toBe(
        'Held for a check',
      );
    }, patience);
    const spent = [paid, held].reduce((sum, one) => sum + (one?.amount ?? 0) + (one?.feeAmount ?? 0), 0);
    expect(await balanceOf('PHP')).toBe(before - spent);
    expect(await detailOf(fiatPath(paid?.reference))).toMatchObject({ completedAt: expect.any(String) });
  });

  it.concurrent('crypto disbursements end as their wallets say', async ({ expect }) => {
    const made = await createdBy(postCrypto(cryptoItems(['abcd', 'fa11', 'c4ec', '4e74', 'ca2c'])));
    await vi.waitFor(async () => {
      const all = await Promise.all(made.map((one) => detailOf(`/v1/disbursement/crypto/${one.disbursementId}`)));
      expect(all.map((one) => one.status)).toEqual(['completed', 'failed', 'need_check', 'completed', 'canceled']);
      expect(all[0]).toMatchObject({
        transactionData: { txHash: expect.stringMatching(/^0x/) },
        blockchainType: 'evm',
      });
    }, patience);
  });
});

describe('the sandbox status update', () => {
  it('moves money with the status, and stops settlement', async () => {
    const before = await balanceOf('PHP');
    const [one] = await createdBy(postFiat(fiatItems(1)));
    const cost = (one?.amount ?? 0) + (one?.feeAmount ?? 0);
    for (const [status, balance] of [
      ['failed', before],
      ['failed', before],
      ['completed', before - cost],
      ['pending', before - cost],
    ] as const) {
      const answer = await envelopeOf(send('PATCH', `/v1/disbursement/${one?.disbursementId}`, { status }));
      expect(answer).toEqual({ statusCode: 200, message: 'Disbursement updated successfully' });
      expect((await detailOf(fiatPath(one?.disbursementId))).status).toBe(status);
      expect(await balanceOf('PHP')).toBe(balance);
    }
  });

  it.each([
    ['an unknown disbursement', '/v1/disbursement/dsb_0', { status: 'completed' }, 'Disbursement not found'],
    ['no status', '/v1/disbursement/dsb_0', {}, 'status: must be a text'],
  ])('of %s is refused', async (_, path, body, message) => {
    expect(await envelopeOf(send('PATCH', path, body))).toMatchObject({ statusCode: 400, message });
  });

  it('accepts only the rail’s statuses', async () => {
    const [one] = await createdBy(postFiat(fiatItems(1)));
    const answer = await envelopeOf(send('PATCH', `/v1/disbursement/${one?.disbursementId}`, { status: 'canceled' }));
    expect(answer).toMatchObject({ statusCode: 400, message: 'status must be one of pending, failed, completed' });
  });
});

describe('the transfer proof', () => {
  it('is a PDF once the disbursement is completed, and a 400 before', async () => {
    const [one] = await createdBy(postFiat(fiatItems(1)));
    const path = `${fiatPath(one?.disbursementId)}/report`;
    expect(await envelopeOf(getSigned(path))).toMatchObject({
      statusCode: 400,
      message: 'Disbursement is not completed',
    });
    await send('PATCH', `/v1/disbursement/${one?.disbursementId}`, { status: 'completed' });
    const answer = await getSigned(path);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toContain(`${one?.disbursementId}.pdf"`);
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1')).toMatch(/^%PDF-[\s\S]*%%EOF\s*$/);
  });

  it('of an unknown disbursement is a 404', async () => {
    expect(await envelopeOf(getSigned(`${fiatPath('dsb_0')}/report`))).toMatchObject({
      statusCode: 404,
      message: 'Disbursement not found',
    });
  });
});

it.each([
  ['fiat', 'Disbursement not found'],
  ['crypto', 'Crypto disbursement not found'],
])('an unknown %s disbursement is a 404', async (rail, message) => {
  expect(await envelopeOf(getSigned(`/v1/disbursement/${rail}/nobody`))).toMatchObject({ statusCode: 404, message });
});

it('a disbursement is not found on the other rail, by id or by reference', async () => {
  const [one] = await createdBy(postFiat(fiatItems(1)));
  for (const name of [one?.disbursementId, one?.reference]) {
    expect(await envelopeOf(getSigned(`/v1/disbursement/crypto/${name}`))).toMatchObject({ statusCode: 404 });
  }
});
