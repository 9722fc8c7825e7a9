import { describe, expect, it } from 'vitest';
import { classifyUnsuccessful } from '../../../functions/provider/refusal.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';

const refused = (message: string) =>
  classifyUnsuccessful({ kind: 'refused', statusCode: 400, message }, documentedTraits());

describe('a 400 whose words', () => {
  it.each([
    'The reference must be unique',
    'reference PAY-1 was used before',
    'Duplicate reference',
    'A disbursement with this Reference already exists',
    'Duplicate transaction',
    'Request already processed',
    'This payment has already been submitted',
    'E11000 duplicate key error collection: disbursements',
    'transaction id in use',
    'Conflicting request id',
    'ID is not unique',
    'REFERENCE_ALREADY_EXISTS',
    'DuplicateReferenceException',
    'DisbursementReferenceAlreadyExistsException',
    'Idempotency violation',
    `disburseData.0.recipient.name should not be empty; ${'note is too long; '.repeat(20)}reference must be unique`,
  ])('are "%s" means that the reference is taken', (message) => {
    expect(refused(message)).toMatchObject({ kind: 'rejected', isTaken: true });
  });

  it.each([
    'reference is required',
    'Payment method not found',
    'This account was used too often',
    'The reference does not exist',
    "Transaction type doesn't exist",
    'Insufficient balance',
    'The recipient cannot be paid',
    'Amount must be at least 10000',
    'Unique recipient not found',
  ])('are "%s" does not mean that', (message) => {
    expect(refused(message)).not.toHaveProperty('isTaken');
  });
});

it.each([
  ['Insufficient balance', true],
  ['insufficient input balance', true],
  ['Insufficient available balance for IDR', true],
  ['Insufficient balances', true],
  ['ERR_INSUFFICIENT_BALANCE', true],
  ['ErrInsufficientBalance', true],
  ['Payment method not found', undefined],
  ['The balance is insufficient', undefined],
] as const)('a 400 whose words are "%s" means that the balance is too low: %s', (message, isBalanceTooLow) => {
  expect(refused(message)).toMatchObject({ kind: 'rejected', message });
  expect(Object.hasOwn(refused(message), 'isBalanceTooLow')).toBe(isBalanceTooLow === true);
});
