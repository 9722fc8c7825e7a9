import { checkLookUp, checkProof } from './check-absence.ts';
import { checkLists } from './check-lists.ts';
import { checkBalance, checkConversion, checkEstimate, checkMethods } from './check-prices.ts';
import type { Finding } from './finding.ts';
import type { ProviderToCheck } from './provider-to-check.ts';

export interface PortQuestions {
  /** A reference that nobody has used or will ever use. */
  readonly unusedReference: string;
  readonly conversionSources: readonly string[];
}

/**
 * Checks any adapter of functions/ports/provider.ts for what the orchestrator needs, and reports what it lacks. Only reads; it
 * never pays.
 */
export const checkPort = async (
  checked: ProviderToCheck,
  { unusedReference, conversionSources }: PortQuestions,
): Promise<readonly Finding[]> => {
  const balance = await checkBalance(checked);
  const fiat = await checkMethods(checked, 'fiat');
  const crypto = await checkMethods(checked, 'crypto');
  return [
    balance,
    fiat.finding,
    crypto.finding,
    ...(await checkLists(checked, 'fiat')),
    ...(await checkLists(checked, 'crypto')),
    await checkLookUp(checked, 'fiat', unusedReference),
    await checkLookUp(checked, 'crypto', unusedReference),
    await checkProof(checked, unusedReference),
    await checkEstimate(checked, crypto.first),
    await checkConversion(checked, conversionSources, fiat.first),
  ];
};
