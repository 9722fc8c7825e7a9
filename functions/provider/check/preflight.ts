import { hash, randomUUID } from 'node:crypto';
import type { Rail } from '../../domain/payout/payout.ts';
import type { CheckedProvider, ProviderCheck } from '../../ports/provider-check.ts';
import type { TransportDependencies } from '../transport/transport.ts';
import { createTransport } from '../transport/transport.ts';
import { checkLookUp } from './check-absence.ts';
import { checkListOf } from './check-lists.ts';
import { checkClock, createReader } from './check-provider.ts';
import { documentedProvider } from './documented-provider.ts';
import type { Finding } from './finding.ts';
import type { ProviderToCheck } from './provider-to-check.ts';

export interface PreflightDependencies extends TransportDependencies {
  /** Makes a reference that nobody has used or will ever use, a new one at each call. */
  readonly unusedReference?: () => string;
}

const sentence = ({ what, found, follows = '' }: Finding): string => `${what}: ${found}. ${follows}`.trim();

/**
 * Decides from the findings. It adds the clock's finding to failures: when clocks differ, the provider refuses signatures, which
 * looks like a wrong secret.
 */
const judge = (findings: readonly Finding[], clock?: Finding): CheckedProvider => {
  const wrong = findings.filter(({ verdict }) => verdict === 'wrong');
  const lasting = wrong.filter(({ isTransient }) => isTransient !== true);
  if (lasting.length > 0) {
    const related = clock?.follows === undefined ? lasting : [...lasting, clock];
    return { kind: 'unfit', problem: related.map(sentence).join(' ') };
  }
  return { kind: wrong.length > 0 ? 'unanswered' : 'fits' };
};

/**
 * The part of the check that runs again before batches are paid, for any adapter. Two requests per rail, and a few more when the
 * list is refused. A page of the list checks address, secret, signature and page size. A lookup checks whether a lost call can be
 * resolved. The steps themselves ask for payment methods, estimates and balances, so this does not. Nor does it send requests
 * that a provider has to refuse.
 */
const runChecks = async (
  open: () => ProviderToCheck,
  rail: Rail,
  unusedReference: string,
): Promise<readonly Finding[]> => {
  // Each of the two needs its own record of answers.
  const [{ finding }, lookUp] = await Promise.all([
    checkListOf(open(), rail),
    checkLookUp(open(), rail, unusedReference),
  ]);
  return [finding, lookUp];
};

const unusedNow = (): string => `check-${randomUUID()}`;

/** The preflight of a provider with any adapter. It opens one adapter per concurrent question. */
export const createPortCheck = (
  open: () => ProviderToCheck,
  settingsHash: string,
  unusedReference: () => string = unusedNow,
): ProviderCheck => ({
  settingsHash,
  run: async (rail) => judge(await runChecks(open, rail, unusedReference())),
});

/** The preflight of the documented provider. Uses only the credential that reads. */
export const createProviderCheck = ({
  unusedReference = unusedNow,
  ...dependencies
}: PreflightDependencies): ProviderCheck => {
  const { baseUrl, signing, clock, traits } = dependencies;
  return {
    settingsHash: hash('sha256', JSON.stringify([baseUrl, signing, traits])),
    run: async (rail) => {
      const { http, skews } = createReader(clock, dependencies.http);
      const transport = createTransport({ ...dependencies, http });
      const findings = await runChecks(() => documentedProvider(transport, traits), rail, unusedReference());
      return judge(findings, checkClock(skews));
    },
  };
};
