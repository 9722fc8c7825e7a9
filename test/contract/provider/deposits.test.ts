import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deployedClient } from './deployed-service.ts';

const client = deployedClient();
const newReference = (): string => `contract-${randomUUID()}`;
const fiatRequest = (change: object = {}) => ({
  inputCurrency: 'PHP',
  inputAmount: '1000.50',
  outputCurrency: 'PHP',
  balanceType: 'fiat',
  paymentMethod: 'BDO',
  reference: newReference(),
  ...change,
});
type Outcome = Awaited<ReturnType<typeof client.deposits.createFiat>>;

const depositOf = (outcome: Outcome) => {
  if (outcome.kind !== 'succeeded') throw new Error(`${outcome.kind}, not a deposit`);
  return outcome.data;
};

describe('a fiat deposit', () => {
  it('is created with its instructions, and found by id and reference', async () => {
    const request = fiatRequest({ note: 'order 1' });
    const created = await client.deposits.createFiat(request);
    expect(created).toMatchObject({ kind: 'succeeded', statusCode: 201 });
    const deposit = depositOf(created);
    expect(deposit).toMatchObject({
      depositType: 'fiat',
      status: 'pending',
      inputAmount: '1000.5',
      outputAmount: '985.5',
      fee: { amount: '15', percentage: '0', currency: 'PHP' },
      paymentFiat: { bankCode: 'BDO', accountNumber: expect.any(String) },
      reference: request.reference,
      note: 'order 1',
      expiredAt: expect.any(String),
    });
    for (const name of [deposit.depositId, request.reference]) {
      expect(await client.deposits.findFiat(name)).toMatchObject({ kind: 'succeeded', data: deposit });
      expect(await client.deposits.findCrypto(name)).toMatchObject({ statusCode: 404, message: 'Deposit not found' });
    }
  });

  it('is converted into a token, with the requested output', async () => {
    const created = await client.deposits.createFiat({
      inputCurrency: 'PHP',
      outputCurrency: 'usdc-polygon',
      outputAmount: { crypto: '12.345678' },
      balanceType: 'crypto',
      paymentMethod: 'QRPH',
    });
    expect(depositOf(created)).toMatchObject({
      outputCurrency: 'usdc-polygon',
      exchangeInfo: { exchangeRate: '58.42', outputCurrency: 'usdc-polygon' },
      paymentFiat: { qrData: expect.stringMatching(/^000201/) },
    });
  });

  it('is completed by the sandbox, and then shows the payer', async () => {
    const { depositId } = depositOf(await client.deposits.createFiat(fiatRequest()));
    expect(await client.sandbox.updateDeposit(depositId, { status: 'completed' })).toMatchObject({
      kind: 'succeeded',
      data: {
        status: 'completed',
        exchangeRate: '1',
        payerInfo: { name: expect.any(String) },
        paidAt: expect.any(String),
      },
    });
  });

  it('can be canceled', async () => {
    const { depositId } = depositOf(await client.deposits.createFiat(fiatRequest()));
    expect(await client.deposits.cancel(depositId)).toMatchObject({ kind: 'succeeded', statusCode: 200 });
    expect(depositOf(await client.deposits.findFiat(depositId)).status).toBe('expired');
  });

  it('is refused for an unknown method', async () => {
    expect(await client.deposits.createFiat(fiatRequest({ paymentMethod: 'NOBANK' }))).toMatchObject({
      kind: 'refused',
      statusCode: 400,
      message: 'Payment method not found',
    });
  });
});

describe('a crypto deposit', () => {
  it('has its own address, and every decimal of its amount', async () => {
    const created = await client.deposits.createCrypto({
      inputCurrency: 'eth-ethereum',
      inputAmount: '0.123456789012345678',
      reference: newReference(),
    });
    const deposit = depositOf(created);
    expect(deposit).toMatchObject({
      depositType: 'crypto',
      inputAmount: '0.123456789012345678',
      outputAmount: '0.123333332223333332',
      paymentCrypto: { network: 'ethereum', payoutWallet: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) },
    });
    expect(await client.deposits.findCrypto(deposit.depositId)).toMatchObject({ data: deposit });
  });

  it('is refused for an unknown token', async () => {
    expect(await client.deposits.createCrypto({ inputCurrency: 'doge-dogecoin', inputAmount: '1' })).toMatchObject({
      kind: 'refused',
      statusCode: 400,
      message: 'Crypto not found',
    });
  });
});

describe('lists', () => {
  it('contain only their own type', async () => {
    const [fiat, crypto] = [
      depositOf(await client.deposits.createFiat(fiatRequest())),
      depositOf(await client.deposits.createCrypto({ inputCurrency: 'usdc-stellar', inputAmount: '5' })),
    ];
    const newestFiat = await client.deposits.listFiat({ limit: 5, sort: '-createdAt', status: 'pending' });
    const newestCrypto = await client.deposits.listCrypto({ limit: 5 });
    expect(newestFiat).toMatchObject({ kind: 'succeeded', data: { docs: expect.arrayContaining([fiat]) } });
    expect(newestCrypto).toMatchObject({ kind: 'succeeded', data: { docs: expect.arrayContaining([crypto]) } });
    const types = [newestFiat, newestCrypto].map((list) =>
      list.kind === 'succeeded' ? [...new Set(list.data.docs.map((one) => one?.depositType))] : [],
    );
    expect(types).toEqual([['fiat'], ['crypto']]);
  });

  it('of both types were removed', async () => {
    expect(await client.deposits.listAny({})).toMatchObject({ statusCode: 410 });
    expect(await client.deposits.findAny('anything')).toMatchObject({ statusCode: 410 });
  });
});

it('payment methods have every documented field', async () => {
  const answer = await client.deposits.paymentMethods({ currency: 'IDR' });
  const methods = answer.kind === 'succeeded' ? answer.data : [];
  expect(new Set(methods.map(({ depositPaymentType }) => depositPaymentType))).toEqual(
    new Set(['va', 'qris', 'ewallet']),
  );
  expect(methods).toContainEqual({
    depositPaymentType: 'qris',
    bankName: 'QRIS',
    bankCode: 'QRIS',
    currency: 'IDR',
    minimumAmount: '1500',
    maximumAmount: '10000000',
    image: expect.stringMatching(/^https:/),
    feeFlat: '0',
    feePercentage: '0.7',
  });
});
