import type { Rail } from '../../domain/payout/payout.ts';

/** The result of checking a provider before money is sent through it. */
export type CheckedProvider =
  | { readonly kind: 'fits' }
  /** It did not answer. This proves nothing about the settings. */
  | { readonly kind: 'unanswered' }
  /** A setting does not fit it. `problem`: what was found and what a person must do, safe for ledger and logs. */
  | { readonly kind: 'unfit'; readonly problem: string };

/** Checks the provider with a few reads before a batch is paid. */
export interface ProviderCheck {
  /** Hash of the settings used in the check. A result for other settings does not count. */
  readonly settingsHash: string;
  /** Checks what batches of a rail rely on. Never throws for a failure of the provider, the network or the credentials' store. */
  run(rail: Rail): Promise<CheckedProvider>;
}

/** Identifies a check: rail and settings. */
export interface CheckedRail {
  readonly rail: Rail;
  readonly settingsHash: string;
}

/** When a provider was last found to fit, shared by all batches. */
export interface ProviderCheckLedger {
  /** ISO 8601 UTC. Undefined when that was days ago, or never. Strongly consistent. */
  readProviderFit(of: CheckedRail): Promise<string | undefined>;
  /** Records the time, unless a later one is recorded. Repeated or late calls change nothing. */
  recordProviderFit(of: CheckedRail, at: string): Promise<void>;
}
