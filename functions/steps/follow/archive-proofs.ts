import { ProviderRefused, ProviderUnavailable } from '../../domain/errors.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { isProofGivenUp, lacksProof, proofIsDueAt, proofsDue } from '../../domain/payout/proofs.ts';
import type { FollowDependencies, Sweep } from './sweep.ts';
import { comesDue, eachChunk, lookUpEach } from './sweep.ts';

/** Proofs asked for at once: each is a document the provider renders. */
const proofsAtOnce = 6;

/** Milliseconds for which a proof is waited for that nobody answers for: then it is not an outage, but that one document. */
const outageMs = 86_400_000;

/** One proof. Answers the payout as it then stands; undefined where proofs cannot be stored, until somebody mends that. */
const archiveProof = async (dependencies: FollowDependencies, payout: Payout): Promise<Payout | undefined> => {
  const { ledger, provider, files, clock, log } = dependencies;
  const { batchId, chunk, row, disbursementId, statusSince = payout.updatedAt } = payout;
  let pdf: Uint8Array | undefined;
  try {
    // An operator vouched that it was paid: there is no disbursement to have a proof of.
    pdf = disbursementId === undefined ? undefined : await provider.downloadProof(disbursementId);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    log.warn('proof.provider_out', { batchId, chunk, row, error: error.name });
    if (clock() - Date.parse(statusSince) < outageMs) return payout;
  }
  if (pdf === undefined) return (await ledger.countProofTry(payout)).payout;
  const proof = await files.putProof(batchId, row, pdf).catch((error: unknown) => {
    log.alarm('ProofNotArchived', { batchId, chunk, row, error: error instanceof Error ? error.name : 'unknown' });
    return undefined;
  });
  return proof && ledger.recordProof(payout, proof);
};

/**
 * Stores the transfer proof of each completed bank transfer, with its SHA-256, in the time until the next sweep is due: no
 * status is late because of a proof. What is not there yet is asked for again, less and less often. Where proofs cannot be
 * stored the rest of them waits for the next sweep, and the batch goes on.
 *
 * @param until milliseconds since 1970
 */
export const archiveProofs = async (dependencies: FollowDependencies, sweep: Sweep, until: number): Promise<void> => {
  const { clock, settings, log } = dependencies;
  let canStore = true;
  const hasTime = (): boolean => canStore && sweep.hasTime() && clock() < until;
  const wanting = [...sweep.records.values()].filter((one) => proofsDue(one, sweep.isFirst) > 0);
  // From another chunk each time: documents that time out in one must not keep the others from theirs.
  const first = Math.floor(sweep.nowMs / 1000) % Math.max(1, wanting.length);
  for (const record of [...wanting.slice(first), ...wanting.slice(0, first)]) {
    if (!hasTime()) {
      comesDue(sweep, until);
      return;
    }
    await eachChunk(dependencies, sweep, [record], async ({ payouts }) => {
      const moved: Payout[] = [];
      const wanted = payouts.filter((payout) => lacksProof(payout) && (sweep.isFirst || !isProofGivenUp(payout)));
      await inParallel(wanted, proofsAtOnce, async (payout) => {
        const isDue = isProofGivenUp(payout) || proofIsDueAt(payout, settings) <= sweep.nowMs;
        const archived = isDue && hasTime() ? await archiveProof(dependencies, payout) : payout;
        canStore &&= archived !== undefined;
        const standing = archived ?? payout;
        moved.push(standing);
        if (lacksProof(standing) && !isProofGivenUp(standing)) comesDue(sweep, proofIsDueAt(standing, settings));
      });
      const missing = moved.filter(isProofGivenUp);
      if (missing.length === 0) return moved;
      log.warn('proofs.missing', { batchId: sweep.batchId, chunk: record.chunk, missing: missing.length });
      // A transfer that came back has no proof: then that is what has to be told, and not that its proof is missing.
      return [...moved, ...(await lookUpEach(dependencies, sweep, missing))];
    });
  }
};
