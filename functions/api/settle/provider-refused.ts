import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';

const credentialCodes: readonly string[] = ['status_401', 'status_403'];

/**
 * The answer when the provider refuses what it is asked. A repetition fails until a person has acted, so it has no `Retry-After`.
 *
 * @param code code of the refused request, such as `status_401`
 */
export const providerRefused = (code: string): Problem<'provider_refused'> =>
  problem('provider_refused', {
    detail: credentialCodes.includes(code)
      ? `The provider refused the credentials (${code}). Correct the signing secret, wait five minutes, then settle the payout again.`
      : `The provider refuses the request (${code}). Ask it why, or settle a quarantined payout as paid or written_off.`,
  });

/**
 * The answer when a setting is the likely cause. An outage can look the same, so it says when to ask again.
 *
 * @param code code of the failed request, such as `credentials_unavailable`
 */
export const providerMisconfigured = (code: string): Problem<'provider_refused'> =>
  problem('provider_refused', {
    detail: `The provider cannot be asked (${code}). Probably the signing secret or the provider's address is wrong. Correct what is wrong, wait five minutes, then settle the payout again. If both are right, settle it again later.`,
  });
