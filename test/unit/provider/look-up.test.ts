import { afterEach, describe, expect, it } from 'vitest';
import { ProviderRefused } from '../../../functions/domain/errors.ts';
import { Money } from '../../../functions/domain/money/money.ts';
import { idr } from '../../support/money.ts';
import type { LoopbackService, SeenRequest } from './loopback-service.ts';
import { answerText, enveloped, providerOf, startService } from './loopback-service.ts';
import { crypto, fiat, refusal } from './provider-records.ts';

let service: LoopbackService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const answering = async (text: string | ((request: SeenRequest) => string), status = 200) => {
  service = await startService((request, response) =>
    answerText(response, typeof text === 'string' ? text : text(request), status),
  );
  return providerOf(service.baseUrl);
};

describe('a lookup', () => {
  it.each([
    ['by reference', enveloped(fiat(',"reference":"r1"')), 200, { kind: 'found', disbursement: { reference: 'r1' } }],
    ['by id', enveloped(fiat().replace('d1', 'r1')), 200, { kind: 'found', disbursement: { disbursementId: 'r1' } }],
    ['that names another record', enveloped(fiat()), 200, { kind: 'unknown', cause: 'other_record' }],
    [
      'whose record is unreadable',
      enveloped('{"disbursementId":"r1"}'),
      200,
      { kind: 'unknown', cause: 'data_unreadable' },
    ],
    ['that the service does not know', refusal(404, 'Disbursement not found'), 404, { kind: 'absent' }],
    ['HTTP 200 around a body of 404', refusal(404, 'Disbursement not found'), 200, { kind: 'absent' }],
    ['another 404 of the service', refusal(404, 'Client not found'), 404, { kind: 'unknown', cause: 'status_404' }],
    ['HTTP 500 around a body of 404', refusal(404), 500, { kind: 'unknown', cause: 'status_contradiction' }],
    ['a 404 of a gateway', '{"message":"Not Found"}', 404, { kind: 'unknown', cause: 'status_404' }],
    ['a 404 page', '<html>404</html>', 404, { kind: 'unknown', cause: 'status_404' }],
    [
      'a 404 of a gateway in the envelope',
      refusal(404, 'No such endpoint'),
      404,
      { kind: 'unknown', cause: 'no_such_route' },
    ],
    ['a 404 of a router', refusal(404, 'Cannot GET /v1/x'), 404, { kind: 'unknown', cause: 'no_such_route' }],
    [
      'a 404 with data',
      '{"statusCode":404,"message":"no","data":{}}',
      404,
      { kind: 'unknown', cause: 'body_contradiction' },
    ],
    ['a 400', refusal(400), 400, { kind: 'unknown', cause: 'status_400' }],
    ['a 429', refusal(429), 429, { kind: 'unknown', cause: 'status_429' }],
    ['an outage', refusal(503), 503, { kind: 'unknown', cause: 'status_503' }],
  ])('%s', async (_case, text, status, expected) => {
    const { provider } = await answering(text, status);
    expect(await provider.lookUp('fiat', 'r1')).toMatchObject(expected);
  });

  it.each([
    ['no payment service answers', '<html>', 200, { cause: 'unreadable_body', isMisconfigured: true }],
    ['there is no such path', refusal(404, 'Cannot GET /v1/x'), 404, { cause: 'no_such_route', isMisconfigured: true }],
    ['one record is unreadable', enveloped('{"disbursementId":"r1"}'), 200, { cause: 'data_unreadable' }],
    ['there is an outage', refusal(503), 503, { cause: 'status_503' }],
  ])('shows whether a setting is the likely cause, when %s', async (_case, text, status, expected) => {
    const { provider } = await answering(text, status);
    expect(await provider.lookUp('fiat', 'r1')).toEqual({ kind: 'unknown', ...expected });
  });

  it.each([401, 403])('with refused credentials needs a person: %i', async (status) => {
    const { provider } = await answering(refusal(status), status);
    await expect(provider.lookUp('crypto', 'r1')).rejects.toThrow(ProviderRefused);
  });

  it.each(['', '.', '..'])('never reaches another endpoint with the id "%s"', async (id) => {
    const { provider } = await answering(enveloped(fiat()));
    expect(await provider.lookUp('fiat', id)).toEqual({ kind: 'unknown', cause: 'id_not_addressable' });
    expect(service?.seen).toEqual([]);
  });

  it('encodes an id as one path segment', async () => {
    const { provider } = await answering(refusal(404));
    await provider.lookUp('fiat', 'a/b?c d:e@f+g=h');
    expect(service?.seen.map(({ url }) => url)).toEqual(['/v1/disbursement/fiat/a%2Fb%3Fc%20d:e@f+g=h']);
  });
});

describe('a record in our words', () => {
  it.each([
    ['pending', 'pending'],
    ['pending_retry', 'pending'],
    ['processed', 'pending'],
    ['need_check', 'on_hold'],
    ['completed', 'completed'],
    ['COMPLETED', 'completed'],
    ['canceled', 'canceled'],
    ['failed', 'failed'],
  ])('"%s" is %s', async (word, status) => {
    const { provider, warnings } = await answering(enveloped(crypto('', word)));
    expect(await provider.lookUp('crypto', 'd1')).toMatchObject({ disbursement: { status, providerStatus: word } });
    expect(warnings).toEqual([]);
  });

  it('an unknown word never ends a payout, and is logged', async () => {
    const { provider, warnings } = await answering(enveloped(crypto('', 'settled!')));
    expect(await provider.lookUp('crypto', 'd1')).toMatchObject({ disbursement: { status: 'pending' } });
    expect(warnings).toEqual([
      { code: 'provider.status_word_unknown', fields: { disbursementId: 'd1', word: 'settled' } },
    ]);
  });

  it.each([
    ['"token":"usdt","network":"tron"', 'usdt-tron'],
    ['"token":"usdt-tron","network":"Tron"', 'usdt-tron'],
    ['"token":"usdt-tron"', 'usdt-tron'],
    ['"token":"usdt-tron","network":null', 'usdt-tron'],
    ['"token":"USDT","network":""', 'usdt'],
  ])('%s is the currency %s', async (fields, currency) => {
    const { provider } = await answering(enveloped(`{"disbursementId":"d1",${fields},"amount":1,"status":"pending"}`));
    expect(await provider.lookUp('crypto', 'd1')).toMatchObject({ disbursement: { amount: Money.of('1', currency) } });
  });

  it('has no destination without one in the answer, and treats an empty reference as none', async () => {
    const { provider } = await answering(enveloped(fiat(',"reference":"","recipient":{"bank":{"bankCode":"014"}}')));
    expect(await provider.lookUp('fiat', 'd1')).toEqual({
      kind: 'found',
      disbursement: {
        disbursementId: 'd1',
        rail: 'fiat',
        amount: idr('1.5'),
        status: 'pending',
        providerStatus: 'pending',
      },
    });
  });
});
