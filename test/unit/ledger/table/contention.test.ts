import {
  ConditionalCheckFailedException,
  ThrottlingException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, underContention } from '../../../../functions/ledger/table/contention.ts';
import { awsErrorFields, canceled } from '../../../support/aws-errors.ts';

/** Makes a request fail with each error in turn, then succeed. Returns the number of attempts and the waiting time. */
const failing = async (errors: readonly Error[]) => {
  const waits: number[] = [];
  let made = 0;
  const answer = await underContention(
    {
      random: () => 0.5,
      wait: async (ms) => {
        waits.push(ms);
      },
    },
    async () => {
      made += 1;
      const error = errors[made - 1];
      if (error !== undefined) throw error;
      return 'answer';
    },
  ).catch((error: unknown) => error);
  return { answer, made, waits };
};

describe('under contention', () => {
  it.each([
    { name: 'a conflict in a transaction', error: canceled('None', 'TransactionConflict') },
    { name: 'a conflict beside a failed condition', error: canceled('ConditionalCheckFailed', 'TransactionConflict') },
    { name: 'a throttled transaction', error: canceled('ThrottlingError') },
    { name: 'too much for the partition', error: canceled('ProvisionedThroughputExceeded') },
    { name: 'a write beside a transaction', error: new TransactionConflictException(awsErrorFields) },
    { name: 'throttling', error: new ThrottlingException(awsErrorFields) },
  ])('repeats the request after $name', async ({ error }) => {
    expect(await failing([error, error])).toEqual({ answer: 'answer', made: 3, waits: [12, 25] });
  });

  it.each([
    { name: 'a failed condition in a transaction', error: canceled('None', 'ConditionalCheckFailed') },
    { name: 'a failed condition', error: new ConditionalCheckFailedException(awsErrorFields) },
    { name: 'anything else', error: new Error('socket hang up') },
  ])('does not repeat it after $name', async ({ error }) => {
    expect(await failing([error])).toEqual({ answer: error, made: 1, waits: [] });
  });

  it('gives up after ten attempts', async () => {
    const error = canceled('TransactionConflict');
    const result = await failing(Array(20).fill(error));
    expect(result).toMatchObject({ answer: error, made: 10 });
    expect(result.waits).toEqual([12, 25, 50, 100, 200, 400, 500, 500, 500]);
  });

  it('waits no longer than its limit', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        fc.integer({ min: 1, max: 30 }),
        (share, repetition) => {
          const ms = backoffMs(() => share, repetition);
          expect(ms).toBeGreaterThanOrEqual(0);
          expect(ms).toBeLessThan(Math.min(25 * 2 ** (repetition - 1), 1000));
        },
      ),
    );
  });
});
