import {
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { transientReasons } from '../../domain/errors.ts';
import type { Random } from '../../ports/environment.ts';
import type { LedgerDependencies } from './store.ts';

/**
 * True when nothing was written and the same request may succeed a moment later. This includes a transaction in which one item
 * conflicts and another fails its condition: the retry decides.
 */
const isTransient = (error: unknown): boolean =>
  (error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => transientReasons.includes(Code))) ||
  error instanceof TransactionConflictException ||
  error instanceof TransactionInProgressException ||
  error instanceof ThrottlingException ||
  error instanceof ProvisionedThroughputExceededException ||
  error instanceof RequestLimitExceeded;

/**
 * Attempts and waits under contention. Every claim checks the batch's item, so concurrent claims of a batch conflict; a
 * transaction takes 10 to 30 ms. The wait before the n-th repetition is random in [0, min(25 ms * 2^(n-1), 1 s)). At most
 * that is 25 + 50 + 100 + 200 + 400 + 800 + 3 * 1000 ms = 4.6 s. The average is 2.3 s. Both fit into every function's timeout
 * besides its own work.
 */
const contention = { attempts: 10, firstWaitMs: 25, longestWaitMs: 1000 } as const;

export type Waiting = Required<Pick<LedgerDependencies, 'random' | 'wait'>>;

/** Milliseconds to wait before a repetition, the first being 1. Rounded down to a whole number. */
export const backoffMs = (random: Random, repetition: number): number =>
  Math.floor(random() * Math.min(contention.firstWaitMs * 2 ** (repetition - 1), contention.longestWaitMs));

/** Makes a request, and repeats it after a jittered wait under contention. Throws the last error when the contention lasts. */
export const underContention = async <Answer>(waiting: Waiting, request: () => Promise<Answer>): Promise<Answer> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request();
    } catch (error) {
      if (attempt >= contention.attempts || !isTransient(error)) throw error;
      await waiting.wait(backoffMs(waiting.random, attempt));
    }
  }
};
