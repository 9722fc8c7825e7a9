import { lacksProof, permissionOf } from '../domain/chunk-progress.ts';
import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import type { Files } from '../domain/files-port.ts';
import { inParallel } from '../domain/in-parallel.ts';
import type { BatchLedger, PayoutLedger } from '../domain/ledger-port.ts';
import type { Payout } from '../domain/payout.ts';
import { pollWaitSeconds } from '../domain/polling.ts';
import type { PaymentProvider } from '../domain/provider-port.ts';
import { clock, files, ledger, log, provider, random, settings } from '../runtime.ts';
import type { ChunkOutput, FinishDependencies } from './finish-chunk-step.ts';
import { finishChunkStep } from './finish-chunk-step.ts';
import { getExistingBatch } from './planned-batch.ts';
import type { ChunkInput, Invocation } from './step.ts';
import { asStep, chunkInput } from './step.ts';

/** Proofs asked for at once: each is a document the provider renders. */
const proofsAtOnce = 6;
/** Milliseconds a proof may take from the request to S3; with less left the rest is for the next run. */
const proofMarginMs = 60_000;
/** Rounds of asking for a proof the provider does not have yet: 5, 10, 20, 40, 80 s, about two and a half minutes. */
const mostProofTries = 6;

export interface ArchiveProofsDependencies extends FinishDependencies {
  readonly ledger: PayoutLedger & Pick<BatchLedger, 'getBatch'>;
  readonly files: Pick<Files, 'putProof'>;
  readonly provider: Pick<PaymentProvider, 'downloadProof'>;
}

/** Stores the transfer proof of each completed bank transfer of the chunk, with its SHA-256. Stored ones are left alone. */
export const archiveProofs = async (
  dependencies: ArchiveProofsDependencies,
  input: ChunkInput,
  invocation: Invocation,
): Promise<ChunkOutput> => {
  const { ledger, settings, random, log } = dependencies;
  const { batchId, chunk } = input;
  const { payouts } = await ledger.readChunk(batchId, chunk);
  let missing = 0;
  let postponed = 0;
  await inParallel(payouts.filter(lacksProof), proofsAtOnce, async (payout) => {
    if (invocation.remainingMs() < proofMarginMs) postponed += 1;
    else if (!(await archiveProof(dependencies, payout))) missing += 1;
  });
  const proofTries = input.proofTries + (postponed === 0 ? 1 : 0);
  const permission = permissionOf(await getExistingBatch(ledger, batchId));
  const output = await finishChunkStep(dependencies, { ...input, proofTries }, permission);
  if (output.next !== 'archive' || postponed > 0) return output;
  if (proofTries < mostProofTries) {
    return { ...output, next: 'archive_later', waitSeconds: pollWaitSeconds(proofTries - 1, settings, random) };
  }
  // The payout is completed all the same: the report names each proof that is missing.
  log.warn('proofs.missing', { batchId, chunk, missing });
  return { ...output, next: 'done' };
};

const archiveProof = async (
  { ledger, files, provider, log }: ArchiveProofsDependencies,
  payout: Payout,
): Promise<boolean> => {
  const { batchId, chunk, row, disbursementId } = payout;
  if (disbursementId === undefined) return false;
  try {
    const pdf = await provider.downloadProof(disbursementId);
    if (pdf === undefined) return false;
    await ledger.recordProof(payout, await files.putProof(batchId, row, pdf));
    return true;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    log.warn('proof.provider_out', { batchId, chunk, row, error: error.name });
    return false;
  }
};

export const handler = asStep('ArchiveProofs', chunkInput, log, (input, invocation) =>
  archiveProofs(
    { ledger: ledger(), files: files(), provider: provider(), settings: settings(), clock, random, log },
    input,
    invocation,
  ),
);
