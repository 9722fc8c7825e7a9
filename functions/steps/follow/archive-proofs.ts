import { dayMs } from '../../domain/durations.ts';
import { isProviderError, nameOfError } from '../../domain/errors.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { isProofGivenUp, lacksProof, proofIsDueAt, proofsDue } from '../../domain/payout/proofs.ts';
import type { FollowDependencies, Sweep } from './sweep.ts';
import { eachChunk, lookUpEach, noteDue } from './sweep.ts';

/**
 * Concurrent proof requests. The provider renders a document for each. They are spread over chunks, so that the slowest document of
 * one chunk keeps no other chunk waiting.
 */
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
export const archiveProofs = async (dependencies: FollowDependencies, sweep: Sweep, until: number): Promise<void> => {
  const { clock, settings, log } = dependencies;
  let canStore = true;
  const hasTime = (): boolean => canStore && sweep.hasTime() && clock() < until;
  const wanting = [...sweep.records.values()].filter((one) => proofsDue(one, sweep.isFirst) > 0);
  // Starts with a different chunk each time, so that documents that time out in some chunks do not block the others.
  const first = Math.floor(sweep.nowMs / 1000) % Math.max(1, wanting.length);
  const perChunk = Math.max(1, Math.floor(concurrentProofs / wanting.length));
  await inParallel([...wanting.slice(first), ...wanting.slice(0, first)], concurrentProofs, async (record) => {
    if (!hasTime()) return;
    await eachChunk(dependencies, sweep, [record], async ({ payouts }) => {
      const moved: Payout[] = [];
      const wanted = payouts.filter(lacksProof).filter((payout) => sweep.isFirst || !isProofGivenUp(payout));
      await inParallel(wanted, perChunk, async (payout) => {
        const isDue = isProofGivenUp(payout) || proofIsDueAt(payout, settings) <= sweep.nowMs;
        const archived = isDue && hasTime() ? await archiveProof(dependencies, payout) : payout;
        canStore &&= archived !== undefined;
        const latest = archived ?? payout;
        moved.push(latest);
        if (lacksProof(latest) && !isProofGivenUp(latest)) noteDue(sweep, proofIsDueAt(latest, settings));
      });
      const missing = moved.filter(isProofGivenUp);
      if (missing.length === 0) return moved;
      log.warn('proofs.missing', { batchId: sweep.batchId, chunk: record.chunk, missing: missing.length });
      // A transfer that came back has no proof. Then the alarm must report that, not the missing proof.
      return [...moved, ...(await lookUpEach(dependencies, sweep, missing))];
    });
  });
  if (!hasTime()) noteDue(sweep, until);
};
