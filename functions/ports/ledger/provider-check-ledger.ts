import type { Rail } from '../../domain/payout/payout.ts';

/** Identifies a check: rail and settings. */
export interface CheckedRail {
  readonly rail: Rail;
  readonly settingsHash: string;
}

/** When a provider was last found to fit, shared by all batches. */
export interface ProviderCheckLedger {
  /** ISO 8601 UTC. Undefined when that was days ago, or never. Strongly consistent. */
  readProviderFit(rail: CheckedRail): Promise<string | undefined>;
  /** Records the time, unless a later one is recorded. Repeated or late calls change nothing. */
  recordProviderFit(rail: CheckedRail, at: string): Promise<void>;
}
