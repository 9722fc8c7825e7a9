import { describe, expect, it } from 'vitest';
import { addressOf } from '../../../../functions/payment-service/webhooks/address-of.ts';

const registered = 'https://merchant.example/hook';

const ports = (generation: number, address: string | undefined = registered) => ({
  registeredAddress: async (clientId: string) => (clientId === 'merchant' ? address : undefined),
  sandboxOf: async () => ({ generation }),
});

describe('webhooks of an account go', () => {
  it.each([
    ['to the address of its merchant', 'merchant', 0, registered],
    ['to the same address after a reset of the sandbox', 'merchant~2', 2, registered],
    ['nowhere when they are from before a reset', 'merchant~1', 2, undefined],
    ['nowhere when they are from before the first reset', 'merchant', 1, undefined],
    ['nowhere when another merchant alone has an address', 'other', 0, undefined],
  ])('%s', async (_, accountId, generation, address) => {
    expect(await addressOf(ports(generation), accountId)).toBe(address);
  });
});
