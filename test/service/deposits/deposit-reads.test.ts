import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cancelDeposit,
  cryptoPath,
  depositAt,
  depositIn,
  depositPageAt,
  fiatPath,
  postCryptoDeposit,
  postFiatDeposit,
} from '../../support/payment-service/deposits/deposits.ts';
import { credentialsOf, envelopeOf, getSigned, send } from '../../support/payment-service/merchant.ts';
import { uniqueWord } from '../../support/payment-service/unique-word.ts';

const second = credentialsOf('sandbox-second');

describe('detail', () => {
  it('does not find a deposit of the other type, nor of another merchant, by id or reference', async () => {
    const [one, other] = [
      await depositIn(postFiatDeposit({ reference: uniqueWord() })),
      await depositIn(postCryptoDeposit({ reference: uniqueWord() })),
    ];
    const missing = { statusCode: 404, message: 'Deposit not found' };
    for (const name of [one.depositId, one.reference]) {
      expect(await envelopeOf(getSigned(cryptoPath(name)))).toMatchObject(missing);
      expect(await envelopeOf(getSigned(fiatPath(name), { as: second }))).toMatchObject(missing);
    }
    for (const name of [other.depositId, other.reference]) {
      expect(await envelopeOf(getSigned(fiatPath(name)))).toMatchObject(missing);
    }
    expect((await depositAt(cryptoPath(other.reference))).depositId).toBe(other.depositId);
  });

  it.each(['nobody', 'dep_0', 'x'.repeat(3000)])('of %s is a 404', async (name) => {
    for (const path of [fiatPath(name), cryptoPath(name)]) {
      expect(await envelopeOf(getSigned(path))).toMatchObject({ statusCode: 404, message: 'Deposit not found' });
    }
  });
});

describe('lists', () => {
  beforeAll(() => Promise.all(Array.from({ length: 11 }, () => depositIn(postFiatDeposit()))));

  it('contain new deposits by type, status and sort', async () => {
    const made = [
      await depositIn(postFiatDeposit()),
      await depositIn(postCryptoDeposit()),
      await depositIn(postFiatDeposit()),
    ];
    const [first, crypto, last] = made.map(({ depositId }) => depositId);
    const newest = async (path: string) => (await depositPageAt(path)).docs.map(({ depositId }) => depositId);
    expect(await newest('/v1/deposit/fiat?limit=2')).toEqual([last, first]);
    expect(await newest('/v1/deposit/crypto?limit=1')).toEqual([crypto]);
    expect(await newest('/v1/deposit/fiat?sort=createdAt&limit=1')).not.toContain(last);
    await cancelDeposit(first);
    expect(await newest('/v1/deposit/fiat?sort=-updatedAt&limit=2')).toEqual([first, last]);
    expect(await newest('/v1/deposit/fiat?sort=-createdAt&status=pending&limit=1')).toEqual([last]);
    expect(await newest('/v1/deposit/fiat?sort=-updatedAt&status=expired&limit=1')).toEqual([first]);
  });

  it('page without gaps, ten per page by default', async () => {
    const { docs, totalDocs, hasNextPage } = await depositPageAt('/v1/deposit/fiat');
    expect(totalDocs).toBeGreaterThan(10);
    expect([docs.length, hasNextPage]).toEqual([10, true]);
    const all = (await depositPageAt('/v1/deposit/fiat?sort=createdAt&limit=100')).docs.map(
      ({ depositId }) => depositId,
    );
    const pages = await Promise.all(
      [1, 2, 3].map((page) => depositPageAt(`/v1/deposit/fiat?sort=createdAt&limit=4&page=${page}`)),
    );
    expect(pages.flatMap((page) => page.docs.map(({ depositId }) => depositId))).toEqual(all.slice(0, 12));
  });

  it.each([
    ['/v1/deposit/fiat?depositBulkId=b', { docs: [], totalDocs: 0, totalPages: 1 }],
    ['/v1/deposit/fiat?page=900', { docs: [], page: 900, hasNextPage: false }],
    ['/v1/deposit/crypto?limit=100', { limit: 100 }],
  ])('GET %s', async (path, data) => {
    expect(await envelopeOf(getSigned(path))).toMatchObject({ statusCode: 200, data });
  });

  it.each([
    ['/v1/deposit/fiat?limit=101', 'limit must be at most 100'],
    ['/v1/deposit/crypto?limit=101', 'limit must be at most 100'],
    ['/v1/deposit/fiat?page=0', 'page: must be a whole number from 1'],
    ['/v1/deposit/fiat?status=failed', 'status: must be one of pending, expired, completed'],
    ['/v1/deposit/crypto?sort=amount', 'sort: must be one of createdAt, -createdAt, updatedAt, -updatedAt'],
  ])('GET %s is refused', async (path, message) => {
    expect(await envelopeOf(getSigned(path))).toMatchObject({ statusCode: 400, message });
  });

  it('answer with requestId and timestamp where the public document shows them', async () => {
    const [fiat, crypto] = [
      await envelopeOf(getSigned('/v1/deposit/fiat')),
      await envelopeOf(getSigned('/v1/deposit/crypto')),
    ];
    expect([Object.keys(fiat), Object.keys(crypto)]).toEqual([
      ['statusCode', 'message', 'data', 'requestId', 'timestamp'],
      ['statusCode', 'message', 'data'],
    ]);
  });
});

describe('GET /v1/deposit and GET /v1/deposit/:depositIdOrReference', () => {
  const control = (path: string, body?: object) => envelopeOf(send('POST', `/sandbox/${path}`, body, second));
  afterAll(() => control('reset'));

  it('answer for both types until 13 October 2026, and are removed from then on', async () => {
    await control('reset');
    await control('clock', { setTo: '2026-10-12T12:00:00Z' });
    const fiat = await depositIn(postFiatDeposit({ reference: uniqueWord() }, second));
    const crypto = await depositIn(postCryptoDeposit({}, second));
    const ids = async (query: string) =>
      (await depositPageAt(`/v1/deposit?${query}`, second)).docs.map(({ depositId }) => depositId);
    expect(await ids('sort=createdAt')).toEqual([fiat.depositId, crypto.depositId]);
    expect(await ids('sort=-createdAt')).toEqual([crypto.depositId, fiat.depositId]);
    expect(await ids('depositType=crypto&status=pending')).toEqual([crypto.depositId]);
    expect(await ids('status=completed')).toEqual([]);
    expect(await envelopeOf(getSigned('/v1/deposit?limit=101', { as: second }))).toMatchObject({ statusCode: 400 });
    for (const [name, depositId] of [
      [fiat.reference, fiat.depositId],
      [crypto.depositId, crypto.depositId],
    ]) {
      expect(await depositAt(`/v1/deposit/${name}`, second)).toMatchObject({ depositId });
    }
    const shown = await getSigned('/v1/deposit', { as: second });
    expect([shown.headers.get('Deprecation'), shown.headers.get('Sunset')]).toEqual([
      '@1767225600',
      'Tue, 13 Oct 2026 00:00:00 GMT',
    ]);
    await control('clock', { setTo: '2026-10-13T00:00:00Z' });
    for (const path of ['/v1/deposit', `/v1/deposit/${fiat.depositId}`]) {
      expect(await envelopeOf(getSigned(path, { as: second }))).toMatchObject({
        statusCode: 410,
        message: expect.stringContaining('use GET /v1/deposit/fiat'),
      });
    }
  });

  it('a deposit expires when the clock is moved past its expiry', async () => {
    const made = await depositIn(postFiatDeposit({}, second));
    await control('clock', { advanceSeconds: 48 * 3600 });
    expect(await depositAt(fiatPath(made.depositId), second)).toMatchObject({ status: 'expired' });
    expect(await envelopeOf(cancelDeposit(made.depositId, second))).toMatchObject({
      statusCode: 400,
      message: 'a deposit that is expired cannot be canceled',
    });
  });
});
