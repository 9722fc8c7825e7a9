import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';

/** The answer when the provider refuses what it is asked. A repetition fails until a person has acted, so it has no `Retry-After`. */
export const providerRefused = problem('provider_refused', {
  detail:
    'The provider refused the credentials (401 or 403), or the request. Correct the signing secret, then settle it again.',
});

/**
 * The answer when a setting is the likely cause. An outage can look the same, so it says when to ask again.
 *
 * @param code code of the failed request, such as `credentials_unavailable`
 */
export const providerMisconfigured = (code: string): Problem =>
  problem('provider_refused', {
    detail: `The provider cannot be asked (${code}). Probably the signing secret or the provider's address is wrong. Correct it, then settle it again. If both are right, ask again later.`,
  });
