import type { Rail } from '../../../functions/domain/payout/payout.ts';
import type { Chance } from '../../support/chance.ts';
import { day, hour, minute } from '../../support/durations.ts';

/** A word of the provider's, and how long after the payment's creation it appears. */
export interface Turn {
  readonly inMs: number;
  readonly word: string;
}

/** Settlement times of the provider in milliseconds. Log-normal. */
export interface Settlement {
  readonly medianMs: number;
  /** The 99th percentile. */
  readonly slowMs: number;
  /** The maximum, except for held payments. Longer draws are repeated, six in ten thousand. */
  readonly longestMs: number;
  /** How long one payment in a thousand is held. */
  readonly heldMs: number;
}

export const usualSettlement: Settlement = {
  medianMs: 10 * minute,
  slowMs: 6 * hour,
  longestMs: day,
  heldMs: 3 * day,
};

/** The 99th percentile of the standard normal distribution. */
const deviate99 = 2.3263;
const heldPart = 0.001;
const failedPart = 0.03;

/** A standard normal deviate, by Box and Muller. */
const normal = (chance: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next());

/** Milliseconds until a payment that is not held ends. */
export const drawSettlementMs = (chance: Chance, { medianMs, slowMs, longestMs } = usualSettlement): number => {
  const sigma = Math.log(slowMs / medianMs) / deviate99;
  for (;;) {
    const ms = medianMs * Math.exp(sigma * normal(chance));
    if (ms < longestMs) return ms;
  }
};

/** A payment's words, and whether it is held. */
export const drawLife = (
  chance: Chance,
  rail: Rail,
  settlement: Settlement,
): { readonly isHeld: boolean; readonly turns: readonly Turn[] } => {
  const word = chance.happens(failedPart) ? 'failed' : 'completed';
  if (!chance.happens(heldPart))
    return { isHeld: false, turns: [{ inMs: drawSettlementMs(chance, settlement), word }] };
  const end = { inMs: settlement.heldMs, word: 'completed' };
  // A bank transfer stays pending. A wallet transfer shows that it is held.
  return { isHeld: true, turns: rail === 'fiat' ? [end] : [{ inMs: minute, word: 'need_check' }, end] };
};
