import type { Rail } from '../../../functions/domain/payout/payout.ts';
import type { Chance } from '../../simulation/world/random.ts';

/** A word of the provider's, and how long after the payment's creation it is told. */
export interface Turn {
  readonly inMs: number;
  readonly word: string;
}

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** How long the provider takes, milliseconds. Log-normal. */
export interface Settlement {
  readonly medianMs: number;
  /** What 99 % stay below. */
  readonly slowMs: number;
  /** What takes longer is what is held: the others are drawn anew, six in ten thousand. */
  readonly longestMs: number;
  /** How long one in a thousand is held. */
  readonly heldMs: number;
}

export const usualSettlement: Settlement = {
  medianMs: 10 * minute,
  slowMs: 6 * hour,
  longestMs: day,
  heldMs: 3 * day,
};

/** Standard normal deviate that 99 % stay below. */
const deviate99 = 2.3263;
const heldPart = 0.001;
const failedPart = 0.03;

/** Standard normal, by Box and Muller. */
const normal = (chance: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next());

/** Milliseconds until a payment that nobody holds ends. */
export const drawSettlementMs = (chance: Chance, { medianMs, slowMs, longestMs } = usualSettlement): number => {
  const sigma = Math.log(slowMs / medianMs) / deviate99;
  for (;;) {
    const ms = medianMs * Math.exp(sigma * normal(chance));
    if (ms < longestMs) return ms;
  }
};

/** What becomes of a payment, and whether it is held on the way. */
export const drawLife = (
  chance: Chance,
  rail: Rail,
  settlement: Settlement,
): { readonly isHeld: boolean; readonly turns: readonly Turn[] } => {
  const word = chance.happens(failedPart) ? 'failed' : 'completed';
  if (!chance.happens(heldPart))
    return { isHeld: false, turns: [{ inMs: drawSettlementMs(chance, settlement), word }] };
  const end = { inMs: settlement.heldMs, word: 'completed' };
  // A bank transfer stays pending; of a wallet transfer it is told that it is held.
  return { isHeld: true, turns: rail === 'fiat' ? [end] : [{ inMs: minute, word: 'need_check' }, end] };
};
