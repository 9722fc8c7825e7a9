import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import {
  NoFeeEstimate,
  ProviderMisconfigured,
  ProviderRefused,
  ProviderUnavailable,
} from '../../../functions/domain/errors.ts';
import { Money } from '../../../functions/domain/money/money.ts';
import { moneyOfText } from '../../../functions/domain/money/money-by-currency.ts';
import type { PaymentProvider } from '../../../functions/ports/provider.ts';
import { paymentMethod, thb, usdt } from '../../support/money.ts';
import { freePort } from '../../support/servers/free-port.ts';
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

const page = (docs: readonly string[], number = 1, totalPages = 1, totalDocs = docs.length): string =>
  enveloped(`{"docs":[${docs.join(',')}],"page":${number},"totalPages":${totalPages},"nextPage":null,"prevPage":0,
    "limit":100,"offset":0,"totalDocs":${totalDocs},"pagingCounter":1,"hasPrevPage":false,"hasNextPage":false,"more":1}`);

describe('a list', () => {
  it('omits an unreadable record, and counts it in the log', async () => {
    const { provider, warnings } = await answering(page([fiat(), '{"disbursementId":7}', 'null']));
    const query = { rail: 'fiat', order: 'created', page: 1 } as const;
    expect(await provider.listDisbursements(query)).toMatchObject({
      page: 1,
      totalPages: 1,
      unreadable: 2,
      disbursements: [{ disbursementId: 'd1' }],
    });
    expect(warnings).toEqual([
      { code: 'provider.records_unreadable', fields: { rail: 'fiat', page: 1, unreadable: 2 } },
    ]);
  });

  it('shows its page size: as requested, then as answered', async () => {
    const { provider } = await answering(page([]).replace('"limit":100', '"limit":50'));
    expect(provider.pageSize('fiat')).toBe(100);
    await provider.listDisbursements({ rail: 'fiat', order: 'created', page: 1 });
    expect([provider.pageSize('fiat'), provider.pageSize('crypto')]).toEqual([50, 100]);
  });

  it.each(['"limit":0', '"limit":1000', '"limit":null', '"limit":"all"'])(
    'whose page has %s has pages as requested',
    async (limit) => {
      const { provider } = await answering(page([]).replace('"limit":100', limit));
      await provider.listDisbursements({ rail: 'fiat', order: 'created', page: 1 });
      expect(provider.pageSize('fiat')).toBe(100);
    },
  );

  it('that the provider lacks is refused, and remembered as missing', async () => {
    const { provider } = await answering('{"statusCode":404,"message":"Cannot GET /v1/disbursement/fiat"}', 404);
    const query = { rail: 'fiat', order: 'created', page: 1 } as const;
    await expect(provider.listDisbursements(query)).rejects.toThrow('no_such_route');
    expect([provider.pageSize('fiat'), provider.pageSize('crypto')]).toEqual([0, 100]);
    await expect(provider.listDisbursements(query)).rejects.toThrow('no_lists');
    expect(service?.seen).toHaveLength(1);
  });

  it.each([
    ['fiat', 'created', undefined, 'limit=100&page=1&sort=createdAt'],
    ['fiat', 'changed', undefined, 'limit=100&page=1&sort=-updatedAt'],
    ['crypto', 'newest', undefined, 'limit=100&page=1&sort=-createdAt'],
    ['fiat', 'created', 'pending', 'limit=100&page=1&sort=createdAt&status=pending'],
    ['crypto', 'changed', 'completed', 'limit=100&page=1&sort=-updatedAt&status=completed'],
  ] as const)('of %s is requested %s, with the status %s', async (rail, order, status, query) => {
    const { provider } = await answering(page([]));
    await provider.listDisbursements({ rail, order, page: 1, ...(status === undefined ? {} : { status }) });
    const [path, asked] = (service?.seen[0]?.url ?? '').split('?');
    expect(path).toBe(`/v1/disbursement/${rail}`);
    expect(decodeURIComponent(asked ?? '')).toBe(query);
  });

  it('shows when a record was created and last changed', async () => {
    const times = ',"createdAt":"2026-01-01T07:00:00+07:00","updatedAt":"2026-01-02T00:00:00.000Z"';
    const { provider } = await answering(page([fiat(times)]));
    const { disbursements } = await provider.listDisbursements({ rail: 'fiat', order: 'changed', page: 1 });
    expect(disbursements).toMatchObject([
      { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' },
    ]);
  });

  it.each([
    ['2026-01-02T07:00:00+07:00', '2026-01-02T00:00:00.000Z'],
    ['2026-01-02T00:00:00Z', '2026-01-02T00:00:00.000Z'],
    ['yesterday', undefined],
    ['', undefined],
  ])('reads the last change "%s" as %s', async (written, updatedAt) => {
    const { provider } = await answering(page([fiat(`,"updatedAt":"${written}"`)]));
    const { disbursements } = await provider.listDisbursements({ rail: 'fiat', order: 'changed', page: 1 });
    expect(disbursements.map((one) => one.updatedAt)).toEqual([updatedAt]);
  });

  it.each([
    ['fiat', ['pending'], ['completed', 'failed']],
    ['crypto', ['pending', 'pending_retry', 'processed', 'need_check'], ['completed', 'failed', 'canceled']],
  ] as const)('of %s may be filtered by these statuses, each once', async (rail, open, ended) => {
    const { provider } = await answering(page([]));
    expect(provider.statusLists(rail, 'open')).toEqual(open);
    expect(provider.statusLists(rail, 'ended')).toEqual(ended);
  });

  it('of another page than requested is an outage, not an endless loop', async () => {
    const { provider } = await answering(page([], 1, 3));
    const query = { rail: 'fiat', order: 'created', page: 2 } as const;
    await expect(provider.listDisbursements(query)).rejects.toThrow('GET /v1/disbursement/fiat: other_page');
  });
});

describe('the search by reference', () => {
  it('reads every page and takes only exact matches', async () => {
    const { provider } = await answering(({ url }) => {
      const number = Number(new URL(url, 'http://x').searchParams.get('page'));
      return page([crypto(',"reference":"r1"'), crypto(',"reference":"r11"')], number, 2);
    });
    expect(await provider.listByReference('crypto', 'r1')).toHaveLength(2);
    expect(service?.seen).toHaveLength(2);
  });

  it.each([
    ['a record is unreadable', page(['{"reference":"r1"}']), 'records_unreadable'],
    ['the next page is the first one again', page([], 1, 99), 'other_page'],
    ['its pages leave records out', page([crypto(',"reference":"r1"')], 1, 1, 2), 'records_missing'],
  ])('proves nothing when %s', async (_case, text, code) => {
    const { provider } = await answering(text);
    await expect(provider.listByReference('crypto', 'r1')).rejects.toThrow(code);
  });
});

describe('the search by address and amount', () => {
  // An example of ERC-55.
  const inChecksumCase = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const walletAddress = `0x${inChecksumCase.slice(2).toUpperCase()}`;
  const to = (address: string, amount = '1.5'): string =>
    `{"disbursementId":"${address}${amount}","token":"usdt-polygon","network":"polygon","amount":${amount},"status":"completed","receiverAddress":"${address}"}`;
  const wanted = { recipient: { kind: 'wallet', walletAddress }, amount: Money.of('1.50', 'usdt-polygon') } as const;

  it('searches the address in each equal spelling, and counts only matches', async () => {
    const unnamed = crypto().replace('USDT', 'usdt').replace('tron', 'polygon');
    const records = [to(walletAddress.toLowerCase()), to(walletAddress, '1.51'), to('0xother'), unnamed];
    const { provider } = await answering(page(records));
    const found = await provider.destinationSearch('crypto')?.(wanted);
    expect(found?.map(({ disbursementId }) => disbursementId)).toEqual([`${walletAddress.toLowerCase()}1.5`, 'd1']);
    const asked = service?.seen.map(({ url }) => new URL(url, 'http://x').searchParams);
    expect(asked?.map((query) => [query.get('receiverAddress'), query.get('amount')])).toEqual([
      [walletAddress, '1.50'],
      [walletAddress.toLowerCase(), '1.50'],
      [inChecksumCase, '1.50'],
    ]);
  });

  const segwit = ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'] as const;
  const ton = [
    'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
    'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
  ] as const;

  it.each([
    ['btc-bitcoin', segwit[0], segwit[1]],
    ['btc-bitcoin', segwit[1], segwit[0]],
    ['usdt-ton', ton[0], ton[1]],
    ['usdt-ton', ton[1], ton[0]],
  ])('finds a transfer in %s to %s that the service stored as to %s', async (token, walletAddress, stored) => {
    const record = `{"disbursementId":"d1","token":"${token}","amount":1.5,"status":"completed","receiverAddress":"${stored}"}`;
    service = await startService((request, response) => {
      const asked = new URL(request.url ?? '', 'http://x').searchParams.get('receiverAddress');
      answerText(response, page(asked === stored ? [record] : []));
    });
    const search = providerOf(service.baseUrl).provider.destinationSearch('crypto');
    const found = await search?.({ recipient: { kind: 'wallet', walletAddress }, amount: Money.of('1.5', token) });
    expect(found).toMatchObject([{ disbursementId: 'd1' }]);
  });

  it.each([
    ['has no network', '"token":"usdt"'],
    ['has another name of the network', '"token":"usdt-polygon","network":"matic"'],
    ['is of another currency', '"token":"usdc","network":"polygon"'],
  ])('counts a record that %s', async (_case, fields) => {
    const record = `{"disbursementId":"d1",${fields},"amount":1.5,"status":"completed","receiverAddress":"${walletAddress}"}`;
    const { provider } = await answering(page([record]));
    expect(await provider.destinationSearch('crypto')?.(wanted)).toMatchObject([{ disbursementId: 'd1' }]);
  });

  it.each([
    ['a record is unreadable', () => page(['{"token":"usdt-polygon"}']), 'records_unreadable'],
    ['it does not end', (number: number) => page([], number, 99), 'search_too_long'],
    ['its pages leave records out', () => page([], 1, 1, 1), 'records_missing'],
  ])('proves nothing when %s', async (_case, answer, code) => {
    service = await startService((request, response) =>
      answerText(response, answer(Number(new URL(request.url ?? '', 'http://x').searchParams.get('page')))),
    );
    const search = providerOf(service.baseUrl).provider.destinationSearch('crypto');
    await expect(search?.(wanted)).rejects.toThrow(code);
    expect(service.seen.length).toBeLessThanOrEqual(10);
  });
});

describe('a bank transfer', () => {
  it.each<[string, (provider: PaymentProvider) => Promise<unknown>]>([
    ['search by reference', (provider) => provider.listByReference('fiat', 'r1')],
    ['search by destination', async (provider) => provider.destinationSearch('fiat')],
    ['fee estimate', (provider) => provider.estimateFee('fiat', Money.of('5', 'IDR'))],
  ])('has no %s, and nothing is asked', async (_what, read) => {
    const { provider } = await answering(page([]));
    expect(await read(provider)).toBeUndefined();
    expect(service?.seen).toEqual([]);
  });
});

describe('balances', () => {
  const balances = (fiatItems: string): string =>
    `{"userId":"u","assets":{"fiat":{"balances":[${fiatItems}]},"crypto":{"balances":[
    {"amount":0.123456789012345678,"assetCode":"eth-ethereum"}],"lastUpdated":null}}}`;

  it('are exact, without an envelope', async () => {
    const { provider } = await answering(balances('{"amount":-1e-2,"assetCode":"IDR"}'));
    expect(await provider.readBalances()).toEqual(
      moneyOfText({ IDR: '-0.01', 'eth-ethereum': '0.123456789012345678' }),
    );
  });

  it.each([
    [
      'an asset appears twice',
      balances('{"amount":1,"assetCode":"IDR"},{"amount":2,"assetCode":"IDR"}'),
      200,
      ProviderUnavailable,
    ],
    ['an amount is missing', balances('{"assetCode":"IDR"}'), 200, ProviderUnavailable],
    ['HTTP 500 comes with balances', balances(''), 500, ProviderUnavailable],
    ['the body says 503 under HTTP 200', refusal(503), 200, ProviderUnavailable],
    ['the body says 401 under HTTP 200', refusal(401), 200, ProviderRefused],
  ])('are rejected when %s', async (_case, text, status, error) => {
    const { provider } = await answering(text, status);
    await expect(provider.readBalances()).rejects.toThrow(error);
  });
});

describe('payment methods', () => {
  it('of both rails have one shape', async () => {
    const { provider } = await answering(({ url }) =>
      url.includes('fiat')
        ? enveloped(
            '[{"currency":"IDR","bankCode":"014","bankName":"BCA","minAmount":1e4,"maxAmount":5e8,"feeFlat":2500,"feePercentage":0}]',
          )
        : enveloped(
            '[{"currency":"usdt-tron","network":"tron","symbol":"USDT","name":"Tether","minimumAmount":1,"maximumAmount":100000,"feeFlat":1.5,"feePercentage":0.10}]',
          ),
    );
    expect([...(await provider.listPaymentMethods('fiat')), ...(await provider.listPaymentMethods('crypto'))]).toEqual([
      paymentMethod({
        rail: 'fiat',
        currency: 'IDR',
        code: '014',
        name: 'BCA',
        minAmount: '10000',
        maxAmount: '500000000',
        feeFlat: '2500',
        feePercentage: '0',
      }),
      paymentMethod({
        rail: 'crypto',
        currency: 'usdt-tron',
        code: 'usdt-tron',
        name: 'Tether',
        minAmount: '1',
        maxAmount: '100000',
        feeFlat: '1.5',
        feePercentage: '0.1',
      }),
    ]);
  });
});

describe.each(['fiat', 'crypto'] as const)('a %s payment method that cannot be read', (rail) => {
  const rest = '"name":"Odd","feeFlat":1,"feePercentage":0';
  const method = (currency: string, most: string) =>
    rail === 'fiat'
      ? `{"currency":"${currency}","bankCode":"1","bankName":"One","minAmount":1,"maxAmount":${most},${rest}}`
      : `{"currency":"${currency}","minimumAmount":1,"maximumAmount":${most},${rest}}`;
  it('keeps no other from being used, and is logged', async () => {
    const listed = [method('IDR', 'null'), method('PHP', '5')];
    const { provider, warnings } = await answering(enveloped(`[${listed.join()}]`));
    expect((await provider.listPaymentMethods(rail)).map(({ currency }) => currency)).toEqual(['PHP']);
    expect(warnings).toEqual([{ code: 'provider.methods_unreadable', fields: { rail, unreadable: 1 } }]);
  });

  it('pauses the batch when there is no other', async () => {
    const { provider } = await answering(enveloped(`[${method('IDR', 'null')}]`));
    await expect(provider.listPaymentMethods(rail)).rejects.toThrow(ProviderMisconfigured);
  });
});

/** Answers of a provider without such an endpoint. */
const lacking: readonly (readonly [string, number])[] = [
  [refusal(404, 'Not found'), 404],
  [refusal(404, 'Cannot GET /v1/x'), 404],
  [refusal(405, 'Method not allowed'), 405],
  [refusal(501, 'Not implemented'), 501],
];

describe('a missing feature of the provider', () => {
  it.each(lacking)('wallet transfers: there is no way to pay them: %s', async (text, status) => {
    const { provider } = await answering(text, status);
    expect(await provider.listPaymentMethods('crypto')).toEqual([]);
  });

  it('for bank transfers means a wrong address, because nothing could be paid', async () => {
    const { provider } = await answering(refusal(404, 'Cannot GET /v1/x'), 404);
    await expect(provider.listPaymentMethods('fiat')).rejects.toThrow(ProviderUnavailable);
  });

  it.each(lacking)('proofs: there is none: %s', async (text, status) => {
    const { provider } = await answering(text, status);
    expect(await provider.downloadProof('d1')).toBeUndefined();
  });

  it.each(lacking)('conversions: a batch that is short awaits funds: %s', async (text, status) => {
    const { provider } = await answering(text, status);
    const wanted = { inputCurrency: 'usdt-tron', output: thb('1000') };
    expect(await provider.quoteConversion(wanted)).toEqual({
      kind: 'refused',
      message: 'The provider has no such conversion.',
      isLacking: true,
    });
  });

  it('is not inferred from a gateway’s bare 404', async () => {
    const { provider } = await answering('{"message":"Not Found"}', 404);
    await expect(provider.listPaymentMethods('crypto')).rejects.toThrow(ProviderUnavailable);
  });
});

describe('the estimate of a crypto fee', () => {
  it('uses the amount rounded up when decimals are refused', async () => {
    const { provider } = await answering(({ url }) =>
      url.includes('amount=1.5')
        ? refusal(400, 'amount must be an integer')
        : enveloped('{"token":"x","amount":2,"fee":0.3}'),
    );
    expect(await provider.estimateFee('crypto', usdt('1.5'))).toEqual(usdt('0.3'));
    expect(service?.seen.map(({ url }) => url.split('?')[1])).toEqual([
      'amount=1.5&token=usdt-tron',
      'amount=2&token=usdt-tron',
    ]);
  });

  it('is not requested twice for a whole amount', async () => {
    const { provider } = await answering(refusal(400, 'unknown token'));
    await expect(provider.estimateFee('crypto', Money.of('2', 'x-y'))).rejects.toThrow(ProviderRefused);
    expect(service?.seen).toHaveLength(1);
  });

  it.each(lacking)('that the provider does not give has an error of its own: %s', async (text, status) => {
    const { provider } = await answering(text, status);
    await expect(provider.estimateFee('crypto', usdt('1.5'))).rejects.toThrow(NoFeeEstimate);
  });

  it.each([401, 403])('fails with wrong credentials: %i', async (status) => {
    const { provider } = await answering(refusal(status), status);
    await expect(provider.estimateFee('crypto', usdt('1.5'))).rejects.toThrow(ProviderRefused);
  });
});

describe('a proof', () => {
  const pdf = '%PDF-1.7\nbody\n%%EOF\n';
  it('is downloaded unchanged', async () => {
    const { provider } = await answering(pdf);
    expect(Buffer.from((await provider.downloadProof('d1')) ?? []).toString()).toBe(pdf);
    expect(service?.seen).toMatchObject([
      { url: '/v1/disbursement/fiat/d1/report', headers: { accept: 'application/pdf' } },
    ]);
  });

  it.each([
    [refusal(404, 'Disbursement not found'), 404],
    [refusal(404, 'Disbursement not found'), 200],
    [refusal(400, 'Disbursement is not completed'), 400],
  ])('that does not exist (yet) is undefined: %s', async (text, status) => {
    const { provider } = await answering(text, status);
    expect(await provider.downloadProof('d1')).toBeUndefined();
  });

  it.each(['', '.', '..'])('is never there under the id "%s", which would reach another endpoint', async (id) => {
    const { provider } = await answering(pdf);
    expect(await provider.downloadProof(id)).toBeUndefined();
    expect(service?.seen).toEqual([]);
  });

  it.each([
    ['cut off', pdf.slice(0, -8), 200],
    ['an HTML page', '<html></html>', 200],
    ['a gateway 404', '{"message":"Not Found"}', 404],
    ['an outage', refusal(500), 500],
  ])('that is %s is not a proof', async (_case, text, status) => {
    const { provider } = await answering(text, status);
    await expect(provider.downloadProof('d1')).rejects.toThrow(ProviderUnavailable);
  });
});

describe('a read', () => {
  it('is repeated once after a reset', async () => {
    let requests = 0;
    service = await startService((_request, response) => {
      requests += 1;
      if (requests === 1) response.socket?.resetAndDestroy();
      else answerText(response, refusal(404, 'Disbursement not found'));
    });
    const { provider } = providerOf(service.baseUrl);
    expect(await provider.lookUp('fiat', 'r1')).toEqual({ kind: 'absent' });
    expect(requests).toBe(2);
  });

  it('is an outage after two resets', async () => {
    service = await startService((_request, response) => response.destroy());
    const { provider } = providerOf(service.baseUrl);
    await expect(provider.readBalances()).rejects.toThrow('GET /v1/balance: connection_reset');
    expect(service.seen).toHaveLength(2);
  });

  const stalls: [string, (response: ServerResponse) => void][] = [
    ['is never answered', () => undefined],
    ['is answered with headers and nothing more', (response) => response.writeHead(200).flushHeaders()],
    [
      'is answered with headers and half a body',
      (response) => response.writeHead(200, { 'content-length': 100 }).write('{'),
    ],
  ];
  it.each(stalls)('that %s is an outage when its time is up', async (_case, stall) => {
    service = await startService((_request, response) => stall(response));
    const { provider } = providerOf(service.baseUrl, { timeoutMs: 100 });
    await expect(provider.readBalances()).rejects.toThrow(/^GET \/v1\/balance: timeout$/);
    await expect(provider.downloadProof('d1')).rejects.toThrow(/: timeout$/);
    expect(service.seen).toHaveLength(2);
  });

  it.each([
    ['a 429', refusal(429), 429, ProviderUnavailable],
    ['a bare 429', '{"message":"Too Many Requests"}', 429, ProviderUnavailable],
    ['a 400', refusal(400), 400, ProviderRefused],
    ['a bare 403', '{"message":"Forbidden"}', 403, ProviderRefused],
    ['a redirect', '', 302, ProviderUnavailable],
  ])('that gets %s shows whether a retry may help', async (_case, text, status, error) => {
    const { provider } = await answering(text, status);
    const asked = provider.listPaymentMethods('crypto');
    await expect(asked).rejects.toThrow(error);
    await expect(asked).rejects.toMatchObject({ cause: `status_${status}` });
  });

  it.each([
    ['no payment service', '<html>', 200],
    ['no such path', refusal(404, 'Cannot GET /v1/disbursement/fiat/payment-method'), 404],
    ['another shape', '{"statusCode":200,"data":7}', 200],
  ])('that gets %s differs from an outage', async (_case, text, status) => {
    const { provider } = await answering(text, status);
    await expect(provider.listPaymentMethods('fiat')).rejects.toThrow(ProviderMisconfigured);
  });

  it('without a readable secret reports that, and nothing of the secret', async () => {
    const { provider } = providerOf('http://127.0.0.1:1', { credentials: async () => ({ apiKey: 'hidden key' }) });
    const asked = provider.readBalances();
    await expect(asked).rejects.toThrow(ProviderMisconfigured);
    await expect(asked).rejects.toThrow(/^GET \/v1\/balance: credentials_unavailable$/);
    await expect(asked).rejects.toMatchObject({ cause: 'credentials_unavailable' });
  });

  it('without a service is an outage whose message has only codes', async () => {
    const { provider } = providerOf(`http://127.0.0.1:${await freePort()}`);
    const asked = provider.readBalances();
    await expect(asked).rejects.toThrow(/^GET \/v1\/balance: connection_failed$/);
    await expect(asked).rejects.not.toThrow(ProviderMisconfigured);
  });

  it('keeps its connection for the next one', async () => {
    const { provider } = await answering(refusal(404));
    await provider.lookUp('fiat', 'r1');
    await provider.lookUp('fiat', 'r2');
    expect(service?.connections()).toBe(1);
  });
});
