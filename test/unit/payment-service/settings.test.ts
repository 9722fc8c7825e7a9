import { describe, expect, it } from 'vitest';
import { grossedUp } from '../../../functions/payment-service/domain/money/fees-and-limits.ts';
import { Money } from '../../../functions/payment-service/domain/money/money.ts';
import { paymentServiceSettings } from '../../../functions/payment-service/settings.ts';

const merchantWith = (balances: object) => ({
  merchants: [{ clientId: 'sandbox-merchant', organizationName: 'Merchant', balances }],
});

describe('a setting that would break pricing, or that would be ignored, is refused', () => {
  it.each([
    ['a fee of everything', { conversionFeePercentage: '100' }, 'at most 99'],
    ['a fee of more than everything', { conversionFeePercentage: '100.5' }, 'at most 99'],
    ['a fee that leaves almost nothing', { conversionFeePercentage: '99.999999' }, 'at most 99'],
    ['a fee that is no number', { conversionFeePercentage: 'half' }, 'a decimal number'],
    ['a rate of zero', { rates: { 'usdt-tron/THB': '0.00' } }, 'above 0'],
    ['a rate that is no number', { rates: { 'usdt-tron/THB': 'x' } }, 'a decimal number'],
    ['a pair the wrong way around', { rates: { 'THB/usdt-tron': '34' } }, 'not a pair'],
    ['a pair with an unknown token', { rates: { 'usdt/THB': '34' } }, 'not a pair'],
    ['a balance in an unknown currency', merchantWith({ EUR: '100' }), 'not a currency'],
    ['a balance that is no number', merchantWith({ PHP: 'much' }), 'a decimal number'],
  ])('%s', (_, settings, message) => {
    const { success, error } = paymentServiceSettings.safeParse(settings);
    expect(success).toBe(false);
    expect(JSON.stringify(error?.issues)).toContain(message);
  });
});

it.each([
  [{ conversionFeePercentage: '99' }],
  [{ conversionFeePercentage: '0' }],
  [{ rates: { 'usdt-tron/THB': '0.000001', 'eth-ethereum/USD': '3000' } }],
  [merchantWith({ PHP: '0', 'usdc-stellar': '1.5' })],
])('%o is accepted', (settings) => {
  expect(paymentServiceSettings.safeParse(settings).error).toBeUndefined();
});

it('the largest fee still leaves a wanted output', () => {
  const wanted = Money.of('1', 'PHP');
  const charge = { feeFlat: Money.zero('PHP'), feePercentage: '99' };
  expect(grossedUp(wanted, charge).amount).toBe('99.51');
});
