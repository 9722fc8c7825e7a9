import type { ChunkRecord } from '../batch/chunk.ts';
import type { PlanSummary } from '../batch/plan.ts';
import type { OrchestratorSettings } from '../settings.ts';
import type { Payout } from './payout.ts';
import { cameBack } from './payout.ts';

/** Times that the provider is asked for a proof: at once and after 5, 10, 20, 40, 80 s, about two and a half minutes. It is rendered after completion. */
export const mostProofTries = 6;

/** Why a payout never gets a proof; undefined where it has one, or may get one. `hasNoProofs` as its batch's plan says. */
export const missingProofReason = (
  { rail }: Pick<Payout, 'rail'>,
  { hasNoProofs }: Pick<PlanSummary, 'hasNoProofs'> = {},
): string | undefined => {
  if (hasNoProofs === true) return 'The provider gives no transfer proofs.';
  return rail === 'crypto' ? 'The provider gives proofs of bank transfers only.' : undefined;
};

/** Only bank transfers have proofs, and not those whose money came back. */
export const lacksProof = (payout: Payout): boolean =>
  payout.rail === 'fiat' && payout.status === 'completed' && payout.proof === undefined && !cameBack(payout);

/** Whether the provider was asked in vain as often as it is asked. A later execution asks anew. */
export const isProofGivenUp = (payout: Payout): boolean =>
  lacksProof(payout) && (payout.proofTries ?? 0) >= mostProofTries;

/** Milliseconds since 1970 from which a proof that is lacking may be asked for. */
export const proofIsDueAt = (
  { proofTries = 0, updatedAt }: Payout,
  { pollFirstSeconds }: Pick<OrchestratorSettings, 'pollFirstSeconds'>,
): number => (proofTries === 0 ? 0 : Date.parse(updatedAt) + pollFirstSeconds * 2 ** (proofTries - 1) * 1000);

/** Completed bank transfers of a chunk, but for those that have no proof since their money came back. None where nobody gives any. */
export const proofsExpected = ({
  rail,
  hasNoProofs,
  tallies,
  contradictions: { withoutProof = 0 },
}: ChunkRecord): number =>
  rail === 'fiat' && hasNoProofs !== true ? (tallies.completed?.count ?? 0) - withoutProof : 0;

/** How many of those have no proof archived, and may have one. `isAskedAnew`: those given up count as well. */
export const proofsDue = (record: ChunkRecord, isAskedAnew: boolean): number =>
  proofsExpected(record) - record.proofs - (isAskedAnew ? 0 : (record.proofsGivenUp ?? 0));
