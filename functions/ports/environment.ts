/** Wall clock in milliseconds since 1970. Passed in, so that tests and the simulation decide what time it is. */
export type Clock = () => number;

/** Unique ids, sortable by time where `sortable` is asked for. */
export interface Ids {
  /** 26 characters, Crockford base 32, sortable by time. */
  readonly sortable: () => string;
  readonly unique: () => string;
}

/** A number in [0, 1): for jitter. */
export type Random = () => number;

/** ISO 8601 UTC of a clock. */
export const isoNow = (clock: Clock): string => new Date(clock()).toISOString();

/**
 * Writes one line of the log: a stable code, ids and counts. Never an account number, a name, an address or a secret;
 * the types leave no place for an object of somebody else.
 */
export interface Log {
  info(code: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
  warn(code: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
  /** Counts one on a CloudWatch metric that an alarm watches. */
  alarm(
    metric:
      | 'PayoutChangedAfterEnd'
      | 'PayoutQuarantined'
      | 'BatchHalted'
      | 'BatchStuck'
      | 'BatchWaits'
      | 'BatchFailed'
      | 'PayoutsHeld'
      | 'FeesBeyondEstimate'
      | 'BatchAwaitsApproval'
      | 'PayoutsNotSubmitted'
      | 'BatchNotFollowed'
      | 'BatchNotReconciled'
      | 'ProofNotArchived'
      | 'ConversionUnknown'
      | 'TreasuryLockStuck',
    fields?: Readonly<Record<string, string | number | boolean>>,
  ): void;
}

/** Counts one on a CloudWatch metric that the dashboard shows and no alarm watches. */
export type Count = (metric: 'ProviderThrottled') => void;
