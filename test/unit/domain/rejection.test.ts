import { expect, it } from 'vitest';
import { meaningOfRejection } from '../../../functions/payouts/resolve.ts';

it.each([
  ['Insufficient balance', 'insufficient_balance'],
  ['Insufficient available balance for IDR', 'insufficient_balance'],
  ['The reference must be unique', 'reference_taken'],
  ['reference PAY-1 was used before', 'reference_taken'],
  ['Duplicate reference', 'reference_taken'],
  ['A disbursement with this Reference already exists', 'reference_taken'],
  ['reference is required', 'refused'],
  ['Payment method not found', 'refused'],
  ['This account was used too often', 'refused'],
] as const)('a refusal that says "%s" means %s', (message, meaning) => {
  expect(meaningOfRejection(message)).toBe(meaning);
});
