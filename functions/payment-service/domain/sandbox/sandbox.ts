import type { Decimal } from '../money/decimal.ts';
import type { FaultCounts, SetFault } from './faults.ts';

/** The settings that a merchant has made in its sandbox. Outside a sandbox there are none. */
export interface SandboxState {
  /** How often the sandbox was reset. */
  readonly generation: number;
  /** Milliseconds by which the merchant's clock is ahead of the real one. Negative when it is behind. */
  readonly clockOffset: number;
  /** The merchant's own rates, by `<token>/<fiat>`. */
  readonly rates: Readonly<Record<string, Decimal>>;
  /** The faults that the merchant has set. */
  readonly faults: readonly SetFault[];
  /** How often the faults were set or cleared. A request is struck only by the faults that were set when it arrived. */
  readonly faultsVersion: number;
  /** How often each fault has struck since the last reset. */
  readonly injected: FaultCounts;
}

export const untouchedSandbox: SandboxState = {
  generation: 0,
  clockOffset: 0,
  rates: {},
  faults: [],
  faultsVersion: 0,
  injected: {},
};

/** The merchant's time at a moment of the real clock. */
export const merchantTime = ({ clockOffset }: SandboxState, now: Date): Date => new Date(now.getTime() + clockOffset);
