import type { Rail } from '../domain/payout/payout.ts';

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
