/** Wall clock in milliseconds since 1970. Passed in, so that tests and the simulation control the time. */
export type Clock = () => number;

/** Generates unique ids. */
export interface Ids {
  /** 26 characters, Crockford base 32, sortable by time. */
  readonly sortable: () => string;
  readonly unique: () => string;
}

/** A number in [0, 1): for jitter. */
export type Random = () => number;

/** The clock's time as ISO 8601 UTC. */
export const isoNow = (clock: Clock): string => new Date(clock()).toISOString();

/**
 * Writes one log line: a stable code, ids and counts. Never an account number, a name, an address or a secret. The types accept
 * no objects, so a foreign object cannot be logged.
 */
export interface Log {
  info(code: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
  warn(code: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
  /** Adds one to a CloudWatch metric that an alarm watches. */
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

/** Adds one to a CloudWatch metric that the dashboard shows and no alarm watches. */
export type Count = (metric: 'ProviderThrottled') => void;
