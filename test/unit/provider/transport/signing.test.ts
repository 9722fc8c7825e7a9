import { createHash, createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { documentedTraits } from '../../../../functions/provider/settings.ts';
import { signingScheme } from '../../../../functions/provider/transport/signing.ts';
import { createTransport } from '../../../../functions/provider/transport/transport.ts';
import { minute } from '../../../support/durations.ts';
import { createWholeClient } from '../../../support/service-client/whole-client.ts';
import type { LoopbackService } from '../loopback-service.ts';
import { answerText, credentials, enveloped, providerOf, startService } from '../loopback-service.ts';

let service: LoopbackService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const hmac = (text: string): string => createHmac('sha256', credentials.clientSecret).update(text).digest('hex');

describe('the scheme hmac-sha256', () => {
  it.each([
    // Made with: printf '%s' '<text>' | openssl dgst -sha256 -hmac secret-1
    [
      'GET',
      '/v1/disbursement/fiat?limit=100&page=1',
      '',
      '68c7e34e1f1a1232b9e708200690a8d9ea66fa05069bf567278cc3ba22d2f195',
    ],
    [
      'POST',
      '/v1/checkout',
      '{"inputCurrency":"IDR"}',
      '0f06347a3d2b0b8edf6e82d3ca67bf087507981673d1869fc4a2842b9373761b',
    ],
  ])('signs a %s of %s', (method, path, body, signature) => {
    const sign = signingScheme('hmac-sha256');
    const request = { method, path, body, timestamp: 1_700_000_000_000, nonce: '000042' };
    expect(sign(request, credentials, documentedTraits().headers)).toEqual({
      'X-Signature': signature,
      'X-Timestamp': '1700000000000000042',
      'X-Client-ID': 'client-1',
    });
  });

  it('is the only scheme, and another one is rejected by name', () => {
    expect(() => signingScheme('rsa')).toThrow('There is no signing scheme "rsa". Use one of: hmac-sha256');
  });
});

describe('a signed request', () => {
  it('signs path and query as sent, relative to the base URL', async () => {
    service = await startService((_request, response) =>
      answerText(response, enveloped('{"docs":[],"page":2,"totalPages":1}')),
    );
    const { provider } = providerOf(`${service.baseUrl}/stage/`);
    await provider.listDisbursements({ rail: 'crypto', order: 'created', status: 'a b&c-d', page: 2 });
    const path = '/v1/disbursement/crypto?limit=100&page=2&sort=createdAt&status=a%20b%26c-d';
    expect(service.seen).toMatchObject([
      {
        url: `/stage${path}`,
        headers: {
          'x-client-id': 'client-1',
          'x-timestamp': '1700000000000250000',
          'x-signature': hmac(`1700000000000250000.GET.${path}.${emptyHash}`),
        },
      },
    ]);
    expect(service.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('covers the body', async () => {
    service = await startService((_request, response) => answerText(response, enveloped('{"id":"c","url":"u"}', 201)));

    const transport = createTransport({
      baseUrl: service.baseUrl,
      signing: 'hmac-sha256',
      traits: documentedTraits(),
      credentials: () => Promise.resolve(credentials),
      clock: () => 1,
      random: () => 0.9999999,
      timeoutMs: minute,
    });
    const answer = await createWholeClient(transport).checkout.create({
      inputCurrency: 'IDR',
      outputAmount: '15000.10',
    });
    expect(answer).toEqual({ kind: 'succeeded', statusCode: 201, data: { id: 'c', url: 'u' } });
    const body = '{"inputCurrency":"IDR","outputAmount":15000.10}';
    const hash = createHash('sha256').update(body).digest('hex');
    expect(service.seen).toMatchObject([
      { body, headers: { 'x-signature': hmac(`1999999.POST./v1/checkout.${hash}`) } },
    ]);
  });
});

describe('the base URL', () => {
  it.each(['http://payments.example.com', 'ftp://localhost'])('is refused without https: %s', (baseUrl) => {
    expect(() => providerOf(baseUrl)).toThrow('must begin with https://');
  });
});
