import { describe, expect, it } from 'vitest';
import { untouchedSandbox } from '../../../../functions/payment-service/domain/sandbox/sandbox.ts';
import { plainEndpoint } from '../../../../functions/payment-service/http/endpoint.ts';
import { route } from '../../../../functions/payment-service/http/router.ts';
import { anything } from '../../../support/payment-service/anything.ts';
import { newContext, newGate } from '../../../support/payment-service/new-context.ts';

interface Change {
  /** The real time. */
  readonly now?: string;
  readonly known?: boolean;
  /** Milliseconds. */
  readonly clockOffset?: number;
}

const success = (message: string) => ({ statusCode: 200, message });

const ask = (method: 'GET' | 'POST', path: `/${string}`, change: Change = {}) =>
  route(
    newGate(newContext({ sandbox: { ...untouchedSandbox, clockOffset: change.clockOffset ?? 0 } }), {
      now: () => new Date(change.now ?? '2026-10-12T23:59:59.999Z'),
      ...(change.known === false ? { authenticate: async () => undefined } : undefined),
    }),
    [
      plainEndpoint({
        route: `${method} ${path}`,
        access: 'signed',
        ...anything,
        work: async () => success('answered'),
      }),
      plainEndpoint({
        route: 'GET /v1/deposit/fiat',
        access: 'signed',
        ...anything,
        work: async () => success('fiat'),
      }),
    ],
  )({ requestId: 'r', method, path, query: [], headers: new Map(), body: Buffer.alloc(0) });

const deprecation = '@1767225600';
const sunset = 'Tue, 13 Oct 2026 00:00:00 GMT';

describe('an endpoint', () => {
  it.each([
    ['GET', '/v1/reference/currencies', { deprecation }],
    ['GET', '/v1/reference/cryptos', { deprecation }],
    ['POST', '/v1/disbursement/fiat', { deprecation }],
    ['GET', '/v1/deposit', { deprecation, sunset }],
    ['GET', '/v1/deposit/:depositIdOrReference', { deprecation, sunset }],
    ['GET', '/v1/disbursement/fiat', undefined],
    ['POST', '/v2/disbursement/fiat', undefined],
    ['GET', '/v1/deposit/fiat', undefined],
  ] as const)('%s %s announces its end with %s', async (method, path, headers) => {
    const answer = await ask(method, path);
    expect(answer).toMatchObject({ statusCode: 200 });
    expect(answer.headers).toEqual(headers);
  });

  it('announces it in refusals too', async () => {
    expect(await ask('POST', '/v1/disbursement/fiat', { known: false })).toMatchObject({
      statusCode: 401,
      headers: { deprecation },
    });
  });

  it('still announces it once it is removed', async () => {
    expect(await ask('GET', '/v1/deposit', { now: '2026-10-13T00:00:00.000Z' })).toMatchObject({
      statusCode: 410,
      headers: { deprecation, sunset },
    });
  });
});

describe("by the service's clock", () => {
  it.each([
    ['/v1/deposit', '2026-10-12T23:59:59.999Z', 200, 'answered'],
    [
      '/v1/deposit',
      '2026-10-13T00:00:00.000Z',
      410,
      'GET /v1/deposit was removed on 2026-10-13, use GET /v1/deposit/fiat and GET /v1/deposit/crypto',
    ],
    ['/v1/deposit/:depositIdOrReference', '2026-10-12T23:59:59.999Z', 200, 'answered'],
    [
      '/v1/deposit/:depositIdOrReference',
      '2026-10-13T00:00:00.000Z',
      410,
      expect.stringContaining('use GET /v1/deposit/fiat/:depositIdOrReference and'),
    ],
    ['/v1/deposit/fiat', '2026-10-13T00:00:00.000Z', 200, 'answered'],
    ['/v1/reference/cryptos', '2036-10-13T00:00:00.000Z', 200, 'answered'],
  ] as const)('%s at %s answers %s', async (path, now, statusCode, message) => {
    expect(await ask('GET', path, { now })).toMatchObject({ statusCode, body: { statusCode, message } });
  });
});

describe("by the clock of a merchant's own sandbox", () => {
  const day = 24 * 60 * 60 * 1000;
  it.each([
    ['set back before the day', '2026-10-13T12:00:00.000Z', -day, 200],
    ['set forward past the day', '2026-10-12T12:00:00.000Z', day, 410],
  ])('%s', async (_, now, clockOffset, statusCode) => {
    expect(await ask('GET', '/v1/deposit', { now, clockOffset })).toMatchObject({ statusCode });
  });
});
