import type { PairLock } from '../ports/funds-ledger.ts';
import type { Conversion } from './batch.ts';
import { compareAmounts, subtractAmounts } from './money.ts';
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

/**
 * What the balances say about a conversion whose answer was lost. `happened` only when both moved by exactly what was
 * quoted, `unchanged` only when neither moved. Anything else is `unclear`: other money moved in between, or the rate did.
 */
export const inferConversion = (
  { planned, inputBalanceBefore, outputBalanceBefore, ...quoted }: Conversion,
  balances: ReadonlyMap<string, string>,
): 'happened' | 'unchanged' | 'unclear' => {
  const { inputAmount = planned.inputAmount, outputAmount = planned.outputAmount } = quoted;
  const left = subtractAmounts(inputBalanceBefore, balances.get(planned.inputCurrency) ?? '0');
  const arrived = subtractAmounts(balances.get(planned.outputCurrency) ?? '0', outputBalanceBefore);
  if (compareAmounts(left, inputAmount) === 0 && compareAmounts(arrived, outputAmount) === 0) return 'happened';
  return compareAmounts(left, '0') === 0 && compareAmounts(arrived, '0') === 0 ? 'unchanged' : 'unclear';
};
