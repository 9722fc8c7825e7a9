import { describe, expect, it } from 'vitest';
import {
  cryptoInstructions,
  fiatInstructions,
  payerOf,
  paymentTrace,
} from '../../../../../functions/payment-service/domain/deposits/deposit-instructions.ts';
import type { DepositMethod } from '../../../../../functions/payment-service/domain/deposits/deposit-methods.ts';
import {
  depositKinds,
  depositMethods,
  tokenCharge,
} from '../../../../../functions/payment-service/domain/deposits/deposit-methods.ts';
import { checksum } from '../../../../../functions/payment-service/domain/deposits/qr-payload.ts';
import { tokens } from '../../../../../functions/payment-service/domain/money/currencies.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { isWalletAddress } from '../../../../../functions/payment-service/domain/wallet-address.ts';
import { newDeposit } from '../../../../support/payment-service/deposits/new-deposit.ts';

const by = ({ currency, bankCode }: DepositMethod, depositId = 'dep_0123456789abcdef01234567') =>
  fiatInstructions(
    newDeposit({ depositId, input: Money.of('100.5', currency), paymentMethod: bankCode }),
    'Café Münster & Söhne Gastronomie',
  );
const named = (method: DepositMethod) => [`${method.currency} ${method.bankCode}`, method] as const;
const fieldOf = {
  va: 'accountNumber',
  bank_transfer: 'accountNumber',
  qris: 'qrData',
  ewallet: 'checkoutUrl',
} as const;

describe('the methods', () => {
  it('have unique names within a currency', () => {
    const names = depositMethods.map(({ currency, bankCode }) => `${currency} ${bankCode}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('cover every kind, and their least amount is below their greatest', () => {
    expect(new Set(depositMethods.map(({ kind }) => kind))).toEqual(new Set(depositKinds));
    for (const { minAmount, maxAmount } of depositMethods) expect(minAmount.isLessThan(maxAmount)).toBe(true);
  });

  it('charge for every token', () => {
    expect(tokens.filter(({ code }) => tokenCharge(code) === undefined)).toEqual([]);
  });
});

describe('instructions', () => {
  it.each(depositMethods.map(named))('by %s have the fields of their kind, and no others', (_, method) => {
    const instructions = by(method);
    const filled = Object.values(fieldOf).filter((name) => instructions?.[name] !== undefined);
    expect(new Set(filled)).toEqual(new Set([fieldOf[method.kind]]));
    expect(instructions).toMatchObject({ bankCode: method.bankCode, bankName: method.bankName });
    expect(instructions?.routingNumber !== undefined).toBe(method.currency === 'USD');
    expect(instructions?.intlCode !== undefined).toBe(method.currency === 'USD');
  });

  it.each(depositMethods.map(named))('by %s never change for a deposit, and differ between deposits', (_, method) => {
    const field = fieldOf[method.kind];
    expect(by(method)).toEqual(by(method));
    expect(by(method)?.[field]).not.toBe(by(method, 'dep_76543210fedcba9876543210')?.[field]);
  });

  it('do not exist for an unknown method', () => {
    expect(fiatInstructions(newDeposit({ paymentMethod: 'NOBANK' }), 'M')).toBeUndefined();
    expect(cryptoInstructions(newDeposit())).toBeUndefined();
  });
});

/** The fields of an EMVCo payload. */
const fieldsOf = (payload: string): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>();
  for (let at = 0; at < payload.length; ) {
    const length = Number(payload.slice(at + 2, at + 4));
    fields.set(payload.slice(at, at + 2), payload.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
};

describe('a QR payload', () => {
  it('has the checksum of its format', () => {
    // The check value of CRC-16/CCITT-FALSE in every catalog of checksums.
    expect(checksum('123456789')).toBe('29B1');
  });

  it.each(depositMethods.filter(({ kind }) => kind === 'qris').map(named))('of %s is well formed', (_, method) => {
    const payload = by(method)?.qrData ?? '';
    const fields = fieldsOf(payload);
    expect([...fields.keys()]).toEqual(['00', '01', '26', '52', '53', '54', '58', '59', '60', '62', '63']);
    expect(fields.get('54')).toBe('100.5');
    expect(fields.get('59')).toBe('Cafe Munster  Sohne Gastr');
    expect(fields.get('63')).toBe(checksum(payload.slice(0, -4)));
    expect(fields.get('26')).toHaveLength(Number(payload.slice(14, 16)));
  });
});

describe('a deposit in a token', () => {
  it.each(tokens.map((token) => [token.code, token] as const))('has an address of the network of %s', (code, token) => {
    const deposit = newDeposit({ depositType: 'crypto', input: Money.of('1000', code), paymentMethod: undefined });
    const instructions = cryptoInstructions(deposit);
    expect(isWalletAddress(token, instructions?.payoutWallet ?? '')).toBe(true);
    expect(instructions?.network).toBe(token.network);
    expect(instructions?.memo !== undefined).toBe(token.network === 'stellar');
    const { transactionHash, senderWallet } = paymentTrace(deposit);
    expect(transactionHash).toMatch(token.blockchainType === 'evm' ? /^0x[0-9a-f]{64}$/ : /^[0-9a-f]{64}$/);
    expect(isWalletAddress(token, senderWallet ?? '')).toBe(true);
    expect(senderWallet).not.toBe(instructions?.payoutWallet);
  });
});

it('the payer has a merchant number only for a QR payment', () => {
  expect(payerOf(newDeposit({ paymentMethod: 'QRPH' })).mid).toMatch(/^\d{15}$/);
  expect(payerOf(newDeposit()).mid).toBeUndefined();
  expect(payerOf(newDeposit())).toMatchObject({ name: expect.any(String), transactionCode: expect.any(String) });
});
