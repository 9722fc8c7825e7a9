import { createHash, randomUUID } from 'node:crypto';
import type { CheckedProvider, ProviderCheck } from '../../ports/provider-check.ts';
import { createPaymentServiceClient } from '../client/payment-service-client.ts';
import { documentedTraits } from '../settings.ts';
import type { TransportDependencies } from '../transport.ts';
import { createTransport } from '../transport.ts';
import { checkLookUpOf } from './check-absence.ts';
import { checkListOf } from './check-lists.ts';
import { checkClock, createReader } from './check-provider.ts';
import type { Finding } from './finding.ts';

export interface PreflightDependencies extends TransportDependencies {
  /** A reference that nobody has used, nor ever will; another one at each call. */
  readonly unusedReference?: () => string;
}

const sentence = ({ what, found, follows = '' }: Finding): string => `${what}: ${found}. ${follows}`.trim();

/** Two clocks that differ make the provider refuse what is signed, and that looks like a wrong secret. */
const judge = (findings: readonly Finding[], clock: Finding): CheckedProvider => {
  const wrong = findings.filter(({ verdict }) => verdict === 'wrong');
  const lasting = wrong.filter(({ isPassing }) => isPassing !== true);
  if (lasting.length > 0) {
    const related = clock.follows === undefined ? lasting : [...lasting, clock];
    return { kind: 'unfit', told: related.map(sentence).join(' ') };
  }
  return { kind: wrong.length > 0 ? 'unanswered' : 'fits' };
};

/**
 * What of `npm run check-provider` is asked again before batches are paid: with the credential that only reads, two requests for
 * a rail. A page of the list tells address, secret, signature and page size, a look-up whether a lost call can be resolved. What the
 * steps ask for themselves (payment methods, estimates, balances) is not asked here, nor is anything that a provider has to refuse.
 */
export const createProviderCheck = ({
  unusedReference = () => `check-${randomUUID()}`,
  ...dependencies
}: PreflightDependencies): ProviderCheck => {
  const { baseUrl, signing, clock, traits = documentedTraits() } = dependencies;
  const settings = JSON.stringify([baseUrl, signing, traits]);
  return {
    settingsHash: createHash('sha256').update(settings).digest('hex'),
    run: async (rail) => {
      const { http, skews } = createReader(clock, dependencies.http);
      const client = createPaymentServiceClient(createTransport({ ...dependencies, http }));
      const [{ finding }, lookUp] = await Promise.all([
        checkListOf(client, rail, traits.pageLimit),
        checkLookUpOf(client, rail, unusedReference(), traits.words.absent),
      ]);
      return judge([finding, lookUp], checkClock(skews));
    },
  };
};
