import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Money } from '../../../functions/domain/money/money.ts';
import { hashDestination } from '../../../functions/domain/payout/destination.ts';
import { deployedClient, deployedProvider } from './deployed-service.ts';

const client = deployedClient();
const provider = deployedProvider();

const walletAddress = `0x${'ab'.repeat(20)}`;
const newReference = (): string => `contract-${randomUUID()}`;
const submit = (currency: string, reference: string, amount: string, address = walletAddress) =>
  provider.submit(
    'crypto',
    provider.composeSubmission({ rail: 'crypto', currency }, [
      { row: 1, reference, amount, recipient: { kind: 'wallet', walletAddress: address } },
    ]),
  );

describe('POST /v1/disbursement/crypto', () => {
  it('keeps 18 decimals in request and response', async () => {
    const reference = newReference();
    const amount = '0.001000000000000001';
    const expected = {
      reference,
      rail: 'crypto',
      amount: Money.of(amount, 'eth-ethereum'),
      destinationHash: hashDestination({ kind: 'wallet', walletAddress }),
    };
    expect(await submit('eth-ethereum', reference, amount)).toMatchObject({
      kind: 'answered',
      disbursements: [expected],
    });
    expect(await provider.lookUp('crypto', reference)).toMatchObject({ kind: 'found', disbursement: expected });
    expect(await provider.listByReference('crypto', reference)).toMatchObject([expected]);
  });

  it.each([
    ['an unknown token', 'doge-moon', walletAddress, 'Crypto not found'],
    ['an address of another network', 'usdt-tron', walletAddress, 'not an address'],
  ])('refuses %s', async (_case, currency, address, message) => {
    expect(await submit(currency, newReference(), '5', address)).toEqual({
      kind: 'rejected',
      message: expect.stringContaining(message),
    });
  });
});

describe('GET /v1/disbursement/crypto', () => {
  it('has every documented filter', async () => {
    const reference = newReference();
    const answer = await submit('usdc-polygon', reference, '12.345678');
    const created = answer.kind === 'answered' ? answer.disbursements[0] : undefined;
    const disbursementId = created?.disbursementId ?? '';
    const day = 24 * 60 * 60 * 1000;
    const [startDate, endDate] = [-day, day].map((delta) => new Date(Date.now() + delta).toISOString());
    const ids = async (query: Parameters<typeof client.cryptoDisbursements.list>[0]) => {
      const listed = await client.cryptoDisbursements.list({ ...query, limit: 100, sort: '-createdAt' });
      return listed.kind === 'succeeded' ? listed.data.docs.map((record) => record?.disbursementId) : listed;
    };
    for (const query of [
      { reference },
      { disbursementId },
      { amount: '12.345678' },
      { token: 'usdc-polygon' },
      { receiverAddress: walletAddress },
      { startDate, endDate },
      { startDate },
    ]) {
      expect(await ids(query)).toContain(disbursementId);
    }
    for (const query of [
      { reference: newReference() },
      { amount: '12.345679' },
      { token: 'usdt-tron' },
      { startDate: endDate, endDate },
      { txHash: '0x00' },
    ]) {
      expect(await ids(query)).not.toContain(disbursementId);
    }
  });
});

describe('GET /v1/disbursement/crypto/:disbursementIdOrReference', () => {
  it('has the documented error for an unknown one', async () => {
    expect(await client.cryptoDisbursements.find(newReference())).toEqual({
      kind: 'refused',
      statusCode: 404,
      message: 'Crypto disbursement not found',
    });
  });

  it.each([
    ['need_check', 'on_hold'],
    ['pending_retry', 'pending'],
    ['processed', 'pending'],
    ['canceled', 'canceled'],
  ])('the status %s is %s', async (status, ours) => {
    const reference = newReference();
    await submit('usdc-polygon', reference, '2');
    const found = await provider.lookUp('crypto', reference);
    const disbursementId = found.kind === 'found' ? found.disbursement.disbursementId : '';
    await client.sandbox.updateDisbursement(disbursementId, { status });
    expect(await provider.lookUp('crypto', reference)).toMatchObject({
      disbursement: { status: ours, providerStatus: status },
    });
  });
});

describe('methods and estimates', () => {
  it('have a fee for every method', async () => {
    const methods = await provider.listPaymentMethods('crypto');
    expect(methods.map(({ currency }) => currency)).toContain('usdt-tron');
    for (const { currency, minAmount } of methods) {
      const fee = await provider.estimateFee('crypto', minAmount);
      expect(fee?.currency).toBe(currency);
      expect(fee?.amount).toMatch(/^\d+(\.\d+)?$/);
    }
  });
});
