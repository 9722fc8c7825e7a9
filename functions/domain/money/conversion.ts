import type { CurrencyPair, PairLock } from '../../ports/ledger/funds-ledger.ts';
import type { Conversion, PlannedConversion } from '../batch/batch.ts';
import { conversionStatuses } from '../batch/batch.ts';
import type { OrchestratorSettings } from '../settings.ts';
import type { MoneyByCurrency } from './money.ts';
import { Money, moneyIn } from './money.ts';

/** Who holds the treasury lock: one conversion of one batch. */
export const lockHolder = (batchId: string, n: number): string => `${batchId}#${n}`;

/** The conversion that a lock is held for. Undefined for a holder that no conversion could be. */
export const holderOf = ({ holder }: Pick<PairLock, 'holder'>): { batchId: string; n: number } | undefined => {
  const [, batchId, n] = /^(.+)#(\d+)$/.exec(holder) ?? [];
  return batchId === undefined || n === undefined ? undefined : { batchId, n: Number(n) };
};

const inDoubt: readonly Conversion['status'][] = ['claimed', 'unknown'];
export const endedConversionStatuses = conversionStatuses.filter((status) => !inDoubt.includes(status));

/** A conversion whose POST may have been made and whose outcome nobody wrote down. */
export const isInDoubt = ({ status }: Pick<Conversion, 'status'>): boolean => inDoubt.includes(status);

/** A conversion that took and brought money. */
export const isMade = ({ status }: Pick<Conversion, 'status'>): boolean =>
  status === 'completed' || status === 'inferred';

/** What a conversion took and brought; as it was planned, until something else is known. */
export const amountsOf = ({
  planned,
  input = planned.input,
  output = planned.output,
}: Pick<Conversion, 'planned' | 'input' | 'output'>): Pick<PlannedConversion, 'input' | 'output'> => ({
  input,
  output,
});

/**
 * `held`: its holder may be at work. `in_doubt`: its conversion's outcome is not known; a person must settle it. `idle`: nothing
 * was posted under it, or what was has ended: its holder is gone, and it may be taken from it.
 */
export type LockState = 'held' | 'in_doubt' | 'idle';

export const pairOf = ({ input, output }: Pick<PlannedConversion, 'input' | 'output'>): CurrencyPair => ({
  inputCurrency: input.currency,
  outputCurrency: output.currency,
});

/** Whether both convert the same currency into the same other one. */
export const isSamePair = (one: CurrencyPair, other: CurrencyPair): boolean =>
  one.inputCurrency === other.inputCurrency && one.outputCurrency === other.outputCurrency;

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
 * Whether the balances prove that a conversion without an answer happened: both moved by what was quoted, to within one
 * unit of the last digit that the provider tells them in. A quote too small to be seen so proves nothing.
 */
export const hasHappened = (conversion: Conversion, balances: MoneyByCurrency): boolean => {
  const { inputBalanceBefore, outputBalanceBefore } = conversion;
  const { input, output } = amountsOf(conversion);
  const moved = (low: Money, high: Money, quoted: Money): boolean => {
    const digits = Math.max(low.decimals(), high.decimals());
    const isSeen = !quoted.isWithinAUnitOf(Money.zero(quoted.currency), digits);
    return isSeen && high.minus(low).isWithinAUnitOf(quoted, digits);
  };
  return (
    moved(moneyIn(balances, input.currency), inputBalanceBefore, input) &&
    moved(outputBalanceBefore, moneyIn(balances, output.currency), output)
  );
};
