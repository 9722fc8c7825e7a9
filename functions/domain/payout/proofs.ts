import type { ChunkRecord } from '../batch/chunk.ts';
import type { PlanSummary } from '../batch/plan.ts';
import type { OrchestratorSettings } from '../settings.ts';
import type { Payout } from './payout.ts';
import { cameBack } from './payout.ts';

/**
 * Most requests for one proof: immediately and after 5, 10, 20, 40 and 80 s, about two and a half minutes. The provider renders
 * it after completion.
 */
export const mostProofTries = 6;

/**
 * Explains why a payout never gets a proof. Undefined when it has one, or may get one. `hasNoProofs` comes from its batch's plan.
 */
export const missingProofReason = (
  { rail }: Pick<Payout, 'rail'>,
  { hasNoProofs }: Pick<PlanSummary, 'hasNoProofs'> = {},
): string | undefined => {
  if (hasNoProofs === true) return 'The provider gives no transfer proofs.';
  return rail === 'crypto' ? 'The provider gives proofs of bank transfers only.' : undefined;
};

/** True when a proof is missing. Only completed bank transfers have proofs, and not those whose money came back. */
export const lacksProof = (payout: Payout): boolean =>
  payout.rail === 'fiat' && payout.status === 'completed' && payout.proof === undefined && !cameBack(payout);

/** True when all requests for the proof were used without success. A later execution starts over. */
export const isProofGivenUp = (payout: Payout): boolean =>
  lacksProof(payout) && (payout.proofTries ?? 0) >= mostProofTries;

/** Returns the time from which a missing proof may be requested, in milliseconds since 1970. */
export const proofIsDueAt = (
  { proofTries = 0, updatedAt }: Payout,
  { pollFirstSeconds }: Pick<OrchestratorSettings, 'pollFirstSeconds'>,
): number => (proofTries === 0 ? 0 : Date.parse(updatedAt) + pollFirstSeconds * 2 ** (proofTries - 1) * 1000);

/**
 * Number of a chunk's proofs to expect: completed bank transfers, except those without a proof whose money came back. 0 when the
 * provider gives no proofs.
 */
export const proofsExpected = ({
  rail,
  hasNoProofs,
  tallies,
  contradictions: { withoutProof = 0 },
}: ChunkRecord): number =>
  rail === 'fiat' && hasNoProofs !== true ? (tallies.completed?.count ?? 0) - withoutProof : 0;

/** Number of those not archived that may still be obtained. With `isAskedAnew`, given-up proofs count too. */
export const proofsDue = (record: ChunkRecord, isAskedAnew: boolean): number =>
  proofsExpected(record) - record.proofs - (isAskedAnew ? 0 : (record.proofsGivenUp ?? 0));
