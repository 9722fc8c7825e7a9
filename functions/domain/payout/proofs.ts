import type { ProviderTraits } from '../../ports/provider.ts';
import type { ChunkRecord } from '../batch/chunk.ts';
import type { PlanSummary } from '../batch/plan.ts';
import type { OrchestratorSettings } from '../settings.ts';
import type { Payout, Rail } from './payout.ts';
import { cameBack, rails } from './payout.ts';

/**
 * Most requests for one proof: immediately and after 5, 10, 20, 40 and 80 s, about two and a half minutes. The provider renders
 * it after completion.
 */
const mostProofTries = 6;

/**
 * True when payouts of a chunk may get proofs. Crypto payouts never do: neither their plan nor their chunks record that.
 *
 * @param hasNoProofs from the chunk or the plan. Undefined when there may be proofs, or when the chunk is not at hand
 */
const givesProofs = (rail: Rail, hasNoProofs?: true): boolean => rail === 'fiat' && hasNoProofs !== true;

/** True when the provider has none of the proofs that are archived. A plan records that as `hasNoProofs`. */
export const lacksAllProofs = ({ rails: traits }: Pick<ProviderTraits, 'rails'>): boolean =>
  !rails.some((rail) => givesProofs(rail) && traits[rail].hasProofs);

/** True when a person vouched for the payment, and no disbursement of the provider is known whose proof could be requested. */
const isVouchedFor = ({ status, disbursementId }: Partial<Pick<Payout, 'status' | 'disbursementId'>>): boolean =>
  status === 'completed' && disbursementId === undefined;

/**
 * Explains why a payout, or a currency's payouts, never get a proof. Undefined when it has one or may get one, and also when its
 * money came back. `hasNoProofs` comes from its batch's plan.
 */
export const missingProofReason = (
  payout: Pick<Payout, 'rail'> & Partial<Pick<Payout, 'status' | 'disbursementId'>>,
  { hasNoProofs }: Pick<PlanSummary, 'hasNoProofs'> = {},
): string | undefined => {
  if (hasNoProofs === true) return 'The provider gives no transfer proofs.';
  if (!givesProofs(payout.rail)) return 'The provider gives proofs of bank transfers only.';
  return isVouchedFor(payout)
    ? 'A person vouched that it was paid. No disbursement is known, so there is no proof.'
    : undefined;
};

const isUnproven = ({ rail, status, proof }: Payout): boolean =>
  givesProofs(rail) && status === 'completed' && proof === undefined;

/** True for a completed bank transfer that never gets a proof: its money came back, or a person vouched for it. */
export const isWithoutProof = (payout: Payout): boolean =>
  isUnproven(payout) && (cameBack(payout) || isVouchedFor(payout));

/** True when a proof is missing: of a completed bank transfer that may get one. */
export const lacksProof = (payout: Payout): payout is Payout & { readonly disbursementId: string } =>
  isUnproven(payout) && !isWithoutProof(payout);

/** True when all requests for the proof were used without success. A later execution starts over. */
export const isProofGivenUp = (payout: Payout): boolean =>
  lacksProof(payout) && (payout.proofTries ?? 0) >= mostProofTries;

/** Returns the time from which a missing proof may be requested, in milliseconds since 1970. */
export const proofIsDueAt = (
  { proofTries = 0, updatedAt }: Payout,
  { pollFirstSeconds }: Pick<OrchestratorSettings, 'pollFirstSeconds'>,
): number => (proofTries === 0 ? 0 : Date.parse(updatedAt) + pollFirstSeconds * 2 ** (proofTries - 1) * 1000);

/**
 * Number of a chunk's proofs to expect: completed bank transfers, except those that never get one. 0 when the provider gives no
 * proofs.
 */
export const proofsExpected = ({ rail, hasNoProofs, tallies, contradictions }: ChunkRecord): number =>
  givesProofs(rail, hasNoProofs) ? (tallies.completed?.count ?? 0) - (contradictions.withoutProof ?? 0) : 0;

/** Number of those not archived that may still be obtained. With `isAskedAnew`, given-up proofs count too. */
export const proofsDue = (record: ChunkRecord, isAskedAnew: boolean): number =>
  proofsExpected(record) - record.proofs - (isAskedAnew ? 0 : (record.proofsGivenUp ?? 0));
