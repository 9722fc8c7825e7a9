import { createHash, randomUUID } from 'node:crypto';
import type { Rail } from '../../domain/payout/payout.ts';
import type { CheckedProvider, ProviderCheck } from '../../ports/ledger/provider-check.ts';
import { documentedTraits } from '../settings.ts';
import type { TransportDependencies } from '../transport/transport.ts';
import { createTransport } from '../transport/transport.ts';
import { checkLookUp } from './check-absence.ts';
import { checkListOf } from './check-lists.ts';
import { checkClock, createReader } from './check-provider.ts';
import { documentedProvider } from './document-words.ts';
import type { Finding } from './finding.ts';
import type { ProviderToCheck } from './provider-to-check.ts';

export interface PreflightDependencies extends TransportDependencies {
  /** A reference that nobody has used, nor ever will; another one at each call. */
  readonly unusedReference?: () => string;
}

const sentence = ({ what, found, follows = '' }: Finding): string => `${what}: ${found}. ${follows}`.trim();

/** Two clocks that differ make the provider refuse what is signed, and that looks like a wrong secret. */
const judge = (findings: readonly Finding[], clock?: Finding): CheckedProvider => {
  const wrong = findings.filter(({ verdict }) => verdict === 'wrong');
  const lasting = wrong.filter(({ isPassing }) => isPassing !== true);
  if (lasting.length > 0) {
    const related = clock?.follows === undefined ? lasting : [...lasting, clock];
    return { kind: 'unfit', problem: related.map(sentence).join(' ') };
  }
  return { kind: wrong.length > 0 ? 'unanswered' : 'fits' };
};

/**
 * What of the check is asked again before batches are paid, of any adapter of the port: two requests for a rail. A page of the list
 * tells address, secret, signature and page size, a look-up whether a lost call can be resolved. What the steps ask for themselves
 * (payment methods, estimates, balances) is not asked here, nor is anything that a provider has to refuse.
 */
const look = async (open: () => ProviderToCheck, rail: Rail, unusedReference: string): Promise<readonly Finding[]> => {
  // Each of the two hears its own answers.
  const [{ finding }, lookUp] = await Promise.all([
    checkListOf(open(), rail),
    checkLookUp(open(), rail, unusedReference),
  ]);
  return [finding, lookUp];
};

const unusedNow = (): string => `check-${randomUUID()}`;

/** The look at a provider by whatever adapter it has: one for each question that is asked at once. */
export const createPortCheck = (
  open: () => ProviderToCheck,
  {
    settingsHash,
    unusedReference = unusedNow,
  }: Pick<ProviderCheck, 'settingsHash'> & Pick<PreflightDependencies, 'unusedReference'>,
): ProviderCheck => ({
  settingsHash,
  run: async (rail) => judge(await look(open, rail, unusedReference())),
});

/** The look at the provider of the document: with the credential that only reads. */
export const createProviderCheck = ({
  unusedReference = unusedNow,
  ...dependencies
}: PreflightDependencies): ProviderCheck => {
  const { baseUrl, signing, clock, traits = documentedTraits() } = dependencies;
  const settings = JSON.stringify([baseUrl, signing, traits]);
  return {
    settingsHash: createHash('sha256').update(settings).digest('hex'),
    run: async (rail) => {
      const { http, skews } = createReader(clock, dependencies.http);
      const transport = createTransport({ ...dependencies, http });
      return judge(await look(() => documentedProvider(transport, traits), rail, unusedReference()), checkClock(skews));
    },
  };
};
