import {
  ConditionalCheckFailedException,
  InternalServerError,
  ThrottlingException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { ExecutionLimitExceeded, SFNServiceException, StateMachineDoesNotExist } from '@aws-sdk/client-sfn';
import { describe, expect, it } from 'vitest';
import { isTransient } from '../../../../functions/api/http/transient-errors.ts';
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
  ])('is %s', (_name, error) => {
    expect(isTransient(error)).toBe(true);
  });

  it.each([
    ['a failed condition', new ConditionalCheckFailedException(awsErrorFields)],
    ['a failed condition in a transaction', canceled('ConditionalCheckFailed', 'None')],
    ['a state machine that is not there', new StateMachineDoesNotExist(awsErrorFields)],
    ['a bug', new TypeError('undefined is not a function')],
    ['nothing', undefined],
    ['a text', 'ThrottlingException'],
  ])('is not %s', (_name, error) => {
    expect(isTransient(error)).toBe(false);
  });
});
