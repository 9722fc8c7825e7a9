import { describe, expect, it } from 'vitest';
import { concernAllRows, refusalFingerprint } from '../../../../functions/domain/payout/equal-refusals.ts';

const isEqual = (one: string, other: string): boolean =>
  refusalFingerprint(one, ['PAY-one', 'ref']) === refusalFingerprint(other, ['PAY-two', 'ref']);

describe('the fingerprints of two refusals', () => {
  it.each([
    ['Insufficient funds', 'insufficient funds.'],
    ['Insufficient funds: 12.50 IDR left', 'Insufficient funds: 7 IDR left'],
    ['PAY-one cannot be paid', 'pay-two cannot be paid'],
    ['Under maintenance until 12:30 (ticket A-17)', 'Under maintenance until 13:00 (ticket B-2)'],
    ['Account *** is closed', 'Account 12 is closed'],
    ['Insufficient funds', '"Insufficient funds"'],
  ])('are equal: %s, %s', (one, other) => {
    expect(isEqual(one, other)).toBe(true);
  });

  it.each([
    ['Insufficient funds', 'Payment method not found'],
    ['Bank account is closed', 'Bank account is unknown'],
    ['No route', 'Noroute'],
    ['Field bank.code is missing', 'Field bankcode is missing'],
  ])('differ: %s, %s', (one, other) => {
    expect(isEqual(one, other)).toBe(false);
  });

  it('are 16 hex digits, and no text', () => {
    expect(refusalFingerprint('Insufficient funds', [])).toMatch(/^[0-9a-f]{16}$/);
  });
});

it.each([
  [{ rows: 2, calls: 9 }, 3, false],
  [{ rows: 2, calls: 10 }, 3, true],
  [{ rows: 3, calls: 0 }, 3, true],
  [{ rows: 0, calls: 29 }, 3, false],
  [{ rows: 0, calls: 30 }, 3, true],
  [{ rows: 0, calls: 9 }, 1, false],
  [{ rows: 1, calls: 0 }, 1, true],
] as const)('%o concerns all after %i rows: %s', (refused, equalRefusals, expected) => {
  expect(concernAllRows(refused, { equalRefusals })).toBe(expected);
});
