import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';

/** The service's one table and how it is talked to. */
export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
}

/** One write of a transaction. */
export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Waits before another try; passed in so that tests need not wait. */
export type Pause = (milliseconds: number) => Promise<void>;

/** Concurrent transactions on the same items: real, expected, and over in milliseconds. */
const conflictCodes: ReadonlySet<string> = new Set(['TransactionConflict', 'ThrottlingError']);

export interface Cancellation {
  /** By the order of the transaction's items: what was wrong with each. */
  readonly reasons: readonly {
    readonly code: string;
    /** The item as it stood, when it was asked for; marshalled. */
    readonly item?: Readonly<Record<string, unknown>> | undefined;
  }[];
}

/** Why a transaction did not happen; undefined when the error means something else. */
export const cancellationOf = (error: unknown): Cancellation | undefined => {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  return {
    reasons: (error.CancellationReasons ?? []).map(({ Code, Item }) => ({ code: Code ?? 'None', item: Item })),
  };
};

export const failedCondition = (cancellation: Cancellation, index: number): boolean =>
  cancellation.reasons[index]?.code === 'ConditionalCheckFailed';

export const isConflict = (cancellation: Cancellation): boolean =>
  cancellation.reasons.some(({ code }) => conflictCodes.has(code));

/**
 * Milliseconds to wait before trying again, after another's transaction came first: a random moment, which grows fast. A few
 * at once are through in well under a second; two hundred need to wait about a second each, or they keep each other from
 * ever being through.
 */
export const conflictPause = (attempt: number, random: () => number): number =>
  5 + random() * Math.min(2000, 10 * 4 ** Math.min(attempt, 4));

/** Waits of 12 seconds in all on average, and never of more than 24: inside the 29 that API Gateway waits. */
export const conflictAttempts = 16;
