import type { Decimal } from '../money/decimal.ts';
import type { FaultCounts, SetFault } from './faults.ts';

/** How a merchant has steered its sandbox. Outside a sandbox nobody has. */
export interface SandboxState {
  /** How often everything was reset. */
  readonly generation: number;
  /** By how many milliseconds the merchant's clock is ahead of the real one; negative when it is behind. */
  readonly clockOffset: number;
  /** Rates of the merchant's own, by `<token>/<fiat>`. */
  readonly rates: Readonly<Record<string, Decimal>>;
  /** What is to go wrong. */
  readonly faults: readonly SetFault[];
  /** How often the faults were set or cleared: a request that was let in before is not struck by what is set since. */
  readonly faultsVersion: number;
  /** How often each kind of fault has struck since the last reset. */
  readonly injected: FaultCounts;
}

export const unsteered: SandboxState = {
  generation: 0,
  clockOffset: 0,
  rates: {},
  faults: [],
  faultsVersion: 0,
  injected: {},
};

/** The merchant's time at a moment of the real clock. */
export const merchantTime = ({ clockOffset }: SandboxState, now: Date): Date => new Date(now.getTime() + clockOffset);
