import * as dynamodb from '@aws-sdk/client-dynamodb';
import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  InternalServerError,
  ThrottlingException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { ExecutionLimitExceeded, SFNServiceException, StateMachineDoesNotExist } from '@aws-sdk/client-sfn';
import { describe, expect, it } from 'vitest';
import { isTransient } from '../../../../functions/api/http/transient-errors.ts';
import { underContention } from '../../../../functions/ledger/table/contention.ts';
import { awsErrorFields, canceled } from '../../../support/aws-errors.ts';

const timeout = Object.assign(new Error('Connection timed out'), { name: 'TimeoutError' });

describe('a failed request to AWS', () => {
  it.each([
    ['a throttled table', new ThrottlingException(awsErrorFields)],
    ['a throttled transaction', canceled('None', 'ThrottlingError')],
    ['a conflict that lasted', canceled('TransactionConflict', 'None')],
    ['a write beside a transaction that lasted', new TransactionConflictException(awsErrorFields)],
    ['an outage', new InternalServerError(awsErrorFields)],
    ['throttled starts', new SFNServiceException({ ...awsErrorFields, name: 'ThrottlingException', $fault: 'client' })],
    ['as many executions as an account may have', new ExecutionLimitExceeded(awsErrorFields)],
    ['no answer in time', timeout],
  ])('is transient: %s', (_name, error) => {
    expect(isTransient(error)).toBe(true);
  });

  it.each([
    ['a failed condition', new ConditionalCheckFailedException(awsErrorFields)],
    ['a failed condition in a transaction', canceled('ConditionalCheckFailed', 'None')],
    ['a state machine that is not there', new StateMachineDoesNotExist(awsErrorFields)],
    ['a bug', new TypeError('undefined is not a function')],
    ['nothing', undefined],
    ['a text', 'ThrottlingException'],
  ])('is not transient: %s', (_name, error) => {
    expect(isTransient(error)).toBe(false);
  });
});

/** Every exception that the SDK declares, except those that it repeats itself. */
const tableErrors = Object.values(dynamodb).flatMap((kind): DynamoDBServiceException[] => {
  if (typeof kind !== 'function' || !(kind.prototype instanceof DynamoDBServiceException)) return [];
  const error: unknown = Reflect.construct(kind, [awsErrorFields]);
  if (!(error instanceof DynamoDBServiceException)) return [];
  return error.$fault === 'server' || error.$retryable !== undefined ? [] : [error];
});

/** Every reason for a canceled transaction that AWS documents. */
const cancellations = [
  'ConditionalCheckFailed',
  'ItemCollectionSizeLimitExceeded',
  'TransactionConflict',
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
  'ValidationError',
  'DuplicateItem',
  'AccessDenied',
];

const isRepeatedByLedger = async (error: Error): Promise<boolean> => {
  let attempts = 0;
  const fail = async (): Promise<never> => {
    attempts += 1;
    throw error;
  };
  await underContention({ random: () => 0, wait: async () => undefined }, fail).catch(() => undefined);
  return attempts > 1;
};

describe('what the ledger repeats under contention, and what the API calls temporary,', () => {
  it.each(tableErrors.map((error) => [error.name, error] as const))('is the same for %s', async (_name, error) => {
    expect(isTransient(error)).toBe(await isRepeatedByLedger(error));
  });

  it.each(cancellations)('is the same for a transaction canceled for %s', async (code) => {
    const error = canceled('None', code);
    expect(isTransient(error)).toBe(await isRepeatedByLedger(error));
  });

  it('includes some', () => {
    expect(tableErrors.filter(isTransient).map(({ name }) => name)).toContain('ThrottlingException');
    expect(cancellations.filter((code) => isTransient(canceled(code)))).toHaveLength(3);
  });
});
