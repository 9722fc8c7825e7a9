import type { Rail } from '../../domain/payout/payout.ts';

/** What was found of a provider before money is sent to it. */
export type CheckedProvider =
  | { readonly kind: 'fits' }
  /** It did not answer, which says nothing of the settings. */
  | { readonly kind: 'unanswered' }
  /** What is set does not fit it. `told`: what was found and what a person does, fit for ledger and log. */
  | { readonly kind: 'unfit'; readonly message: string };

/** A look at the provider by a few reads, before a batch is paid. */
export interface ProviderCheck {
  /** Of the settings that it is looked at by: what was found by others says nothing. */
  readonly settingsHash: string;
  /** Asks what batches of a rail rest on. Never throws for what the provider, the network or the credentials' store does. */
  run(rail: Rail): Promise<CheckedProvider>;
}

/** Which check: of a rail, by settings. */
export interface CheckedRail {
  readonly rail: Rail;
  readonly settingsHash: string;
}

/** When a provider was last found to fit, for all batches together. */
export interface ProviderCheckLedger {
  /** ISO 8601 UTC; undefined when that is days ago, or it never was. Strongly consistent. */
  readProviderFit(of: CheckedRail): Promise<string | undefined>;
  /** Unless a later one stands. Saying it twice, or late, changes nothing. */
  recordProviderFit(of: CheckedRail, at: string): Promise<void>;
}
