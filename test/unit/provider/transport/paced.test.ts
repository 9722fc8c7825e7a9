import { afterEach, describe, expect, it } from 'vitest';
import { ProviderUnavailable } from '../../../../functions/domain/errors.ts';
import type { PaceAnswer, RequestKind, Turn, TurnKind, TurnRequest } from '../../../../functions/ports/pace.ts';
import type { PaymentProvider } from '../../../../functions/ports/provider.ts';
import type { HttpOutcome, HttpRequest } from '../../../../functions/provider/transport/http.ts';
import { retryAfterMs } from '../../../../functions/provider/transport/paced.ts';
import type { LoopbackService } from '../loopback-service.ts';
import { answerText, enveloped, providerOf, startService } from '../loopback-service.ts';

const at = Date.parse('2026-11-21T08:00:00Z');
const body = '{"currency":"IDR","disburseData":[]}';
const refusal = (statusCode: number): string => `{"statusCode":${statusCode},"message":"no"}`;

/** A provider whose requests end with `outcome`, and whose turns are `turn`. */
const scene = (outcome: HttpOutcome, turn: Turn = { kind: 'now' }, waitedMs = 0) => {
  let now = at;
  const asked: [TurnKind, TurnRequest][] = [];
  const reported: [RequestKind, PaceAnswer][] = [];
  const sent: HttpRequest[] = [];
  const send = async (request: HttpRequest): Promise<HttpOutcome> => {
    sent.push(request);
    return outcome;
  };
  const { provider } = providerOf('https://pay.example', {
    clock: () => now,
    timeoutMs: 25_000,
    pace: {
      turn: async (kind, request) => {
        asked.push([kind, request]);
        now += waitedMs;
        return turn;
      },
      report: async (kind, answer) => {
        reported.push([kind, answer]);
      },
    },
    http: { requestOnce: send, requestRead: send },
  });
  return { provider, asked, reported, sent };
};

const response = (text: string, status = 200, retryAfter?: string): HttpOutcome => ({
  kind: 'response',
  status,
  body: Buffer.from(text),
  ...(retryAfter === undefined ? {} : { retryAfter }),
});
const found = response(refusal(404), 404);

describe('a read', () => {
  it('waits for its turn for at most two fifths of its time, and keeps the rest', async () => {
    const { provider, asked, sent } = scene(response(enveloped('[]')), { kind: 'now' }, 7000);
    await provider.listPaymentMethods('fiat');
    expect(asked).toEqual([['read', { withinMs: 10_000 }]]);
    expect(sent.map(({ timeoutMilliseconds }) => timeoutMilliseconds)).toEqual([18_000]);
  });

  it('is signed at its turn', async () => {
    const { provider, sent } = scene(found, { kind: 'now' }, 7000);
    await provider.downloadProof('d1');
    expect(sent[0]?.headers['X-Timestamp']).toMatch(new RegExp(`^${at + 7000}`));
  });

  it('with a later turn is not made, and reports nothing about the provider', async () => {
    const { provider, reported, sent } = scene(found, { kind: 'later', waitMs: 60_000 });
    await expect(provider.readBalances()).rejects.toThrow(ProviderUnavailable);
    await expect(provider.readBalances()).rejects.toThrow('GET /v1/balance: rate_limit');
    expect([reported, sent]).toEqual([[], []]);
  });

  it.each<[string, (provider: PaymentProvider) => Promise<unknown>]>([
    ['a proof', (provider) => provider.downloadProof('d1')],
    ['a lookup marked as such', (provider) => provider.lookUp('fiat', 'd1', { isSpare: true })],
    [
      'a list marked as such',
      (provider) =>
        provider.listDisbursements({ rail: 'crypto', order: 'created', page: 1, isSpare: true }).catch(() => undefined),
    ],
    ['a crypto lookup marked as such', (provider) => provider.lookUp('crypto', 'd1', { isSpare: true })],
  ])('of %s has low priority', async (_name, read) => {
    const { provider, asked } = scene(found);
    await read(provider);
    expect(asked).toEqual([['read', { withinMs: 10_000, isSpare: true }]]);
  });
});

describe('a POST', () => {
  it('is made immediately, with all of its time, because its claim has the turn', async () => {
    const { provider, asked, sent, reported } = scene(response(refusal(400), 400), { kind: 'later', waitMs: 60_000 });
    expect(await provider.submit('fiat', body)).toMatchObject({ kind: 'rejected' });
    expect(asked).toEqual([]);
    expect(sent.map(({ timeoutMilliseconds }) => timeoutMilliseconds)).toEqual([25_000]);
    expect(reported).toEqual([['post', { kind: 'answered' }]]);
  });
});

describe('a request’s outcome is reported', () => {
  const unanswered = { kind: 'unanswered' };
  const answered = { kind: 'answered' };
  const cases: readonly (readonly [string, HttpOutcome, unknown])[] = [
    ['a success', response(enveloped('[]')), answered],
    ['a refusal', response(refusal(400), 400), answered],
    ['HTTP 429', response('', 429), { kind: 'throttled' }],
    ['HTTP 429 with seconds', response(refusal(429), 429, '30'), { kind: 'throttled', retryAfterMs: 30_000 }],
    [
      'HTTP 429 with a date',
      response('', 429, 'Sat, 21 Nov 2026 08:01:00 GMT'),
      { kind: 'throttled', retryAfterMs: 60_000 },
    ],
    ['429 in the body alone', response(refusal(429)), { kind: 'throttled' }],
    ['HTTP 503 with seconds', response('', 503, '5'), { kind: 'throttled', retryAfterMs: 5000 }],
    ['HTTP 503', response('', 503), unanswered],
    ['502 in the body alone', response(refusal(502)), unanswered],
    ['a timeout', { kind: 'unknown', cause: 'timeout' }, unanswered],
    ['a reset', { kind: 'unknown', cause: 'connection_reset' }, unanswered],
    ['no connection', { kind: 'not_sent', cause: 'connection_refused' }, unanswered],
    ['an answer that is too large', { kind: 'unknown', cause: 'response_too_large' }, answered],
  ];

  it.each(cases)('of %s', async (_case, outcome, expected) => {
    const { provider, reported } = scene(outcome);
    await provider.listPaymentMethods('fiat').catch(() => undefined);
    await provider.submit('fiat', body);
    expect(reported).toEqual([
      ['read', expected],
      ['post', expected],
    ]);
  });
});

describe('over a socket', () => {
  let service: LoopbackService | undefined;
  afterEach(async () => {
    await service?.close();
    service = undefined;
  });

  it('the Retry-After header is read for reads and POSTs', async () => {
    service = await startService((_request, answer) => {
      answer.setHeader('Retry-After', '12');
      answerText(answer, refusal(429), 429);
    });
    const reported: PaceAnswer[] = [];
    const { provider } = providerOf(service.baseUrl, {
      pace: {
        turn: async () => ({ kind: 'now' }),
        report: async (_kind, answer) => {
          reported.push(answer);
        },
      },
    });
    await provider.listPaymentMethods('fiat').catch(() => undefined);
    await provider.submit('fiat', body);
    expect(reported).toEqual([
      { kind: 'throttled', retryAfterMs: 12_000 },
      { kind: 'throttled', retryAfterMs: 12_000 },
    ]);
  });
});

describe('a Retry-After header', () => {
  it.each([
    ['seconds', '30', 30_000],
    ['seconds with spaces', ' 2 ', 2000],
    ['a fraction of a second', '0.5', 500],
    ['zero', '0', 0],
    ['an HTTP date', 'Sat, 21 Nov 2026 08:00:45 GMT', 45_000],
    ['a date that has passed', 'Sat, 21 Nov 2026 07:00:00 GMT', 0],
    ['nothing', undefined, undefined],
    ['an empty text', '', undefined],
    ['a negative number', '-5', undefined],
    ['words', 'soon', undefined],
    ['a date that is none', 'Sat, 99 Foo 2026', undefined],
  ])('of %s', (_case, header, expected) => {
    expect(retryAfterMs(header, at)).toBe(expected);
  });
});
