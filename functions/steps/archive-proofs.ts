import { lacksProof, permissionOf } from '../domain/chunk-progress.ts';
import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import { inParallel } from '../domain/in-parallel.ts';
import type { LookUpProvider } from '../domain/look-up-payout.ts';
import type { Payout } from '../domain/payout.ts';
import { pollWaitSeconds } from '../domain/polling.ts';
import type { BatchLedger } from '../ports/batch-ledger.ts';
import type { Files } from '../ports/files.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import type { PaymentProvider } from '../ports/provider.ts';
import { clock, files, ledger, log, provider, random, settings } from '../runtime.ts';
import type { ChunkOutput, FinishDependencies } from './finish-chunk-step.ts';
import { finishChunkStep } from './finish-chunk-step.ts';
import { lookAgain } from './look-again.ts';
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
  readonly provider: Pick<PaymentProvider, 'downloadProof'> & LookUpProvider;
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
  const missing: Payout[] = [];
  let postponed = 0;
  await inParallel(payouts.filter(lacksProof), proofsAtOnce, async (payout) => {
    if (invocation.remainingMs() < proofMarginMs) postponed += 1;
    else if (!(await archiveProof(dependencies, payout))) missing.push(payout);
  });
  const proofTries = input.proofTries + (postponed === 0 ? 1 : 0);
  // A transfer that came back has no proof: then that is what has to be told, and not that its proof is missing.
  if (proofTries >= mostProofTries) await lookAgainAtAll(dependencies, missing, invocation);
  const permission = permissionOf(await getExistingBatch(ledger, batchId));
  const output = await finishChunkStep(dependencies, { ...input, proofTries }, permission);
  if (output.next !== 'archive' || postponed > 0) return output;
  if (proofTries < mostProofTries) {
    return { ...output, next: 'archive_later', waitSeconds: pollWaitSeconds(proofTries - 1, settings, random) };
  }
  // The payout is completed all the same: the report names each proof that is missing.
  log.warn('proofs.missing', { batchId, chunk, missing: missing.length });
  return { ...output, next: 'done' };
};

const lookAgainAtAll = async (
  dependencies: ArchiveProofsDependencies,
  payouts: readonly Payout[],
  invocation: Invocation,
): Promise<void> =>
  inParallel(payouts, proofsAtOnce, async (payout) => {
    if (invocation.remainingMs() < proofMarginMs) return;
    await unlessOut(dependencies, payout, () => lookAgain(dependencies, payout));
  });

/** Undefined, and a line in the log, where the provider did not answer. */
const unlessOut = async <Result>(
  { log }: Pick<ArchiveProofsDependencies, 'log'>,
  { batchId, chunk, row }: Payout,
  ask: () => Promise<Result>,
): Promise<Result | undefined> => {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    log.warn('proof.provider_out', { batchId, chunk, row, error: error.name });
    return undefined;
  }
};

const archiveProof = async (dependencies: ArchiveProofsDependencies, payout: Payout): Promise<boolean> => {
  const { ledger, files, provider } = dependencies;
  const { batchId, row, disbursementId } = payout;
  if (disbursementId === undefined) return false;
  const pdf = await unlessOut(dependencies, payout, () => provider.downloadProof(disbursementId));
  if (pdf === undefined) return false;
  await ledger.recordProof(payout, await files.putProof(batchId, row, pdf));
  return true;
};

export const handler = asStep('ArchiveProofs', chunkInput, log, (input, invocation) =>
  archiveProofs(
    { ledger: ledger(), files: files(), provider: provider(), settings: settings(), clock, random, log },
    input,
    invocation,
  ),
);
