import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { failedCondition, putNew, transact } from '../../../../functions/payment-service/store/table.ts';
import { canceled } from '../../../support/aws-errors.ts';
import { MemoryTable } from '../../../support/memory-table/memory-table.ts';
import { tableWith } from '../../../support/payment-service/new-context.ts';

const transaction = (...codes: readonly string[]) => {
  const table = tableWith(new MemoryTable(), () => {
    throw canceled(...codes);
  });
  return transact(table, [putNew({ pk: 'a', sk: 'a' }), putNew({ pk: 'b', sk: 'b' })]);
};

it.each([
  ['a failed condition', ['None', 'ConditionalCheckFailed'], true],
  ['a conflict', ['TransactionConflict', 'None'], false],
  ['throttling', ['ThrottlingError', 'None'], false],
  ['an overloaded partition', ['None', 'ProvisionedThroughputExceeded'], false],
])('a transaction canceled by %s may be decided again', async (_, codes, isSecond) => {
  const reasons = await transaction(...codes);
  if (reasons === undefined) throw new Error('it was written');
  expect(failedCondition(reasons, 1)).toBe(isSecond);
});

it.each([
  ['an item that is too large', ['None', 'ValidationError']],
  ['another reason besides a conflict', ['TransactionConflict', 'ValidationError']],
  ['a collection that is full', ['ItemCollectionSizeLimitExceeded', 'None']],
])('a transaction canceled by %s fails at once', async (_, codes) => {
  await expect(transaction(...codes)).rejects.toThrow(TransactionCanceledException);
});
