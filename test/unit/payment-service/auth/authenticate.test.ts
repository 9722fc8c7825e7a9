import { createHash, createHmac } from 'node:crypto';
import type { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { authenticate } from '../../../../functions/payment-service/auth/authenticate.ts';
import type { Access } from '../../../../functions/payment-service/http/endpoint.ts';
import type { ServiceRequest } from '../../../../functions/payment-service/http/request.ts';
import { MemoryTable } from '../../../support/memory-table/memory-table.ts';

const credentials = {
  clientId: 'merchant-1',
  clientSecret: 'secret-of-the-merchant',
  apiKey: 'key-of-the-merchant',
  webhookSecret: 'c2VjcmV0LW9mLXdlYmhvb2tz',
};
const now = new Date('2026-11-21T06:00:00.000Z');
const other = {
  clientId: 'merchant-2',
  clientSecret: 'secret-of-another-merchant',
  apiKey: 'key-of-another-merchant',
  webhookSecret: 'c2VjcmV0LW9mLXdlYmhvb2tz',
};

/** Two merchants, and the signatures that were used with their expiry. */
const identification = (memory = new MemoryTable()) => {
  let ids = 0;
  const randomHex = () => {
    ids += 1;
    return ids.toString(16).padStart(24, '0');
  };
  const ports = { readCredentials: async () => [other, credentials], table: memory, randomHex, now: () => now };
  return {
    identify: (access: Access, sent: ServiceRequest) => authenticate(ports, access, sent),
    seen: () => new Map(memory.items().map(({ pk, timeToLive }) => [String(pk), Number(timeToLive) * 1000])),
  };
};

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: ServiceRequest['query'];
  readonly body?: string;
  readonly method?: string;
  readonly path?: string;
}

const path = '/v1/disbursement/fiat';

const request = ({ headers = {}, query = [], body = '', method = 'GET', path: at = path }: Sent): ServiceRequest => ({
  requestId: 'r',
  method,
  path: at,
  query,
  headers: new Map(Object.entries(headers)),
  body: Buffer.from(body),
});

const knows = async (access: Access, sent: Sent): Promise<boolean> =>
  (await identification().identify(access, request(sent))) === credentials.clientId;

const signed = (text: string, change: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  'x-signature': createHmac('sha256', credentials.clientSecret).update(text).digest('hex'),
  'x-timestamp': now.getTime().toString(),
  'x-client-id': credentials.clientId,
  ...change,
});

const empty = createHash('sha256').update('').digest('hex');
const time = now.getTime();
const query = [
  ['page', '2'],
  ['currency', 'I D'],
] as const;

const times = [
  ['endDate', '2026-01-02T00:00:00.000+07:00'],
  ['note', '$,/:;?@&='],
] as const;

describe('a signed request is accepted', () => {
  it.each<[string, Sent]>([
    ['with the hash of an empty body', { headers: signed(`${time}.GET.${path}.${empty}`) }],
    ['with nothing for an empty body', { headers: signed(`${time}.GET.${path}.`) }],
    ['with its query as sent', { query, headers: signed(`${time}.GET.${path}?page=2&currency=I+D.${empty}`) }],
    ['with percent encoding', { query, headers: signed(`${time}.GET.${path}?page=2&currency=I%20D.${empty}`) }],
    [
      'with marks that a query may contain unencoded',
      {
        query: times,
        headers: signed(`${time}.GET.${path}?endDate=2026-01-02T00:00:00.000%2B07:00&note=$,/:;?@%26%3D.`),
      },
    ],
    ['with an empty query', { headers: signed(`${time}.GET.${path}?.`) }],
    ['with an encoded id that arrives decoded', { path: `${path}/a:b`, headers: signed(`${time}.GET.${path}/a%3Ab.`) }],
    [
      'with an encoded id that arrives encoded',
      { path: `${path}/a%3ab`, headers: signed(`${time}.GET.${path}/a%3ab.`) },
    ],
    ['with a plain id', { path: `${path}/a:b`, headers: signed(`${time}.GET.${path}/a:b.`) }],
    [
      'with an encoded id and a query',
      { path: `${path}/a@b`, query, headers: signed(`${time}.GET.${path}/a%40b?currency=I+D&page=2.`) },
    ],
    ['with its query sorted', { query, headers: signed(`${time}.GET.${path}?currency=I+D&page=2.${empty}`) }],
    [
      'with a body',
      {
        method: 'POST',
        body: '{"a":1}',
        headers: signed(`${time}.POST.${path}.${createHash('sha256').update('{"a":1}').digest('hex')}`),
      },
    ],
    [
      'with a time in nanoseconds',
      { headers: signed(`${time}000042.GET.${path}.`, { 'x-timestamp': `${time}000042` }) },
    ],
    [
      'four minutes late',
      { headers: signed(`${time - 240_000}.GET.${path}.`, { 'x-timestamp': (time - 240_000).toString() }) },
    ],
  ])('%s', async (_, sent) => {
    expect(await knows('signed', sent)).toBe(true);
  });
});

describe('a signed request is refused', () => {
  const right = signed(`${time}.GET.${path}.`);
  it.each<[string, Sent]>([
    ['without headers', {}],
    ['with another path', { headers: signed(`${time}.GET./v1/disbursement/crypto.`) }],
    ['with another id', { path: `${path}/a:b`, headers: signed(`${time}.GET.${path}/a%3Ac.`) }],
    ['with a slash that was encoded', { path: `${path}/a/b`, headers: signed(`${time}.GET.${path}/a%2Fb.`) }],
    ['with a mark that separates parameters', { query: [['a', 'b&c']], headers: signed(`${time}.GET.${path}?a=b&c.`) }],
    ['with an empty query for another', { query, headers: signed(`${time}.GET.${path}?.`) }],
    ['with another query', { query, headers: right }],
    ['with another method', { method: 'PATCH', headers: right }],
    ['with another body', { body: 'x', headers: right }],
    ['with another client', { headers: { ...right, 'x-client-id': 'merchant-2' } }],
    ['with an unknown client', { headers: { ...right, 'x-client-id': 'merchant-3' } }],
    ['with another time than the signed one', { headers: { ...right, 'x-timestamp': (time + 1).toString() } }],
    [
      'six minutes late',
      { headers: signed(`${time - 360_000}.GET.${path}.`, { 'x-timestamp': (time - 360_000).toString() }) },
    ],
    ['with a time in seconds', { headers: signed(`1795240800.GET.${path}.`, { 'x-timestamp': '1795240800' }) }],
    ['with the API key instead', { headers: { authorization: `Bearer ${credentials.apiKey}` } }],
  ])('%s', async (_, sent) => {
    expect(await knows('signed', sent)).toBe(false);
  });
});

it.each<[string, Sent, boolean]>([
  ['the API key', { headers: { authorization: `Bearer ${credentials.apiKey}` } }, true],
  ['the API key with its scheme in lower case', { headers: { authorization: `bearer ${credentials.apiKey}` } }, true],
  ['the API key in capitals', { headers: { authorization: `Bearer ${credentials.apiKey.toUpperCase()}` } }, false],
  ['the key without its scheme', { headers: { authorization: credentials.apiKey } }, false],
  ['another key', { headers: { authorization: 'Bearer key-of-another' } }, false],
  ['nothing', {}, false],
  ['a signature instead', { headers: signed(`${time}.GET.${path}.`) }, false],
])('an authorization endpoint given %s', async (_, sent, taken) => {
  expect(await knows('authorization', sent)).toBe(taken);
});

it("another merchant's credentials authenticate that merchant", async () => {
  const { identify } = identification();
  expect(await identify('authorization', request({ headers: { authorization: `Bearer ${other.apiKey}` } }))).toBe(
    other.clientId,
  );
});

describe('a signature is accepted once', () => {
  const right = request({ headers: signed(`${time}.GET.${path}.`) });

  it('so the same request again is a replay', async () => {
    const { identify } = identification();
    expect(await identify('signed', right)).toBe(credentials.clientId);
    expect(await identify('signed', right)).toBeUndefined();
  });

  it('whatever the case of its letters', async () => {
    const { identify } = identification();
    await identify('signed', right);
    const capitals = (right.headers.get('x-signature') ?? '').toUpperCase();
    const again = { ...right, headers: new Map([...right.headers, ['x-signature', capitals]]) };
    expect(await identify('signed', again)).toBeUndefined();
  });

  it('although the answer to its first write was lost', async () => {
    const memory = new MemoryTable();
    const send = memory.client.send.bind(memory.client);
    // The client repeats the write.
    Object.assign(memory.client, { send: (command: PutCommand) => send(command).then(() => send(command)) });
    const { identify } = identification(memory);
    expect(await identify('signed', right)).toBe(credentials.clientId);
    expect(await identify('signed', right)).toBeUndefined();
  });

  it('and remembered until it expires', async () => {
    const { identify, seen } = identification();
    await identify('signed', right);
    expect([...seen().values()]).toEqual([time + 5 * 60 * 1000]);
  });

  it('and not remembered when it is wrong', async () => {
    const { identify, seen } = identification();
    await identify('signed', request({ headers: signed(`${time}.GET./v1/other.`) }));
    expect(seen().size).toBe(0);
  });
});
