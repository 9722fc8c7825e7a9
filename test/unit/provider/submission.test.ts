import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { hashDestination } from '../../../functions/domain/payout/destination.ts';
import { messageWithoutPersonalData } from '../../../functions/provider/refusal.ts';
import { minute } from '../../support/durations.ts';
import { idr } from '../../support/money.ts';
import { processorMsOf } from '../../support/processor-time.ts';
import { freePort } from '../../support/servers/free-port.ts';
import type { LoopbackService } from './loopback-service.ts';
import { answerText, enveloped, providerOf, startGarbageService, startService } from './loopback-service.ts';

let service: LoopbackService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const body = '{"currency":"IDR","disburseData":[]}';
const item =
  '{"disbursementId":"d1","reference":"r1","amount":10000.50,"currency":"IDR","status":"pending","feeAmount":5e3,' +
  '"recipient":{"bank":{"bankCode":"014","accountNumber":"0012345"}},"createdAt":"2026-01-01T00:00:00.000Z"}';
const created = `{"totalRecipient":1,"disburseData":[${item}],"sumFees":5000,"sumAmount":10000.50}`;
const refusal = (statusCode: number, message = '"Payment method not found"'): string =>
  `{"statusCode":${statusCode},"error":"Not Found","message":${message}}`;

const answered = {
  kind: 'answered',
  disbursements: [
    {
      disbursementId: 'd1',
      reference: 'r1',
      rail: 'fiat',
      amount: idr('10000.5'),
      fee: idr('5000'),
      status: 'pending',
      providerStatus: 'pending',
      createdAt: '2026-01-01T00:00:00.000Z',
      destinationHash: hashDestination({
        kind: 'bank',
        bankCode: '014',
        accountNumber: '0012345',
        bankName: '',
        accountName: '',
      }),
    },
  ],
};
const rejected = { kind: 'rejected', message: 'Payment method not found' };
const halted = { kind: 'halted', madeNothing: true };
/** A gateway may have refused it on the way back. */
const haltedBare = { kind: 'halted' };
const unknown = (cause: string) => ({ kind: 'unknown', cause });

describe('the answer to a submission', () => {
  it.each([
    ['200 with readable items', 200, enveloped(created), answered],
    ['201 with readable items', 201, enveloped(created, 201), answered],
    ['HTTP 201 around a body of 200', 201, enveloped(created), answered],
    ['HTTP 400 around a body of 200 with readable items: the body rules', 400, enveloped(created), answered],
    ['HTTP 502 around a body of 200 with readable items: the body rules', 502, enveloped(created), answered],
    ['a well-formed 400', 400, refusal(400), rejected],
    ['HTTP 200 around a well-formed 400: the body rules', 200, refusal(400), rejected],
    ['a 400 with a list of messages', 400, refusal(400, '["a","b"]'), { kind: 'rejected', message: 'a; b' }],
    ['HTTP 500 around a body of 400', 500, refusal(400), unknown('status_contradiction')],
    ['a 400 without a message', 400, '{"statusCode":400}', unknown('unreadable_body')],
    [
      'a 400 that carries data',
      400,
      `{"statusCode":400,"message":"no","data":${created}}`,
      unknown('body_contradiction'),
    ],
    [
      'a 200 that carries an error',
      200,
      `{"statusCode":200,"error":"Bad","data":${created}}`,
      unknown('body_contradiction'),
    ],
    ['a body of 401', 401, refusal(401), halted],
    ['HTTP 200 around a body of 401', 200, refusal(401), halted],
    ['a body of 403', 403, refusal(403), halted],
    ['a bare HTTP 401 of a gateway', 401, '{"message":"Unauthorized"}', haltedBare],
    ['a bare HTTP 403 of a gateway', 403, '<html>Forbidden</html>', haltedBare],
    ['a body of 403 without a message', 403, '{"statusCode":403}', haltedBare],
    ['a body of 404', 404, refusal(404), unknown('status_404')],
    ['a body of 409', 409, refusal(409), unknown('status_409')],
    ['a body of 429', 429, refusal(429), unknown('status_429')],
    ['a bare HTTP 429', 429, '{"message":"Too Many Requests"}', unknown('status_429')],
    ['a body of 500', 500, refusal(500), unknown('status_500')],
    ['HTTP 200 around a body of 503', 200, refusal(503), unknown('status_503')],
    ['a body of 202', 202, enveloped(created, 202), unknown('status_202')],
    ['an HTML page of a gateway', 502, '<html>Bad Gateway</html>', unknown('status_502')],
    ['an API gateway that timed out', 504, '{"message":"Endpoint request timed out"}', unknown('status_504')],
    ['a redirect', 307, '', unknown('status_307')],
    ['an empty body', 200, '', unknown('unreadable_body')],
    ['half a body', 200, enveloped(created).slice(0, -10), unknown('unreadable_body')],
    ['a body of null', 200, 'null', unknown('unreadable_body')],
    ['a status code in a string', 200, `{"statusCode":"200","data":${created}}`, unknown('unreadable_body')],
    ['no status code', 200, `{"data":${created}}`, unknown('unreadable_body')],
    ['a fractional status code', 200, `{"statusCode":200.5,"data":${created}}`, unknown('unreadable_body')],
    ['no data', 200, '{"statusCode":200,"message":"ok"}', unknown('items_unreadable')],
    ['no items', 200, enveloped('{}'), unknown('items_unreadable')],
    [
      'an item without an amount',
      200,
      enveloped('{"disburseData":[{"disbursementId":"d"}]}'),
      unknown('items_unreadable'),
    ],
    [
      'an account number that is a number',
      200,
      enveloped(created.replace('"0012345"', '12345')),
      unknown('items_unreadable'),
    ],
    ['a reference that is a number', 200, enveloped(created.replace('"r1"', '1')), unknown('items_unreadable')],
    ['an amount that is text', 200, enveloped(created.replace('10000.50', '"ten"')), unknown('items_unreadable')],
    ['a negative amount', 200, enveloped(created.replace('10000.50', '-1')), unknown('items_unreadable')],
    [
      'an amount of a billion digits',
      200,
      enveloped(created.replace('10000.50', '1e999999999')),
      unknown('items_unreadable'),
    ],
    ['JSON nested too deeply', 200, `${'['.repeat(200_000)}${']'.repeat(200_000)}`, unknown('unreadable_body')],
    ['bytes that are no UTF-8', 200, Buffer.from([0x7b, 0xff, 0x7d]), unknown('unreadable_body')],
  ])('%s', async (_case, status, answer, expected) => {
    service = await startService((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' });
      response.end(answer);
    });
    const { provider } = providerOf(service.baseUrl);
    expect(await provider.submit('fiat', body)).toEqual(expected);
    expect(service.seen).toHaveLength(1);
  });
});

describe('a network fault after the connection opened', () => {
  const partial = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    response.write('{"statusCode":200,');
  };
  it.each<[string, (response: ServerResponse) => void, string, number]>([
    ['no answer', () => undefined, 'timeout', 150],
    ['a connection closed before the answer', (response) => response.destroy(), 'connection_reset', minute],
    ['a reset before the answer', (response) => response.socket?.resetAndDestroy(), 'connection_reset', minute],
    ['an answer that stops in the middle', (response) => partial(response), 'timeout', 150],
    [
      'an answer cut off in the middle',
      (response) => {
        partial(response);
        setTimeout(() => response.destroy(), 20);
      },
      'connection_reset',
      minute,
    ],
    [
      'an answer that is no HTTP',
      (response) => response.socket?.end('220 mail ready\r\n\r\n'),
      'unreadable_response',
      minute,
    ],
    ['an answer without end', (response) => response.end(' '.repeat(11 * 1024 * 1024)), 'response_too_large', minute],
  ])('%s is unknown, and is not repeated', async (_case, misbehave, cause, timeoutMs) => {
    service = await startService((_request, response) => misbehave(response));
    const { provider } = providerOf(service.baseUrl, { timeoutMs });
    expect(await provider.submit('fiat', body)).toEqual({ kind: 'unknown', cause });
    expect(service.connections()).toBe(1);
  });
});

describe('a connection that never opened', () => {
  it('is reported when nobody listens', async () => {
    const { provider } = providerOf(`http://127.0.0.1:${await freePort()}`);
    expect(await provider.submit('fiat', body)).toEqual({ kind: 'not_sent', cause: 'connection_refused' });
  });

  it('is reported when the name does not resolve', async () => {
    const { provider } = providerOf('https://payment-service.invalid', { timeoutMs: minute });
    expect(await provider.submit('fiat', body)).toEqual({ kind: 'not_sent', cause: 'dns_failure' });
  });

  it('is reported when the other side does not speak TLS', async () => {
    service = await startGarbageService('HTTP/1.1 400 Bad Request\r\n\r\n');
    const { provider } = providerOf(service.baseUrl);
    expect(await provider.submit('fiat', body)).toEqual({ kind: 'not_sent', cause: 'tls_failure' });
    expect(service.connections()).toBe(1);
  });

  it('is reported when the other side hangs up during the TLS handshake', async () => {
    service = await startGarbageService('');
    const { provider } = providerOf(service.baseUrl);
    expect(await provider.submit('fiat', body)).toMatchObject({ kind: 'not_sent' });
  });

  it('is reported when there are no credentials, without the reason', async () => {
    service = await startService((_request, response) => answerText(response, enveloped(created)));
    const { provider } = providerOf(service.baseUrl, {
      credentials: () => Promise.reject(new Error('the secret is hunter2')),
    });
    expect(await provider.submit('fiat', body)).toEqual({ kind: 'not_sent', cause: 'credentials_unavailable' });
    expect(service.connections()).toBe(0);
  });
});

describe('sending a submission', () => {
  it('uses a new connection each time, and requests its end', async () => {
    service = await startService((_request, response) => answerText(response, enveloped(created)));
    const { provider } = providerOf(service.baseUrl);
    await provider.submit('fiat', body);
    await provider.submit('fiat', body);
    expect(service.connections()).toBe(2);
    expect(service.seen.map((request) => request.headers.connection)).toEqual(['close', 'close']);
  });

  it('posts the composed text unchanged, with the authorization header', async () => {
    service = await startService((_request, response) => answerText(response, enveloped(created)));
    const { provider } = providerOf(service.baseUrl);
    const text = '{"note":"päyment","amount":0.100000000000000000}';
    await provider.submit('fiat', text);
    expect(service.seen).toMatchObject([
      {
        method: 'POST',
        url: '/v2/disbursement/fiat',
        body: text,
        headers: { authorization: 'Bearer key-1', 'content-type': 'application/json' },
      },
    ]);
    expect(service.seen[0]?.headers['x-signature']).toBeUndefined();
  });

  it('masks the recipient in a refusal', async () => {
    const message = '"account 00123 45678 of jo@example.com, wallet TXYZabcdefghijklmnopqrstuv12345678 refused"';
    service = await startService((_request, response) => answerText(response, refusal(400, message), 400));
    const { provider } = providerOf(service.baseUrl);
    expect(await provider.submit('fiat', body)).toEqual({
      kind: 'rejected',
      message: 'account *** of *** wallet *** refused',
    });
  });

  it('masks an endless refusal quickly and completely, without cut values', async () => {
    const ms = await processorMsOf(() => {
      expect(messageWithoutPersonalData('x.'.repeat(100_000))).toBe('***');
      expect(messageWithoutPersonalData(`${'12345 '.repeat(332)}jo.smith@example.com`)).not.toContain('smith');
    });
    // A search from each of its letters to its end would take seconds, and minutes for an answer of maximum length.
    expect(ms).toBeLessThan(3_000);
  });
});
