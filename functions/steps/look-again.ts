import type { LookUpProvider } from '../domain/look-up-payout.ts';
import { lookUpPayout } from '../domain/look-up-payout.ts';
import type { ObservePayoutDependencies } from '../domain/observe-payout.ts';
import { observePayout } from '../domain/observe-payout.ts';
import type { Payout } from '../domain/payout.ts';

export interface LookAgainDependencies extends ObservePayoutDependencies {
  readonly provider: LookUpProvider;
}

/**
 * Takes over what the provider now says of a payout, if it is one thing; else the payout stays as it is.
 *
 * @throws ProviderUnavailable, ProviderRefused
 */
export const lookAgain = async ({ ledger, provider, log }: LookAgainDependencies, payout: Payout): Promise<void> => {
  const lookup = await lookUpPayout(provider, payout);
  if (lookup.kind === 'found') await observePayout({ ledger, log }, payout, lookup.disbursement);
};
