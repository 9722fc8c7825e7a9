import { describe, expect, it } from 'vitest';
import { deployedClient, deployedProvider } from './deployed-service.ts';

/** References need no credentials, and the client does not even read them. */
const client = deployedClient(async () => {
  throw new Error('the references ask for no credentials');
});

describe('references', () => {
  it('name every currency and token that has a balance', async () => {
    const [currencies, cryptos] = await Promise.all([client.references.currencies(), client.references.cryptos({})]);
    const codes = [
      ...(currencies.kind === 'succeeded' ? currencies.data.map(({ currency }) => currency) : []),
      ...(cryptos.kind === 'succeeded' ? cryptos.data.map(({ id }) => id) : []),
    ];
    expect(codes.toSorted()).toEqual([...(await deployedProvider().readBalances()).keys()].toSorted());
  });

  it('have every documented field of a currency', async () => {
    const answer = await client.references.currencies();
    expect(answer).toMatchObject({ kind: 'succeeded', statusCode: 200 });
    const baht = answer.kind === 'succeeded' ? answer.data.find(({ currency }) => currency === 'THB') : undefined;
    expect(baht).toEqual({
      _id: expect.any(String),
      id: 'THB',
      value: 'Thailand',
      currency: 'THB',
      countryCode: 'TH',
      country: 'Thailand',
      name: 'Thai Baht',
      symbol: '฿',
      logo: expect.stringMatching(/^https:/),
      requireBankName: true,
      requireIfsc: false,
      requireIban: false,
      requireAchOrWire: false,
      requireAccountNumber: true,
    });
  });

  it.each([
    [{ useSmartContract: true }, ['usdt-ethereum', 'usdc-polygon', 'usdc-ethereum']],
    [{ useSmartContract: false, blockchainType: 'evm' }, ['eth-ethereum', 'bnb-bsc']],
    [{ blockchainType: 'TRON' }, ['usdt-tron']],
    [{ blockchainType: 'moon' }, []],
  ])('of cryptos are filtered by %o', async (query, ids) => {
    const answer = await client.references.cryptos(query);
    expect(answer.kind === 'succeeded' && answer.data.map(({ id }) => id)).toEqual(ids);
  });

  it('have every documented field of a token', async () => {
    const answer = await client.references.cryptos({ blockchainType: 'tron' });
    expect(answer.kind === 'succeeded' && answer.data).toEqual([
      {
        _id: expect.any(String),
        id: 'usdt-tron',
        symbol: 'USDT',
        name: 'Tether USD (Tron)',
        label: 'USDT (Tron)',
        address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
        chainId: 728_126_428,
        is_native: false,
        logo: expect.stringMatching(/^https:/),
        currencies: expect.arrayContaining(['THB', 'USD']),
        decimal: 6,
        priceId: 'tether',
      },
    ]);
  });
});
