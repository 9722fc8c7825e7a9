import type { FundsLedger, PairLock } from '../ports/funds-ledger.ts';
import type { Batch, Conversion } from './batch.ts';
import type { OrchestratorSettings } from './settings.ts';

/** Who holds the treasury lock: one conversion of one batch. */
export const lockHolder = (batchId: string, n: number): string => `${batchId}#${n}`;

/** The conversion that a lock is held for. Undefined for a holder that no conversion could be. */
export const holderOf = ({ holder }: Pick<PairLock, 'holder'>): { batchId: string; n: number } | undefined => {
  const [, batchId, n] = /^(.+)#(\d+)$/.exec(holder) ?? [];
  return batchId === undefined || n === undefined ? undefined : { batchId, n: Number(n) };
};

/** A conversion whose POST may have been made and whose outcome nobody wrote down. */
export const isInDoubt = ({ status }: Pick<Conversion, 'status'>): boolean =>
  status === 'claimed' || status === 'unknown';

/**
 * `held`: its holder may be at work. `in_doubt`: its conversion's outcome is not known; a person must settle it. `idle`: nothing
 * was posted under it, or what was has ended: its holder is gone, and it may be taken from it.
 */
export type LockState = 'held' | 'in_doubt' | 'idle';

/**
 * What a lock is held for. A holder is gone when its conversion has ended, or was never claimed although nobody who took
 * the lock then can be alive any more: a claim comes within one function's life after the lock. In doubt counts from that
 * age too: before it the holder may still be waiting for the answer.
 */
export const judgeLock = (
  { lockedAt }: Pick<PairLock, 'lockedAt'>,
  conversion: Pick<Conversion, 'status' | 'claimedAt'> | undefined,
  nowMs: number,
  { resolveAfterSeconds }: Pick<OrchestratorSettings, 'resolveAfterSeconds'>,
): LockState => {
  const isOld = (at: string): boolean => nowMs - Date.parse(at) >= resolveAfterSeconds * 1000;
  if (conversion === undefined) return isOld(lockedAt) ? 'idle' : 'held';
  if (!isInDoubt(conversion)) return 'idle';
  return conversion.status === 'unknown' || isOld(conversion.claimedAt) ? 'in_doubt' : 'held';
};

/** A lock, and what it is held for. */
export interface JudgedLock extends PairLock {
  readonly state: LockState;
  readonly batchId?: string;
  readonly n?: number;
}

/** Reads what every lock is held for. */
export const judgeLocks = async (
  ledger: Pick<FundsLedger, 'listPairLocks' | 'listConversions'>,
  nowMs: number,
  settings: Pick<OrchestratorSettings, 'resolveAfterSeconds'>,
): Promise<readonly JudgedLock[]> =>
  Promise.all(
    (await ledger.listPairLocks()).map(async (lock) => {
      const holder = holderOf(lock);
      if (holder === undefined) return { ...lock, state: 'in_doubt' };
      const conversions = await ledger.listConversions(holder.batchId);
      const conversion = conversions.find(({ n }) => n === holder.n);
      return { ...lock, ...holder, state: judgeLock(lock, conversion, nowMs, settings) };
    }),
  );

/** Releases what a batch that ends may hold without having claimed anything under it. A conversion in doubt keeps its lock. */
export const releaseUnclaimedLocks = async (
  ledger: Pick<FundsLedger, 'listConversions' | 'unlockPair'>,
  { batchId, funding }: Pick<Batch, 'batchId' | 'funding'>,
): Promise<void> => {
  const planned = funding?.conversions ?? [];
  if (planned.length === 0) return;
  const conversions = await ledger.listConversions(batchId);
  for (const { inputCurrency, outputCurrency } of planned)
    await ledger.unlockPair(inputCurrency, outputCurrency, lockHolder(batchId, conversions.length + 1));
};
