import { beforeAll, describe, expect, it } from 'vitest';
import {
  createdBy,
  credentialsOf,
  envelopeOf,
  fiatItems,
  getSigned,
  getWith,
  postFiat,
  send,
  signedHeaders,
} from '../../support/payment-service/merchant.ts';
import { uniqueWord } from '../../support/payment-service/unique-word.ts';

const second = credentialsOf('sandbox-second');

describe('a merchant', () => {
  const word = uniqueWord();
  let id = '';

  beforeAll(async () => {
    const [made] = await createdBy(postFiat(fiatItems(1, word)));
    id = made?.disbursementId ?? '';
  });

  it.each([
    ['by id', () => `/v1/disbursement/fiat/${id}`, 'Disbursement not found'],
    ['by reference', () => `/v1/disbursement/fiat/${word}-0`, 'Disbursement not found'],
    ['as a transfer proof', () => `/v1/disbursement/fiat/${id}/report`, 'Disbursement not found'],
  ])("does not find another's disbursement %s", async (_, path, message) => {
    expect(await envelopeOf(getSigned(path(), { as: second }))).toMatchObject({ statusCode: 404, message });
    expect((await getSigned(path())).status).not.toBe(404);
  });

  it("does not list another's", async () => {
    const { data } = await envelopeOf(getSigned(`/v1/disbursement/fiat?disbursementId=${id}`, { as: second }));
    expect(data).toMatchObject({ docs: [], totalDocs: 0 });
  });

  it("cannot change another's", async () => {
    const answer = send('PATCH', `/v1/disbursement/${id}`, { status: 'failed' }, second);
    expect(await envelopeOf(answer)).toMatchObject({ statusCode: 400, message: 'Disbursement not found' });
  });

  it("cannot use another's quote", async () => {
    const query = 'inputAmount=10&inputCurrency=usdt-tron&outputCurrency=THB';
    const { data } = await envelopeOf(getSigned(`/v1/convert/estimate?${query}`));
    const body = { input: { currency: 'usdt-tron' }, output: { currency: 'THB' }, ...Object(data) };
    const { quoteId } = body;
    const answer = send('POST', '/v1/convert', { input: body.input, output: body.output, quoteId }, second);
    expect(await envelopeOf(answer)).toMatchObject({ statusCode: 400, message: 'Quote not found' });
  });

  it('may use a reference that another has used', async () => {
    const body = { currency: 'PHP', disburseData: fiatItems(1, word) };
    expect(await envelopeOf(send('POST', '/v2/disbursement/fiat', body, second))).toMatchObject({ statusCode: 200 });
  });

  it('needs its own secret, whatever client id it claims', async () => {
    const path = '/v1/disbursement/fiat';
    const headers = { ...signedHeaders('GET', path, { as: second }), 'X-Client-ID': 'sandbox-merchant' };
    expect(await envelopeOf(getWith(path, headers))).toMatchObject({ statusCode: 401, message: 'Unauthorized' });
  });
});

describe('a signed request', () => {
  it('is answered only once, so an eavesdropper’s copy is refused', async () => {
    const path = '/v1/disbursement/fiat?limit=1';
    const headers = signedHeaders('GET', path);
    expect(await envelopeOf(getWith(path, headers))).toMatchObject({ statusCode: 200 });
    expect(await envelopeOf(getWith(path, headers))).toMatchObject({ statusCode: 401, message: 'Unauthorized' });
  });

  it('is answered only once even when many copies arrive concurrently', async () => {
    const path = '/v1/disbursement/crypto?limit=1';
    const headers = signedHeaders('GET', path);
    const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await getWith(path, headers)).status));
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401, 401, 401]);
  });
});
