import { problem } from '../http/problem.ts';

/** The answer when the provider refuses what it is asked. A repetition fails until a person has acted, so it has no `Retry-After`. */
export const providerRefused = problem('provider_refused', {
  detail:
    'The provider refused the credentials (401 or 403), or the request. Correct the signing secret, then settle it again.',
});
