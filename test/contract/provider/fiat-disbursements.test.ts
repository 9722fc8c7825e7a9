import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Money } from '../../../functions/domain/money/money.ts';
import { hashDestination } from '../../../functions/domain/payout/destination.ts';
import { composeFiatDisbursements } from '../../../functions/provider/client/fiat-disbursements.ts';
import { deployedClient, deployedProvider } from './deployed-service.ts';

const client = deployedClient();
const provider = deployedProvider();

const bank = {
  bankCode: 'BCA',
  bankName: 'Bank Central Asia',
  accountNumber: '0012345678',
  accountName: 'Ana Santoso',
};
const newReference = (): string => `contract-${randomUUID()}`;
const compose = (
  reference: string,
  { amount = '10000.50', ...account }: { bankCode?: string; amount?: string; accountNumber?: string } = {},
): string =>
  composeFiatDisbursements({
    currency: 'IDR',
    disburseData: [
      {
        recipient: { name: 'Ana', bank: { ...bank, ...account } },
        amount,
        reference,
        note: 'contract',
      },
    ],
  });

const create = async (reference: string, accountNumber = bank.accountNumber): Promise<string> => {
  const answer = await provider.submit('fiat', compose(reference, { accountNumber }));
  if (answer.kind !== 'answered' || answer.disbursements[0] === undefined) throw new Error(answer.kind);
  return answer.disbursements[0].disbursementId;
};

describe('POST /v2/disbursement/fiat', () => {
  it('returns every item with reference, amount, fee and destination', async () => {
    const [byBank, byId] = [newReference(), newReference()];
    const body = provider.composeSubmission({ rail: 'fiat', currency: 'IDR' }, [
      { row: 1, reference: byBank, amount: '10000.50', recipient: { kind: 'bank', ...bank } },
      { row: 2, reference: byId, amount: '20000', recipient: { kind: 'recipientId', recipientId: 'rcp_contract' } },
    ]);
    expect(await provider.submit('fiat', body)).toMatchObject({
      kind: 'answered',
      disbursements: [
        {
          reference: byBank,
          rail: 'fiat',
          amount: Money.of('10000.5', 'IDR'),
          fee: expect.objectContaining({ currency: 'IDR', amount: expect.stringMatching(/^\d/) }),
          status: 'pending',
          destinationHash: hashDestination({ kind: 'bank', ...bank }),
        },
        {
          reference: byId,
          amount: Money.of('20000', 'IDR'),
          destinationHash: hashDestination({ kind: 'recipientId', recipientId: 'rcp_contract' }),
        },
      ],
    });
  });

  it('refuses an unknown method with the documented error', async () => {
    expect(await provider.submit('fiat', compose(newReference(), { bankCode: 'NOBANK' }))).toEqual({
      kind: 'rejected',
      message: 'Payment method not found',
    });
  });
});

describe('GET /v1/disbursement/fiat/:disbursementIdOrReference', () => {
  it('does not share its references with the crypto lookup', async () => {
    const reference = newReference();
    await create(reference);
    expect(await provider.lookUp('crypto', reference)).toEqual({ kind: 'absent' });
  });
});

describe('GET /v1/disbursement/fiat', () => {
  it('sorts by the last change, and shows its time', async () => {
    const [first, second] = [newReference(), newReference()];
    // Neither settles by itself within a minute.
    const late = '0012349905';
    const disbursementId = await create(first, late);
    await create(second, late);
    const query = { rail: 'fiat', order: 'changed', page: 1 } as const;
    const own = async (status?: string) => {
      const { disbursements } = await provider.listDisbursements({
        ...query,
        ...(status === undefined ? {} : { status }),
      });
      return disbursements.filter(({ reference }) => reference === first || reference === second);
    };
    expect((await own()).map(({ reference }) => reference)).toEqual([second, first]);
    await client.sandbox.updateDisbursement(disbursementId, { status: 'completed' });
    const changed = await own();
    expect(changed.map(({ reference }) => reference)).toEqual([first, second]);
    const [latest, other] = changed.map(({ updatedAt }) => Date.parse(updatedAt ?? ''));
    expect(latest).toBeGreaterThan(other ?? Number.POSITIVE_INFINITY);
    expect((await own('completed')).map(({ reference }) => reference)).toEqual([first]);
    expect((await own('pending')).map(({ reference }) => reference)).toEqual([second]);
  });

  it('finds by id, and filters by status', async () => {
    const disbursementId = await create(newReference());
    const list = async (status?: string) => {
      const answer = await client.fiatDisbursements.list({ disbursementId, status });
      return answer.kind === 'succeeded' ? answer.data.docs.map((record) => record?.disbursementId) : answer;
    };
    await client.sandbox.updateDisbursement(disbursementId, { status: 'failed' });
    expect(await list()).toEqual([disbursementId]);
    expect(await list('failed')).toEqual([disbursementId]);
    expect(await list('completed')).toEqual([]);
  });
});

describe('PATCH /v1/disbursement/:disbursementId and GET …/report', () => {
  it('a completed disbursement has a PDF as its proof', async () => {
    const disbursementId = await create(newReference());
    expect(await client.sandbox.updateDisbursement(disbursementId, { status: 'pending' })).toMatchObject({
      kind: 'succeeded',
      statusCode: 200,
    });
    expect(await provider.downloadProof(disbursementId)).toBeUndefined();
    await client.sandbox.updateDisbursement(disbursementId, { status: 'completed' });
    expect(await provider.lookUp('fiat', disbursementId)).toMatchObject({ disbursement: { status: 'completed' } });
    const proof = Buffer.from((await provider.downloadProof(disbursementId)) ?? []);
    expect(proof.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('an unknown disbursement is a 400 in the PATCH and a 404 in the report', async () => {
    expect(await client.sandbox.updateDisbursement('dsb_unknown', { status: 'completed' })).toEqual({
      kind: 'refused',
      statusCode: 400,
      message: 'Disbursement not found',
    });
    expect(await client.fiatDisbursements.proof('dsb_unknown')).toEqual({
      kind: 'refused',
      statusCode: 404,
      message: 'Disbursement not found',
    });
  });
});

describe('GET /v1/disbursement/fiat/payment-method', () => {
  it('filters by currency', async () => {
    const answer = await client.fiatDisbursements.paymentMethods({ currency: 'IDR' });
    expect(answer.kind === 'succeeded' && new Set(answer.data.map((one) => one?.currency))).toEqual(new Set(['IDR']));
    const all = await provider.listPaymentMethods('fiat');
    expect(all.find(({ currency, code }) => currency === 'IDR' && code === 'BCA')).toMatchObject({
      minAmount: Money.of('10000', 'IDR'),
    });
  });
});
