import { describe, expect, it } from 'vitest';
import type { BlockchainType } from '../../../../functions/payment-service/domain/money/currencies.ts';
import { isWalletAddress, walletAddress } from '../../../../functions/payment-service/domain/wallet-address.ts';

const isAddress = (blockchainType: BlockchainType, address: string): boolean =>
  isWalletAddress({ blockchainType }, address);

describe('a wallet address of the payment service', () => {
  it.each<[BlockchainType, string]>([
    ['evm', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['evm', '0xde709f2102306220921060314715629080e2fb77'],
    ['evm', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['stellar', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'],
  ])('is valid on %s only: %s', (own, address) => {
    const types = ['evm', 'tron', 'stellar'] as const;
    expect(types.filter((type) => isAddress(type, address))).toEqual([own]);
  });

  it.each<[BlockchainType, string]>([
    ['evm', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['evm', '0x52908400098527886E0F7030069857D2E4169EE'],
    ['evm', `0x${'0'.repeat(40)}`],
    ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u'],
    ['tron', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['stellar', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGA'],
    ['stellar', 'GZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ'],
  ])('is refused on %s: %s', (type, address) => {
    expect(isAddress(type, address)).toBe(false);
  });

  it.each<BlockchainType>(['evm', 'tron', 'stellar'])(
    'that is invented for %s is valid, and fixed by its seed',
    (type) => {
      const made = Array.from({ length: 50 }, (_, seed) => walletAddress(type, `${seed}`));
      expect(made.every((address) => isAddress(type, address))).toBe(true);
      expect(new Set(made).size).toBe(50);
      expect(walletAddress(type, '7')).toBe(made[7]);
    },
  );
});
