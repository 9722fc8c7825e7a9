import type { Decimal } from './money.ts';

/** How a merchant has steered its sandbox. Outside a sandbox nobody has. */
export interface SandboxState {
  /** How often everything was reset. */
  readonly generation: number;
  /** By how many milliseconds the merchant's clock is ahead of the real one; negative when it is behind. */
  readonly clockOffset: number;
  /** Rates of the merchant's own, by `<token>/<fiat>`. */
  readonly rates: Readonly<Record<string, Decimal>>;
}

export const unsteered: SandboxState = { generation: 0, clockOffset: 0, rates: {} };

/** The merchant's time at a moment of the real clock. */
export const merchantTime = ({ clockOffset }: SandboxState, now: Date): Date => new Date(now.getTime() + clockOffset);
