import { describe, expect, it } from 'vitest';
import {
  balanceOf,
  createdBy,
  cryptoItems,
  envelopeOf,
  fiatItems,
  getSigned,
  pageOf,
  postCrypto,
  postFiat,
} from '../../support/payment-service/merchant.ts';
import { uniqueWord } from '../../support/payment-service/unique-word.ts';

const feeOfBank = 15;

describe('a POST of fiat disbursements', () => {
  it('of a hundred items creates a hundred, and debits amounts and fees in order', async () => {
    const before = await balanceOf('PHP');
    const items = fiatItems(100);
    const answer = await envelopeOf(postFiat(items));
    const total = items.reduce((sum, item) => sum + item.amount, 0);
    expect(answer).toMatchObject({
      statusCode: 200,
      message: 'Disbursement created successfully',
      data: { totalRecipient: 100, sumAmount: total, sumFees: 100 * feeOfBank },
    });
    expect(await balanceOf('PHP')).toBe(before - total - 100 * feeOfBank);
    expect(answer['data']).toMatchObject({
      disburseData: items.map((item, index) => ({
        reference: item.reference,
        amount: item.amount,
        status: 'pending',
        activityHistory: [{ status: 'pending' }, { status: 'pending' }, { status: 'pending' }],
        ...(index === 0 ? { balance: { before, after: before - item.amount - feeOfBank } } : {}),
      })),
    });
  });

  it('with one taken reference creates nothing', async () => {
    const used = fiatItems(1);
    await createdBy(postFiat(used));
    const [before, listed] = [await balanceOf('PHP'), (await pageOf('/v1/disbursement/fiat')).totalDocs];
    const items = [...fiatItems(5), ...used];
    expect(await envelopeOf(postFiat(items))).toMatchObject({
      statusCode: 400,
      message: `reference ${used[0]?.reference} was used before`,
    });
    expect(await balanceOf('PHP')).toBe(before);
    expect((await pageOf('/v1/disbursement/fiat')).totalDocs).toBe(listed);
    expect(await envelopeOf(getSigned(`/v1/disbursement/fiat/${items[0]?.reference}`))).toMatchObject({
      statusCode: 404,
    });
  });

  it('beyond the balance is refused, and its references stay free', async () => {
    const items = fiatItems(1).map((item) => ({
      ...item,
      amount: 1_900_000,
      recipientId: 'rcp_anna',
      recipient: undefined,
    }));
    expect(await envelopeOf(postFiat(items, 'THB'))).toMatchObject({
      statusCode: 400,
      message: 'insufficient balance',
    });
    expect(await createdBy(postFiat(items.map((item) => ({ ...item, amount: 100 }))))).toHaveLength(1);
  });

  it('sent six times concurrently is created once', async () => {
    const items = fiatItems(10, uniqueWord());
    const before = await balanceOf('PHP');
    const answers = await Promise.all(Array.from({ length: 6 }, () => envelopeOf(postFiat(items))));
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)[0]).toBe(200);
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    expect(answers.every(({ statusCode }) => [200, 400, 409].includes(statusCode))).toBe(true);
    expect(await balanceOf('PHP')).toBe(before - items.reduce((sum, item) => sum + item.amount + feeOfBank, 0));
  });
});

it('concurrently with others on one balance succeeds, and the balance reflects all of them', async () => {
  const before = await balanceOf('PHP');
  const groups = await Promise.all(Array.from({ length: 8 }, () => createdBy(postFiat(fiatItems(20)))));
  const spent = groups.flat().reduce((sum, one) => sum + one.amount + one.feeAmount, 0);
  expect(groups.flat()).toHaveLength(160);
  expect(await balanceOf('PHP')).toBe(before - spent);
  expect(new Set(groups.flat().map((one) => one.disbursementId)).size).toBe(160);
});

describe('a POST of crypto disbursements', () => {
  it('creates them in one group', async () => {
    const made = await createdBy(postCrypto(cryptoItems(['a', 'b'])));
    expect(new Set(made.map((one) => one.groupId)).size).toBe(1);
    expect(made).toMatchObject([
      { token: 'usdc-polygon', network: 'polygon', blockchainType: 'EVM', tokenDecimal: 6, status: 'pending' },
      { senderAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) },
    ]);
  });

  it('refuses a fiat disbursement’s reference too', async () => {
    const word = uniqueWord();
    await createdBy(postFiat(fiatItems(1, word)));
    expect(await envelopeOf(postCrypto(cryptoItems(['a'], word)))).toMatchObject({ statusCode: 400 });
  });
});
