import { afterEach, describe, expect, it } from 'vitest';
import { checkProvider } from '../../../../functions/provider/check/check-provider.ts';
import { documentedTraits, providerTraits } from '../../../../functions/provider/settings.ts';
import { minute } from '../../../support/durations.ts';
import { freePort } from '../../../support/servers/free-port.ts';
import type { LoopbackService } from '../loopback-service.ts';
import { answerText, credentials, enveloped, startService } from '../loopback-service.ts';
import { crypto, fiat, refusal } from '../provider-records.ts';

let service: LoopbackService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

/** JSON texts and statuses of the answers, by path. */
type Answers = Readonly<Record<string, string>>;

const page = (docs: readonly string[], limit = 100): string =>
  enveloped(`{"docs":[${docs.join(',')}],"page":1,"totalPages":1,"limit":${limit}}`);
const made = (record: string, reference: string, updatedAt: string): string =>
  record.replace(/\}$/, `,"reference":"${reference}","updatedAt":"${updatedAt}"}`);

const fiatPage = page([made(fiat(), 'Pay-2', '2026-01-02T00:00:00Z'), made(fiat(), 'Pay-1', '2026-01-01T00:00:00Z')]);
const cryptoPage = page([
  made(crypto(), 'Pay-4', '2026-01-02T00:00:00Z'),
  made(crypto(), 'Pay-3', '2026-01-01T00:00:00Z'),
]);

const documented: Answers = {
  '/v1/balance':
    '{"assets":{"fiat":{"balances":[{"amount":10.25,"assetCode":"IDR"}]},"crypto":{"balances":[{"amount":1.000001,"assetCode":"usdt-tron"}]}}}',
  '/v1/disbursement/fiat/payment-method': enveloped(
    '[{"currency":"IDR","bankCode":"A","bankName":"A","minAmount":10,"maxAmount":20,"feeFlat":1,"feePercentage":0}]',
  ),
  '/v1/disbursement/crypto/payment-method': enveloped(
    '[{"currency":"usdt-tron","minimumAmount":1,"maximumAmount":20,"feeFlat":1,"feePercentage":0}]',
  ),
  '/v1/disbursement/fiat': fiatPage,
  '/v1/disbursement/crypto': cryptoPage,
  '/v1/disbursement/crypto/estimate': enveloped('{"token":"usdt-tron","amount":1.5,"fee":0.1}'),
  '/v1/convert/estimate': enveloped(
    '{"quoteId":"q","input":{"currency":"usdt-tron","amount":1},"output":{"currency":"IDR"},"estimate":{"rate":{"crypto":1,"fiat":1},"convertedAmount":10,"fee":0,"totalConvertedAmount":10}}',
  ),
};

/** Checks a service with these answers. It refuses the request that is wrongly signed, unless it takes any signature. */
const check = async (
  turned: Answers = {},
  options: { readonly traits?: unknown; readonly takesAnySignature?: true } = {},
) => {
  let isProbed = false;
  const answers = { ...documented, ...turned };
  service = await startService(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://here');
    // The first lookup of an unused reference is signed incorrectly.
    const isProbe = pathname === '/v1/disbursement/fiat/check-1' && !isProbed;
    isProbed ||= isProbe;
    if (isProbe && options.takesAnySignature === undefined)
      return answerText(response, refusal(401, 'Bad signature'), 401);
    const status = searchParams.get('status');
    const text = answers[`${pathname}?limit=${searchParams.get('limit')}`] ?? answers[pathname];
    if (text !== undefined) {
      const body = status === null ? text : page([]);
      return answerText(response, body, /^\{"statusCode":4/.test(body) ? Number(body.slice(14, 17)) : 200);
    }
    const words = pathname.endsWith('/report') ? 'report' : pathname.split('/')[3];
    answerText(response, answers[`unknown ${words}`] ?? refusal(404, 'Disbursement not found'), 404);
  });
  const findings = await checkProvider({
    baseUrl: service.baseUrl,
    signing: 'hmac-sha256',
    traits: providerTraits().parse(options.traits ?? {}),
    credentials: async () => credentials,
    clock: () => Date.now(),
    random: () => 0.25,
    timeoutMs: minute,
    unusedReference: 'check-1',
    conversionSources: ['usdt-tron'],
  });
  return { findings, of: (what: string) => findings.find((one) => one.what === what) };
};

describe('a check of the provider', () => {
  it('finds nothing wrong with the documented one, and sends nothing but GETs', async () => {
    const { findings } = await check();
    expect(findings.filter(({ verdict }) => verdict !== 'good')).toEqual([]);
    expect(findings.length).toBeGreaterThan(15);
    expect(new Set(service?.seen.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('accepts a smaller page as answered', async () => {
    const { of } = await check({ '/v1/disbursement/fiat': page([], 20) });
    expect(of('fiat list: page size')).toMatchObject({ verdict: 'good', found: '20, as answered' });
  });

  it.each<[string, Answers, object]>([
    ['absent', {}, { verdict: 'good', found: 'distinguishes references' }],
    [
      'shown as it was sent',
      { '/v1/disbursement/fiat/pAY-2': enveloped(made(fiat(), 'Pay-2', '2026-01-02T00:00:00Z')) },
      { verdict: 'good', found: 'is ignored; the adapter distinguishes them' },
    ],
    [
      'shown as it was asked for',
      { '/v1/disbursement/fiat/pAY-2': enveloped(made(fiat(), 'pAY-2', '2026-01-02T00:00:00Z')) },
      { verdict: 'wrong', found: 'matches in another case' },
    ],
    [
      'refused',
      { '/v1/disbursement/fiat/pAY-2': refusal(400, 'Unknown') },
      { verdict: 'note', found: 'proves nothing: status_400' },
    ],
  ])('reports a reference in another letter case as %s', async (_, turned, finding) => {
    expect((await check(turned)).of('fiat lookup: letter case')).toMatchObject(finding);
  });

  it('requests no list from a provider without lists', async () => {
    const { of } = await check({}, { traits: { pageLimit: 0 } });
    expect(of('crypto list')).toMatchObject({ verdict: 'note', found: expect.stringContaining('not asked') });
    expect(service?.seen.filter(({ url }) => /crypto\?.*limit/.test(url))).toEqual([]);
  });

  it('reports the precision of balances', async () => {
    const { of } = await check();
    expect(of('balance')?.found).toBe('decimals: IDR 2, usdt-tron 6');
  });

  it.each([
    [
      'no lists',
      { '/v1/disbursement/fiat': refusal(404, 'Cannot GET /v1/disbursement/fiat') },
      'fiat list',
      'note',
      'Set provider.traits.pageLimit to 0.',
    ],
    [
      'a refused page',
      {
        '/v1/disbursement/crypto?limit=100': refusal(400, 'limit is too large'),
        '/v1/disbursement/crypto?limit=50': refusal(400, 'limit is too large'),
      },
      'crypto list: page size',
      'wrong',
      'Set provider.traits.pageLimit to 25.',
    ],
    [
      'another order',
      { '/v1/disbursement/fiat': fiatPage.replace('01-02', '00-00').replace('2026-00-00', '2025-01-01') },
      'fiat list: order',
      'note',
      'asks about each payout',
    ],
    [
      'records of its own',
      { '/v1/disbursement/crypto': page(['{"id":"x"}']) },
      'crypto list: records',
      'wrong',
      'A person must resolve',
    ],
    [
      'its own words for absence',
      { 'unknown fiat': refusal(404, 'Tidak ada') },
      'fiat lookup of an unknown reference',
      'wrong',
      'set provider.traits.words.absent to ["Tidak ada"]',
    ],
    [
      'a record for any reference',
      { '/v1/disbursement/crypto/check-1': enveloped(crypto()) },
      'crypto lookup of an unknown reference',
      'wrong',
      'ignores the reference it is given',
    ],
    [
      'no estimates',
      { '/v1/disbursement/crypto/estimate': refusal(403, 'Not for you') },
      'crypto fee estimate',
      'wrong',
      'Correct the secret',
    ],
    [
      'no conversions',
      { '/v1/convert/estimate': refusal(400, 'Conversion is not enabled') },
      'conversion quote',
      'note',
      'orchestrator.conversionSources to []',
    ],
    [
      'another base path',
      { '/v1/balance': refusal(404, 'Cannot GET /v1/balance') },
      'balance',
      'wrong',
      'Correct provider.baseUrl',
    ],
    [
      'a key that it refuses',
      { '/v1/balance': refusal(401, 'Unauthorized') },
      'balance',
      'wrong',
      'authorizationPrefix',
    ],
    [
      'a currency that is not known',
      {
        '/v1/disbursement/crypto/payment-method':
          documented['/v1/disbursement/crypto/payment-method']?.replace('usdt-tron', 'odd-tron') ?? '',
      },
      'crypto payment methods',
      'note',
      'odd-tron',
    ],
  ])('names %s and the consequence', async (_, turned, what, verdict, follows) => {
    const { of } = await check(turned);
    expect(of(what)).toMatchObject({ verdict, follows: expect.stringContaining(follows) });
  });

  it('accepts the configured words for absence', async () => {
    const turned = { 'unknown fiat': refusal(404, 'Tidak ada'), 'unknown crypto': refusal(404, 'Tidak ada') };
    const { of } = await check(turned, { traits: { words: { absent: ['tidak ada'] } } });
    expect(of('fiat lookup of an unknown reference')).toMatchObject({ verdict: 'good', found: '404 "Tidak ada"' });
  });

  it('reports how a wrong signature is refused, or that it is accepted', async () => {
    expect((await check()).of('a wrong signature')).toMatchObject({ verdict: 'good', found: '401 "Bad signature"' });
    await service?.close();
    expect((await check({}, { takesAnySignature: true })).of('a wrong signature')).toMatchObject({ verdict: 'note' });
  });

  const asking = (changes: Partial<Parameters<typeof checkProvider>[0]>) =>
    checkProvider({
      baseUrl: 'http://127.0.0.1:1',
      signing: 'hmac-sha256',
      traits: documentedTraits(),
      credentials: async () => credentials,
      clock: () => Date.now(),
      random: () => 0.25,
      timeoutMs: minute,
      unusedReference: 'check-1',
      conversionSources: [],
      ...changes,
    });

  it('reports an address that nobody listens on', async () => {
    const [balance] = await asking({ baseUrl: `http://127.0.0.1:${await freePort()}` });
    expect(balance).toMatchObject({ verdict: 'wrong', follows: expect.stringContaining('provider.baseUrl') });
  });

  it('reports a malformed secret without repeating it', async () => {
    const findings = await asking({ credentials: async () => ({ apiKey: 'hidden key', clientId: 'c' }) });
    expect(findings[0]).toMatchObject({ verdict: 'wrong', found: 'credentials_unavailable' });
    expect(JSON.stringify(findings)).not.toContain('hidden');
  });

  it('passes only a wrong signature and the clock when all credentials are refused', async () => {
    service = await startService((_request, response) => answerText(response, refusal(401, 'Unauthorized'), 401));
    const findings = await asking({ baseUrl: service.baseUrl });
    const found = findings.filter(({ verdict }) => verdict === 'good').map(({ what }) => what);
    expect(found).toEqual(['a wrong signature', 'clock']);
    expect(findings.find(({ what }) => what === 'proof of an unknown disbursement')?.verdict).toBe('wrong');
    expect(findings.find(({ what }) => what === 'fiat list: page size')?.verdict).toBe('wrong');
  });

  it('reports differing clocks', async () => {
    service = await startService((_request, response) => answerText(response, refusal(400)));
    const findings = await asking({ baseUrl: service.baseUrl, clock: () => Date.now() - 60_000 });
    expect(findings.at(-1)).toMatchObject({
      what: 'clock',
      verdict: 'note',
      found: expect.stringMatching(/^(59|60) s ahead of this machine's$/),
    });
  });
});
