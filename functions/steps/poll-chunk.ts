import { permissionOf } from '../domain/chunk-progress.ts';
import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import { inParallel } from '../domain/in-parallel.ts';
import type { Payout } from '../domain/payout.ts';
import type { BatchLedger } from '../ports/batch-ledger.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import type { PaymentProvider } from '../ports/provider.ts';
import { clock, ledger, log, provider, random, settings } from '../runtime.ts';
import type { ChunkOutput, FinishDependencies } from './finish-chunk-step.ts';
import { finishChunkStep } from './finish-chunk-step.ts';
import { lookAgain } from './look-again.ts';
import { observeChunk } from './observe-chunk.ts';
import { getExistingBatch } from './planned-batch.ts';
import type { ChunkInput } from './step.ts';
import { asStep, chunkInput } from './step.ts';

export interface PollChunkDependencies extends FinishDependencies {
  readonly ledger: PayoutLedger & Pick<BatchLedger, 'getBatch'>;
  readonly provider: Pick<PaymentProvider, 'listDisbursements' | 'lookUp' | 'listByReference'>;
}

/** Asks the provider about the chunk's payouts that have not ended. An outage of the provider costs a poll, nothing more. */
export const pollChunk = async (dependencies: PollChunkDependencies, input: ChunkInput): Promise<ChunkOutput> => {
  const { ledger } = dependencies;
  const { batchId, chunk } = input;
  const { payouts } = await ledger.readChunk(batchId, chunk);
  const open = payouts.filter(({ status }) => status === 'pending' || status === 'on_hold');
  // What could not be settled is asked for once an execution: resuming a batch asks again, polling on would not help.
  const quarantined = input.polls === 0 ? payouts.filter(({ status }) => status === 'quarantined') : [];
  const page = await observeUnlessOut(dependencies, input, { payouts, open, quarantined });
  const batch = await getExistingBatch(ledger, batchId);
  return finishChunkStep(
    dependencies,
    { ...input, ...(page === undefined ? {} : { page }), polls: input.polls + 1 },
    permissionOf(batch),
  );
};

const observeUnlessOut = async (
  dependencies: PollChunkDependencies,
  { batchId, chunk, page, since }: ChunkInput,
  { payouts, open, quarantined }: Readonly<Record<'payouts' | 'open' | 'quarantined', readonly Payout[]>>,
): Promise<number | undefined> => {
  try {
    await inParallel(quarantined, 8, (payout) => lookAgain(dependencies, payout));
    const whereabouts = { ...(page === undefined ? {} : { page }), ...(since === undefined ? {} : { since }) };
    return await observeChunk(dependencies, open, whereabouts, payouts);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    dependencies.log.warn('poll.provider_out', { batchId, chunk, error: error.name });
    return page;
  }
};

export const handler = asStep('PollChunk', chunkInput, log, (input) =>
  pollChunk({ ledger: ledger(), provider: provider(), settings: settings(), clock, random, log }, input),
);
