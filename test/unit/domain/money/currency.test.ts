import { describe, expect, it } from 'vitest';
import { decimalsOf, railOf } from '../../../../functions/domain/money/currency.ts';

describe('a currency', () => {
  it.each([
    ['IDR', 'fiat', 2],
    ['VND', 'fiat', 0],
    ['JPY', 'fiat', 0],
    ['KWD', 'fiat', 3],
    ['usdt-tron', 'crypto', 6],
    ['usdc-polygon', 'crypto', 6],
    ['usdt-bsc', 'crypto', 18],
    ['eth-arbitrum', 'crypto', 18],
    ['btc-bitcoin', 'crypto', 8],
    ['sol-solana', 'crypto', 9],
    ['XQZ', 'fiat', undefined],
    ['shiba-nowhere', 'crypto', undefined],
    ['idr', undefined, undefined],
    ['USDT-tron', undefined, undefined],
    ['usdt-', undefined, undefined],
  ])('%s is %s with %s decimals', (currency, rail, decimals) => {
    expect(railOf(currency)).toBe(rail);
    expect(decimalsOf(currency)).toBe(decimals);
  });
});
