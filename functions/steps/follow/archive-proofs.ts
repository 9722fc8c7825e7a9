import { dayMs } from '../../domain/durations.ts';
import { isProviderError, nameOfError } from '../../domain/errors.ts';
import { inParallel, inTurns } from '../../domain/in-parallel.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { isProofGivenUp, lacksProof, proofIsDueAt, proofsDue } from '../../domain/payout/proofs.ts';
import type { ChunkContents } from '../../ports/ledger/payout-ledger.ts';
import type { FollowDependencies, Run } from './sweep.ts';
import { eachChunk, fromAnywhere, lookUpEach, noteDue } from './sweep.ts';

/** Concurrent proof requests, of as many chunks. The provider renders a document for each. */
const concurrentProofs = 6;

/**
 * Milliseconds to keep waiting for a proof that the provider does not answer for. After that it is not an outage, but a problem
 * of that document.
 */
const outageMs = dayMs;

/** Archives one proof. Returns the latest payout; undefined when proofs cannot be stored until a person fixes that. */
const archiveProof = async (
  dependencies: FollowDependencies,
  payout: Payout & { readonly disbursementId: string },
): Promise<Payout | undefined> => {
  const { ledger, provider, files, clock, log } = dependencies;
  const { batchId, chunk, row, disbursementId, statusSince = payout.updatedAt } = payout;
  let pdf: Uint8Array | undefined;
  try {
    pdf = await provider.downloadProof(disbursementId);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    log.warn('proof.provider_out', { batchId, chunk, row, error: error.name });
    if (clock() - Date.parse(statusSince) < outageMs) return payout;
  }
  if (pdf === undefined) return (await ledger.countProofTry(payout)).payout;
  const proof = await files.putProof(batchId, row, pdf).catch((error: unknown) => {
    log.alarm('ProofNotArchived', { batchId, chunk, row, error: nameOfError(error) });
    return undefined;
  });
  return proof && ledger.recordProof(payout, proof);
};

/**
 * Stores the transfer proof of each completed bank transfer, with its SHA-256, in the time until the next sweep is due. So
 * proofs delay no status. Asks for missing proofs again at growing intervals. When proofs cannot be stored, the rest waits for
 * the next sweep, and the batch goes on.
 *
 * @param until milliseconds since 1970
 */
export const archiveProofs = async (run: Run, until: number): Promise<void> => {
  const { clock, settings, log, random, sweep } = run;
  /** True when proofs cannot be stored, or a write failed. */
  let isStopped = false;
  const hasTime = (): boolean => !isStopped && sweep.hasTime() && clock() < until;
  const wanting = [...sweep.records.values()].filter((one) => proofsDue(one, sweep.isFirst) > 0);
  const inProofTurns = inTurns(concurrentProofs);
  // A lookup that waits too long for the provider's limit is lost, so one chunk looks up at a time.
  const inLookupTurns = inTurns(1);
  const archiveOf = async ({ record: { chunk }, payouts }: ChunkContents): Promise<readonly Payout[]> => {
    const moved: Payout[] = [];
    const wanted = payouts.filter(lacksProof).filter((payout) => sweep.isFirst || !isProofGivenUp(payout));
    await inParallel(fromAnywhere(random, wanted), concurrentProofs, async (payout) => {
      const isDue = isProofGivenUp(payout) || proofIsDueAt(payout, settings) <= sweep.nowMs;
      const archived = isDue
        ? await inProofTurns(async () => (hasTime() ? archiveProof(run, payout) : payout))
        : payout;
      isStopped ||= archived === undefined;
      const latest = archived ?? payout;
      moved.push(latest);
      if (lacksProof(latest) && !isProofGivenUp(latest)) noteDue(sweep, proofIsDueAt(latest, settings));
    });
    const missing = moved.filter(isProofGivenUp);
    if (missing.length === 0) return moved;
    log.warn('proofs.missing', { batchId: sweep.batchId, chunk, missing: missing.length });
    // A transfer that came back has no proof. Then the alarm must report that, not the missing proof.
    return [...moved, ...(await inLookupTurns(() => lookUpEach(run, missing)))];
  };
  await inParallel(fromAnywhere(random, wanting), concurrentProofs, async (record) => {
    if (!hasTime()) return;
    try {
      await eachChunk(run, [record], archiveOf);
    } catch (error) {
      isStopped = true;
      throw error;
    }
  });
};
