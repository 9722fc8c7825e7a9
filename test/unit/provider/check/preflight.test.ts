import { afterEach, describe, expect, it } from 'vitest';
import type { Rail } from '../../../../functions/domain/payout/payout.ts';
import type { PreflightDependencies } from '../../../../functions/provider/check/preflight.ts';
import { createProviderCheck } from '../../../../functions/provider/check/preflight.ts';
import { providerTraits } from '../../../../functions/provider/settings.ts';
import { minute } from '../../../support/durations.ts';
import { freePort } from '../../../support/servers/free-port.ts';
import type { LoopbackService } from '../loopback-service.ts';
import { answerText, credentials, enveloped, startService } from '../loopback-service.ts';
import { fiat, refusal } from '../provider-records.ts';

let service: LoopbackService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

interface Answer {
  readonly text: string;
  readonly status?: number;
}

const page = (limit = 100): Answer => ({ text: enveloped(`{"docs":[],"page":1,"totalPages":1,"limit":${limit}}`) });
const saying = (status: number, message?: string): Answer => ({ text: refusal(status, message), status });
const absent = saying(404, 'Disbursement not found');

const checkOf = (given: Partial<PreflightDependencies>) =>
  createProviderCheck({
    baseUrl: 'http://127.0.0.1:1',
    signing: 'hmac-sha256',
    traits: providerTraits().parse({}),
    credentials: async () => credentials,
    clock: () => Date.now(),
    random: () => 0.25,
    timeoutMs: minute,
    ...given,
  });

/** The findings for a service with these answers to lists and lookups. */
const found = async (
  { list = page(), lookUp = absent }: { readonly list?: Answer; readonly lookUp?: Answer },
  given: Partial<PreflightDependencies> = {},
  rail: Rail = 'fiat',
) => {
  service = await startService(({ url }, response) => {
    const { text, status = 200 } = /check-/.test(url) ? lookUp : list;
    answerText(response, text, status);
  });
  return checkOf({ baseUrl: service.baseUrl, ...given }).run(rail);
};

describe('the check of the provider before a batch is paid', () => {
  it.each(['fiat', 'crypto'] as const)('makes two reads of the %s rail, and nothing else', async (rail) => {
    expect(await found({}, {}, rail)).toEqual({ kind: 'fits' });
    expect(
      service?.seen.map(({ method, url }) => `${method} ${url.replace(/check-[0-9a-f-]{36}/, 'check-…')}`).toSorted(),
    ).toEqual([
      `GET /v1/disbursement/${rail}/check-…`,
      `GET /v1/disbursement/${rail}?limit=100&page=1&sort=-updatedAt`,
    ]);
  });

  it('never reads the credentials for payments', async () => {
    const asked: string[] = [];
    const telling = async (convention: string) => {
      asked.push(convention);
      return credentials;
    };
    await found({}, { credentials: telling });
    expect(new Set(asked)).toEqual(new Set(['signed']));
  });

  it.each<[string, Parameters<typeof found>, string]>([
    [
      'a secret that is missing',
      [{}, { credentials: async () => Promise.reject(new Error('hidden')) }],
      'The secret is missing or malformed',
    ],
    [
      'a secret that is malformed',
      [{}, { credentials: async () => ({ clientId: 'hidden' }) }],
      'The secret is missing or malformed',
    ],
    [
      'a wrong secret or signing scheme',
      [{ list: saying(401, 'Bad signature'), lookUp: saying(401) }],
      'Correct the secret, provider.signing',
    ],
    [
      'a wrong base URL',
      [{ list: saying(404, 'Cannot GET /v1'), lookUp: saying(404, 'Cannot GET /v1') }],
      'Correct provider.baseUrl',
    ],
    [
      'a site that is no payment service',
      [{ list: { text: '<html>' }, lookUp: { text: '<html>' } }],
      'Correct provider.baseUrl',
    ],
    [
      'a page size that is refused',
      [{ list: saying(400, 'limit is too large') }],
      'fiat list: page size: 400 "limit is too large"',
    ],
    [
      'a page size that is ignored',
      [
        { list: { text: enveloped(`{"docs":[${fiat()},${fiat()}],"page":1,"totalPages":1}`) } },
        { traits: providerTraits().parse({ pageLimit: 1 }) },
      ],
      'The page size is ignored',
    ],
    [
      'other words for absence',
      [{ lookUp: saying(404, 'Tidak ada') }],
      'set provider.traits.words.absent to ["Tidak ada"]',
    ],
    ['a record for any reference', [{ lookUp: { text: enveloped(fiat()) } }], 'ignores the reference it is given'],
    ['absence that is no 404', [{ lookUp: saying(400, 'Unknown reference') }], 'Only a 404 proves absence'],
  ])('reports %s, and the consequence', async (_, given, expected) => {
    const checked = await found(...given);
    expect(checked).toMatchObject({ kind: 'unfit', problem: expect.stringContaining(expected) });
    expect(JSON.stringify(checked)).not.toMatch(/hidden|secret-1|key-1/);
  });

  it.each<[string, Rail, (limit: number, sort: string) => boolean, string[]]>([
    ['pages above 25', 'fiat', (limit) => limit > 25, ['Set provider.traits.pageLimit to 25.']],
    ['any order', 'fiat', (_, sort) => sort !== '', ['refuses the sort order', 'Set provider.traits.pageLimit to 0']],
    ['any order', 'crypto', (_, sort) => sort !== '', ['refuses the sort order', 'no setting helps']],
    [
      'the order of changes',
      'crypto',
      (_, sort) => sort === '-updatedAt',
      ['refuses the sort order', 'Set provider.traits.pageLimit to 0'],
    ],
  ])('suggests the repair for a provider that refuses %s (%s)', async (_, rail, refuses, expected) => {
    service = await startService(({ url }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://here');
      const isRefused = refuses(Number(searchParams.get('limit')), searchParams.get('sort') ?? '');
      const { text, status = 200 } = /check-/.test(pathname) ? absent : isRefused ? saying(400, 'no') : page();
      answerText(response, text, status);
    });
    const checkWith = (traits: unknown) =>
      checkOf({ baseUrl: service?.baseUrl ?? '', traits: providerTraits().parse(traits) }).run(rail);
    const checked = await checkWith({});
    expect(checked.kind).toBe('unfit');
    for (const words of expected) expect(checked).toMatchObject({ problem: expect.stringContaining(words) });
    // Following the advice fixes it.
    const pageLimit = /pageLimit to (\d+)/.exec(JSON.stringify(checked))?.[1];
    if (pageLimit !== undefined) expect(await checkWith({ pageLimit: Number(pageLimit) })).toEqual({ kind: 'fits' });
  });

  it('suggests nothing without an answered list, and requests no order that Follow does not need', async () => {
    expect(await found({ list: saying(400, 'no') })).toMatchObject({
      problem: expect.not.stringContaining('pageLimit'),
    });
    expect(service?.seen.map(({ url }) => url).filter((url) => /sort=-createdAt/.test(url))).toEqual([]);
  });

  it.each([503, 429])('does not blame the sort order when smaller pages now get a %i', async (status) => {
    service = await startService(({ url }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://here');
      const isTooLarge = Number(searchParams.get('limit')) > 10;
      const ofList = isTooLarge ? saying(400, 'no') : searchParams.has('sort') ? saying(status) : page(10);
      const answer = /check-/.test(pathname) ? absent : ofList;
      answerText(response, answer.text, answer.status ?? 200);
    });
    const checked = await checkOf({ baseUrl: service.baseUrl }).run('fiat');
    expect(checked).toMatchObject({ kind: 'unfit', problem: expect.not.stringContaining('refuses the sort order') });
  });

  it('requests no list from a provider without lists, and accepts one that turns out to have none', async () => {
    expect(await found({}, { traits: providerTraits().parse({ pageLimit: 0 }) })).toEqual({ kind: 'fits' });
    expect(service?.seen).toHaveLength(1);
    await service?.close();
    expect(await found({ list: saying(404, 'Not found') })).toEqual({ kind: 'fits' });
  });

  it('reports differing clocks when the provider refuses signed requests', async () => {
    const refused = { list: saying(401), lookUp: saying(401) };
    expect(await found(refused, { clock: () => Date.now() - 60_000 })).toMatchObject({
      problem: expect.stringMatching(/clock: (59|60) s ahead of this machine's\. Correct the clock/),
    });
    await service?.close();
    expect(await found(refused)).toMatchObject({ problem: expect.not.stringContaining('clock') });
    await service?.close();
    expect(await found({}, { clock: () => Date.now() - 60_000 })).toEqual({ kind: 'fits' });
  });

  it.each<[string, Answer]>([
    ['too many requests', saying(429, 'Slow down')],
    ['an outage', { text: '{"statusCode":503,"message":"Down"}', status: 503 }],
    ['a bad gateway', { text: '<html>', status: 502 }],
  ])('does not treat %s as a fault of the settings', async (_, answer) => {
    expect(await found({ list: answer })).toEqual({ kind: 'unanswered' });
    await service?.close();
    expect(await found({ lookUp: answer })).toEqual({ kind: 'unanswered' });
  });

  it('treats a dead address and a timeout as an outage', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    expect(await checkOf({ baseUrl }).run('fiat')).toEqual({ kind: 'unanswered' });
    service = await startService(() => undefined);
    expect(await checkOf({ baseUrl: service.baseUrl, timeoutMs: 100 }).run('fiat')).toEqual({ kind: 'unanswered' });
  });

  it('distinguishes settings by everything it uses', () => {
    const hashes = [
      {},
      { baseUrl: 'https://pay.example' },
      { traits: providerTraits().parse({ pageLimit: 50 }) },
      { traits: providerTraits().parse({ words: { absent: ['tidak ada'] } }) },
    ].map((given) => checkOf(given).settingsHash);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(checkOf({}).settingsHash).toBe(hashes[0]);
  });
});
