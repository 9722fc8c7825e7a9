import { base58, bech32, bech32m } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkWalletAddress } from '../../../../functions/domain/payout-file/check-wallet-address.ts';
import { fileRow } from '../../../../functions/domain/payout-file/fields.ts';
import { walletAddress } from '../../../../functions/payment-service/domain/wallet-address.ts';
import { runs } from '../../../support/fast-loop.ts';
import { evmAddress, tronAddress } from '../../../support/wallet-addresses.ts';

/** Code and message for an address. Undefined for a good one. */
const saidOf = (network: string, address: string): readonly [code: string, message: string] | undefined => {
  const problems: [string, string][] = [];
  const texts: Readonly<Record<string, string>> = { currency: `coin-${network}`, walletAddress: address };
  const row = fileRow(1, 2, (field) => texts[field] ?? '', []);
  checkWalletAddress(row, (_, code, message) => problems.push([code, message]));
  return problems[0];
};
const codeOf = (network: string, address: string): string | undefined => saidOf(network, address)?.[0];

/** Published addresses: examples of ERC-55, BIP 173, BIP 350 and SEP-23, and contracts of Tether, Circle and others. */
const published = {
  ethereum: [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    // All in one letter case, so without a checksum.
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
  ],
  tron: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
  bitcoin: [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ],
  solana: ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', '11111111111111111111111111111111'],
  ton: [
    'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
    'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
    'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
  ],
  stellar: [
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
  ],
} as const;
const networks = Object.entries(published);

describe('a wallet address', () => {
  it.each(networks)('of %s passes on its network, and nowhere else', (network, addresses) => {
    for (const address of addresses)
      for (const [other] of networks)
        expect([address, codeOf(other, address)]).toEqual([
          address,
          other === network ? undefined : 'address_wrong_network',
        ]);
  });

  it.each(['polygon', 'bsc', 'bnb', 'arbitrum', 'base', 'optimism', 'avalanche'])(
    'of Ethereum passes on %s',
    (network) => {
      expect(codeOf(network, published.ethereum[4])).toBeUndefined();
      expect(codeOf(network, published.tron[0])).toBe('address_wrong_network');
    },
  );

  it('of another network is reported with the names of both', () => {
    const [address] = published.tron;
    expect(saidOf('ethereum', address)).toEqual([
      'address_wrong_network',
      '"walletAddress" is an address of TRON, not of ethereum. Ask for one of ethereum, or correct the currency.',
    ]);
  });

  it.each([
    ['a capital that is small', 'ethereum', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a small letter that is a capital', 'polygon', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['41 digits', 'ethereum', '0xde709f2102306220921060314715629080e2fb77a'],
    ['no 0x', 'ethereum', 'de709f2102306220921060314715629080e2fb77'],
    ['a large X', 'ethereum', '0Xde709f2102306220921060314715629080e2fb77'],
    ['a bank account', 'ethereum', '0123456789'],
    ['a wrong checksum', 'tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u'],
    ['a letter too few', 'tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6'],
    ['TRON in hexadecimal digits', 'tron', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['both letter cases', 'bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4'],
    ['the other checksum of BIP 350', 'bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh'],
    ['a version without a meaning yet', 'bitcoin', 'bc1sw50qgdz25j'],
    ['an address of a testnet', 'bitcoin', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
    ['31 bytes', 'solana', base58.encode(new Uint8Array(31).fill(7))],
    ['a wrong checksum', 'ton', 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHG'],
    ['an address of a testnet', 'ton', 'kQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPgpP'],
    ['a wrong checksum', 'stellar', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGA'],
    ['a secret key', 'stellar', 'SBU2RRGLXH3E5CQHTD3ODLDF2BWDCYUSSBLLZ5GNW7JXHDIYKXZWHOKR'],
  ])('with %s is not one of %s', (_, network, address) => {
    const [code, message] = saidOf(network, address) ?? [];
    expect(code).toBe('value_malformed');
    expect(message).toContain(network);
    expect(message).not.toContain(address);
  });

  it.each([
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', undefined],
    ['cosmos1vqpjljwsynsn58dugz0w8ut7kun7t8ls2qkmsq', undefined],
    ['0123 45678', 'value_malformed'],
    ['TR7NHqjeK', 'value_malformed'],
  ])('of an unknown network has only sane characters: %s', (address, code) => {
    expect(codeOf('moon', address)).toBe(code);
  });

  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const segwit = (coder: typeof bech32, version: number) => (program: Uint8Array) =>
    coder.encode('bc', [version, ...coder.toWords(program)]);

  it.each<[string, fc.Arbitrary<string>]>([
    ['tron', fc.string().map(tronAddress)],
    ['ethereum', fc.string().map(evmAddress)],
    ['tron', fc.string().map((seed) => walletAddress('tron', seed))],
    ['bsc', fc.string().map((seed) => walletAddress('evm', seed))],
    ['stellar', fc.string().map((seed) => walletAddress('stellar', seed))],
    ['bitcoin', bytes(20).map(segwit(bech32, 0))],
    ['bitcoin', bytes(32).map(segwit(bech32, 0))],
    ['bitcoin', bytes(32).map(segwit(bech32m, 1))],
    ['solana', bytes(32).map(base58.encode)],
  ])('of %s passes, whatever its bytes', (network, addresses) => {
    fc.assert(
      fc.property(addresses, (address) => {
        expect(codeOf(network, address)).toBeUndefined();
      }),
    );
  });

  const base58Letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

  it('of TRON is refused when any one character differs', () => {
    const change = fc.tuple(fc.string(), fc.nat(33), fc.constantFrom(...base58Letters));
    fc.assert(
      fc.property(change, ([seed, at, letter]) => {
        const address = tronAddress(seed);
        fc.pre(address.charAt(at) !== letter);
        expect(codeOf('tron', `${address.slice(0, at)}${letter}${address.slice(at + 1)}`)).toBe('value_malformed');
      }),
      { numRuns: runs(1000) },
    );
  });

  it('of an EVM network is refused when any one digit differs, except one in thousands', () => {
    const changed = Array.from({ length: 100 }, (_, seed) => evmAddress(`${seed}`)).flatMap((address) =>
      Array.from({ length: 40 }, (_, digit) => {
        const at = digit + 2;
        const other = ((Number.parseInt(address.charAt(at), 16) + 1) % 16).toString(16);
        return `${address.slice(0, at)}${other}${address.slice(at + 1)}`;
      }),
    );
    const passed = changed.filter((address) => codeOf('ethereum', address) === undefined);
    expect(passed.length).toBeLessThanOrEqual(changed.length / 1000);
  });
});
