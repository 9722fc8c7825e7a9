import type { Audit, Conversion, PlannedConversion } from '../../domain/batch/batch.ts';
import type { Money, MoneyByCurrency } from '../../domain/money/money.ts';

/** What a batch has set aside of a currency. */
export interface Reservation {
  readonly batchId: string;
  readonly amount: Money;
}

/** Money of one currency that running batches have set aside. */
export interface FundsRecord {
  readonly currency: string;
  /** 0 before the first reservation. */
  readonly version: number;
  readonly reservations: readonly Reservation[];
}

export type ClaimConversion =
  | { readonly kind: 'claimed' }
  /** This conversion was claimed before: it is looked into, never POSTed again. */
  | { readonly kind: 'taken'; readonly conversion: Conversion }
  | { readonly kind: 'stopped' };

/** What is converted from, and to. */
export interface CurrencyPair {
  readonly inputCurrency: string;
  readonly outputCurrency: string;
}

/** What a pair is locked for: a conversion, made or to be made. */
export type LockingConversion = Pick<Conversion, 'batchId' | 'n'> & {
  readonly planned: Pick<PlannedConversion, 'input' | 'output'>;
};

/** A treasury lock that is held. */
export interface PairLock extends CurrencyPair {
  /** Names a conversion: see domain/conversion.ts. */
  readonly holder: string;
  /** When the holder took it last, ISO 8601 UTC. */
  readonly lockedAt: string;
}

export interface FundsLedger {
  /** Every currency that money was ever set aside in, in order. Strongly consistent. */
  listFundedCurrencies(): Promise<readonly string[]>;
  /** Strongly consistent. */
  readFunds(currencies: readonly string[]): Promise<readonly FundsRecord[]>;
  /**
   * One transaction over all currencies: replaces the batch's reservation in each by the amount given (absent or zero removes
   * it), conditional on the versions in `read`. To set money aside, the batch must still be funding itself (`validating` or
   * `awaiting_funds`, no cancellation requested); to give it back, only with `whileFunded`. With `since`, it has its status since
   * then. False when another batch changed a version, or this one moved on: read again.
   */
  reserve(
    batchId: string,
    read: readonly FundsRecord[],
    amounts: MoneyByCurrency,
    of?: { readonly whileFunded?: boolean; readonly since?: string },
  ): Promise<boolean>;
  /** True when the pair is locked for the conversion now, also when it was before. */
  lockPair(conversion: LockingConversion): Promise<boolean>;
  /**
   * Releases a pair that is locked for the conversion, one transaction: unless that is in doubt. Two runs of a batch hold the
   * lock together, and who gives up must not release what the other claimed under.
   */
  unlockPair(conversion: LockingConversion): Promise<void>;
  /** Every lock that is held. Strongly consistent. */
  listPairLocks(): Promise<readonly PairLock[]>;
  /** Takes a lock from a holder that is gone, conditional on the lock as read. False when it changed since. */
  breakPairLock(lock: PairLock): Promise<boolean>;
  /**
   * One transaction: CONVERSION#n must not exist, the batch must be one that is being funded (`validating` or `awaiting_funds`,
   * no cancellation requested), the pair must be locked for this conversion, and nobody has changed the reservations of what it
   * brings since they were read. Changes their version: from now on this conversion is expected to bring it.
   */
  claimConversion(conversion: Conversion, output: FundsRecord): Promise<ClaimConversion>;
  /**
   * One transaction, conditional on the claim id and on the status being one of `from`; `audit` is written with it. A conversion
   * that ends frees its pair. What it took is no longer set aside by its batch, and what it brought is, as long as the batch is
   * being funded. False when it was in another status.
   */
  recordConversion(conversion: Conversion, from: readonly Conversion['status'][], audit?: Audit): Promise<boolean>;
  /** In order of n. */
  listConversions(batchId: string): Promise<readonly Conversion[]>;
}
