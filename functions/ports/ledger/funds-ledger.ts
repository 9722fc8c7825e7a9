import type { Audit, Conversion, PlannedConversion } from '../../domain/batch/batch.ts';
import type { Money } from '../../domain/money/money.ts';
import type { MoneyByCurrency } from '../../domain/money/money-by-currency.ts';

/** Money in one currency that a batch has reserved. */
export interface Reservation {
  readonly batchId: string;
  readonly amount: Money;
}

/** Money in one currency that running batches have reserved. */
export interface FundsRecord {
  readonly currency: string;
  /** 0 before the first reservation. */
  readonly version: number;
  readonly reservations: readonly Reservation[];
}

export type ClaimConversion =
  | { readonly kind: 'claimed' }
  /** This conversion was claimed before. Investigate it, and never POST it again. */
  | { readonly kind: 'taken'; readonly conversion: Conversion }
  | { readonly kind: 'stopped' };

/** Source and target of a conversion. */
export interface CurrencyPair {
  readonly inputCurrency: string;
  readonly outputCurrency: string;
}

/** A conversion that a pair is locked for, made or still to be made. */
export type LockingConversion = Pick<Conversion, 'batchId' | 'n'> & {
  readonly planned: Pick<PlannedConversion, 'input' | 'output'>;
};

/** A held treasury lock. */
export interface PairLock extends CurrencyPair {
  /** Names a conversion: see domain/money/conversion.ts. */
  readonly holder: string;
  /** When the holder last took the lock, ISO 8601 UTC. */
  readonly lockedAt: string;
}

export interface FundsLedger {
  /** Lists every currency that was ever reserved, in order. Strongly consistent. */
  listFundedCurrencies(): Promise<readonly string[]>;
  /** Strongly consistent. */
  readFunds(currencies: readonly string[]): Promise<readonly FundsRecord[]>;
  /**
   * Replaces the batch's reservation in each currency, in one transaction. An absent or zero amount removes it. Conditional on
   * the versions in `read`.
   *
   * To reserve money, the batch must still be funding itself (`validating` or `awaiting_funds`, no cancellation requested). To
   * give money back, this is required only with `whileFunded`. With `since`, the batch must have had its status since then. False
   * when another batch changed a version, or this one moved on: read again.
   */
  reserve(
    batchId: string,
    read: readonly FundsRecord[],
    amounts: MoneyByCurrency,
    options?: { readonly whileFunded?: boolean; readonly since?: string },
  ): Promise<boolean>;
  /** Locks the pair for the conversion. True when it is locked for it now, even if it was before. */
  lockPair(conversion: LockingConversion): Promise<boolean>;
  /**
   * Unlocks a pair locked for the conversion, in one transaction, unless the conversion is in doubt. Two runs of a batch may
   * share the lock, and the run that gives up must not unlock the pair under the other's claim.
   */
  unlockPair(conversion: LockingConversion): Promise<void>;
  /** Lists every held lock. Strongly consistent. */
  listPairLocks(): Promise<readonly PairLock[]>;
  /** Takes a lock from a holder that is gone, conditional on the lock as read. False when it has changed. */
  breakPairLock(lock: PairLock): Promise<boolean>;
  /**
   * Claims a conversion in one transaction, on these conditions:
   *
   * - CONVERSION#n does not exist;
   * - the batch is released, and being funded: `validating` or `awaiting_funds`, no cancellation requested;
   * - the pair is locked for this conversion;
   * - the batch has reserved this much of the currency that it converts;
   * - nobody has changed the target currency's reservations since they were read.
   *
   * Changes the version of those reservations, because this conversion is now expected to bring that currency.
   */
  claimConversion(conversion: Conversion, output: FundsRecord, reserved: Money): Promise<ClaimConversion>;
  /**
   * Records a conversion's outcome in one transaction, with `audit`. Conditional on the claim id and on a status in `from`. An
   * ended conversion unlocks its pair. If it was made and the batch is still being funded, the reservation shrinks by what it
   * took and grows by what it brought. False when the claim id or the status was another one. True also when the same outcome is
   * recorded already.
   *
   * @throws InvariantBroken when there is no such conversion; Error when other writers came between in 20 attempts
   */
  recordConversion(conversion: Conversion, from: readonly Conversion['status'][], audit?: Audit): Promise<boolean>;
  /** In order of n. */
  listConversions(batchId: string): Promise<readonly Conversion[]>;
}
