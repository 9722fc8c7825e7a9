import { describe, expect, it } from 'vitest';
import { listCryptoReferences } from '../../../../../functions/payment-service/endpoints/references/list-crypto-references.ts';
import { listCurrencyReferences } from '../../../../../functions/payment-service/endpoints/references/list-currency-references.ts';
import {
  cryptoReferences,
  currencyReferences,
} from '../../../../../functions/payment-service/endpoints/references/reference-record.ts';
import type { Answer } from '../../../../../functions/payment-service/http/answers.ts';
import type { ServiceRequest } from '../../../../../functions/payment-service/http/request.ts';
import { route } from '../../../../../functions/payment-service/http/router.ts';
import { newContext, newGate } from '../../../../support/payment-service/new-context.ts';

const answerTo = route(newGate(newContext()), [listCurrencyReferences, listCryptoReferences]);
const ask = (path: string, query: ServiceRequest['query'] = []): Promise<Answer> =>
  answerTo({ requestId: 'r', method: 'GET', path, query, headers: new Map(), body: Buffer.alloc(0) });
const idsOf = async (query: ServiceRequest['query']) => {
  const answer = await ask('/v1/reference/cryptos', query);
  const { data } = answer.kind === 'json' && 'data' in answer.body ? answer.body : { data: [] };
  return Array.isArray(data) ? data.map((item: { readonly id: string }) => item.id) : [];
};

const all = ['usdt-tron', 'usdt-ethereum', 'usdc-polygon', 'usdc-ethereum', 'eth-ethereum', 'bnb-bsc', 'usdc-stellar'];
const url = expect.stringMatching(/^https:\/\/assets\.example\/\w+\/[a-z-]+\.svg$/);

describe('GET /v1/reference/currencies', () => {
  it('has every field of the public document', () => {
    expect(currencyReferences().find(({ id }) => id === 'INR')).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      id: 'INR',
      value: 'India',
      currency: 'INR',
      countryCode: 'IN',
      country: 'India',
      name: 'Indian Rupee',
      symbol: '₹',
      logo: url,
      requireBankName: true,
      requireIfsc: true,
      requireIban: false,
      requireAchOrWire: false,
      requireAccountNumber: true,
    });
  });

  it.each([
    ['IDR', false, false],
    ['PHP', false, false],
    ['VND', false, false],
    ['THB', false, false],
    ['SGD', false, false],
    ['INR', true, false],
    ['USD', false, true],
  ])('%s needs an IFSC: %s; ACH or wire: %s', (code, requireIfsc, requireAchOrWire) => {
    expect(currencyReferences().find(({ id }) => id === code)).toMatchObject({ requireIfsc, requireAchOrWire });
  });

  it('needs no credentials', async () => {
    expect(await ask('/v1/reference/currencies')).toMatchObject({
      statusCode: 200,
      body: { statusCode: 200, message: 'Reference currencies', data: currencyReferences() },
    });
  });
});

describe('GET /v1/reference/cryptos', () => {
  it('has every field of the public document', () => {
    expect(cryptoReferences({}).find(({ id }) => id === 'usdc-polygon')).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      id: 'usdc-polygon',
      symbol: 'USDC',
      name: 'USD Coin (Polygon)',
      label: 'USDC (Polygon)',
      address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
      chainId: 137,
      is_native: false,
      logo: url,
      currencies: ['IDR', 'PHP', 'VND', 'THB', 'SGD', 'INR', 'USD'],
      decimal: 6,
      priceId: 'usd-coin',
    });
  });

  it.each([
    ['usdt-tron', 728_126_428, false, 'tether'],
    ['usdt-ethereum', 1, false, 'tether'],
    ['usdc-ethereum', 1, false, 'usd-coin'],
    ['eth-ethereum', 1, true, 'ethereum'],
    ['bnb-bsc', 56, true, 'binancecoin'],
    ['usdc-stellar', 148, false, 'usd-coin'],
  ])('%s is on chain %s, native: %s, priced as %s', (code, chainId, is_native, priceId) => {
    expect(cryptoReferences({}).find(({ id }) => id === code)).toMatchObject({ chainId, is_native, priceId });
  });

  it.each<[string, ServiceRequest['query'], readonly string[]]>([
    ['no filter', [], all],
    [
      'empty filters',
      [
        ['useSmartContract', ''],
        ['blockchainType', ''],
      ],
      all,
    ],
    ['the contract', [['useSmartContract', 'true']], ['usdt-ethereum', 'usdc-polygon', 'usdc-ethereum']],
    ['no contract', [['useSmartContract', 'false']], ['usdt-tron', 'eth-ethereum', 'bnb-bsc', 'usdc-stellar']],
    ['a type', [['blockchainType', 'tron']], ['usdt-tron']],
    ['a type in capitals', [['blockchainType', 'EVM']], all.slice(1, 6)],
    ['an unknown type', [['blockchainType', 'moon']], []],
    [
      'both filters',
      [
        ['useSmartContract', 'false'],
        ['blockchainType', 'evm'],
      ],
      ['eth-ethereum', 'bnb-bsc'],
    ],
  ])('by %s', async (_, query, ids) => {
    expect(await idsOf(query)).toEqual(ids);
  });

  it('refuses a value that is neither true nor false', async () => {
    expect(await ask('/v1/reference/cryptos', [['useSmartContract', 'yes']])).toMatchObject({
      body: { statusCode: 400, message: 'useSmartContract: must be one of true, false' },
    });
  });
});
