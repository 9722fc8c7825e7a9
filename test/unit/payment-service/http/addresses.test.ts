import { describe, expect, it } from 'vitest';
import { publicAddress, webhookUrl } from '../../../../functions/payment-service/http/request-fields.ts';

describe('an address for webhooks', () => {
  it.each([
    'https://merchant.example/hook',
    'https://hooks.merchant.example:8443/a/secret-token?x=1',
    'https://localhost:4566/hook',
    'https://127.0.0.1:4566/hook/a-secret-token',
  ])('can be %s', (address) => {
    expect(webhookUrl.safeParse(address).data).toBe(address);
  });

  it.each([
    'http://merchant.example',
    'merchant.example',
    'https://user@merchant.example/',
    'https://user:password@merchant.example/',
    'https://user:password@127.0.0.1/',
    'https://192.0.2.1/',
    `https://merchant.example/${'a'.repeat(1980)}`,
    undefined,
  ])('cannot be %s', (address) => {
    expect(webhookUrl.safeParse(address).success).toBe(false);
  });
});

it('customers are not sent to their own machine by its number', () => {
  expect(publicAddress.safeParse('https://127.0.0.1/').success).toBe(false);
});
