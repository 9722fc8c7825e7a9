import type { CurrencyPair, PairLock } from '../../ports/ledger/funds-ledger.ts';
import type { Conversion, FundingPlan, PlannedConversion } from '../batch/batch.ts';
import { conversionOutcomes, conversionStatuses } from '../batch/batch.ts';
import type { OrchestratorSettings } from '../settings.ts';
import { Money } from './money.ts';
import type { MoneyByCurrency } from './money-by-currency.ts';
import { moneyIn } from './money-by-currency.ts';

/** Name of the treasury lock's holder: one conversion of one batch. */
export const lockHolder = (batchId: string, n: number): string => `${batchId}#${n}`;

/** Parses the conversion that holds a lock. Undefined when the holder names no conversion. */
export const holderOf = ({ holder }: Pick<PairLock, 'holder'>): { batchId: string; n: number } | undefined => {
  const [, batchId, n] = /^(.+)#(\d+)$/.exec(holder) ?? [];
  return batchId === undefined || n === undefined ? undefined : { batchId, n: Number(n) };
};

/** True when the POST may have been made and its outcome is not recorded. */
export const isInDoubt = ({ status }: Pick<Conversion, 'status'>): boolean => conversionOutcomes[status] === 'in_doubt';

/** True when the conversion took and brought money. */
export const isMade = ({ status }: Pick<Conversion, 'status'>): boolean => conversionOutcomes[status] === 'made';

export const endedConversionStatuses = conversionStatuses.filter((status) => !isInDoubt({ status }));

/** True when a conversion was claimed since the plan was made, or the plan is too old to tell. It allows no other one. */
export const isPlanUsed = (
  { conversionsBefore }: Pick<FundingPlan, 'conversionsBefore'>,
  conversionsSoFar: readonly Conversion[],
): boolean => conversionsBefore !== conversionsSoFar.length;

/** Returns the amounts that a conversion took and brought. Until those are known, the planned amounts. */
export const amountsOf = ({ planned, input, output }: Pick<Conversion, 'planned' | 'input' | 'output'>) => ({
  input: input ?? planned.input,
  output: output ?? planned.output,
});

/**
 * `held`: its holder may be running. `in_doubt`: the conversion's outcome is unknown, and a person must settle it. `idle`:
 * nothing was posted under it, or the conversion has ended. The holder is gone, and the lock may be broken.
 */
export type LockState = 'held' | 'in_doubt' | 'idle';

export const pairOf = ({ input, output }: Pick<PlannedConversion, 'input' | 'output'>): CurrencyPair => ({
  inputCurrency: input.currency,
  outputCurrency: output.currency,
});

/** True when both convert the same currency into the same other currency. */
export const isSamePair = (one: CurrencyPair, other: CurrencyPair): boolean =>
  one.inputCurrency === other.inputCurrency && one.outputCurrency === other.outputCurrency;

/**
 * Decides the state of a treasury lock. The holder is gone when its conversion has ended. It is also gone when the lock is old
 * and the conversion was never claimed: a claim follows its lock within one function's lifetime. A conversion with an unknown
 * outcome is in doubt. A claimed one is in doubt from the same age on: before it, the holder may still be waiting for the
 * response.
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
 * True when the balances prove that a conversion without an answer happened. Both must have moved by the quoted amounts, to
 * within one unit of the last digit that the provider shows. A quote too small to be visible proves nothing.
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
