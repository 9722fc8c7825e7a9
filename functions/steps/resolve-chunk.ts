import type { Call } from '../domain/chunk.ts';
import { permissionOf } from '../domain/chunk-progress.ts';
import { inParallel } from '../domain/in-parallel.ts';
import type { BatchLedger } from '../ports/batch-ledger.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import type { PaymentProvider } from '../ports/provider.ts';
import { clock, ledger, log, provider, random, settings } from '../runtime.ts';
import type { ChunkOutput, FinishDependencies } from './finish-chunk-step.ts';
import { finishChunkStep } from './finish-chunk-step.ts';
import { getExistingBatch } from './planned-batch.ts';
import { resolvePayouts } from './resolve-payouts.ts';
import type { ChunkInput } from './step.ts';
import { asStep, chunkInput } from './step.ts';

export interface ResolveChunkDependencies extends FinishDependencies {
  readonly ledger: PayoutLedger & Pick<BatchLedger, 'getBatch'>;
  readonly provider: Pick<PaymentProvider, 'lookUp' | 'listByReference'>;
}

/**
 * Settles what no answer told: asks the provider by reference about each payout of a call that is old enough for no
 * posting function to be alive any more. Posts nothing.
 */
export const resolveChunk = async (dependencies: ResolveChunkDependencies, input: ChunkInput): Promise<ChunkOutput> => {
  const { ledger, settings, clock } = dependencies;
  const { batchId, chunk } = input;
  const { payouts, calls } = await ledger.readChunk(batchId, chunk);
  // SubmitChunk was interrupted before it claimed anything, perhaps in the middle of registering: it goes on by itself.
  if (calls.length === 0) return { ...input, next: 'submit', waitSeconds: 1 };
  const inDoubt = new Set(
    payouts.filter(({ status }) => status === 'submitting' || status === 'unknown').map((payout) => payout.call),
  );
  const oldEnough = (call: Call): boolean =>
    clock() - Date.parse(call.claimedAt) >= settings.resolveAfterSeconds * 1000;
  const due = calls.filter((call) => inDoubt.has(call.k) && (isRefused(call) || oldEnough(call)));
  await inParallel(due, 1, async (call) => {
    // Whoever claimed it is gone: whatever it learned is lost.
    if (call.outcome === undefined) await ledger.recordCallOutcome(call, { kind: 'unknown', cause: 'interrupted' });
    await resolvePayouts(dependencies, call);
  });
  const batch = await getExistingBatch(ledger, batchId);
  return finishChunkStep(dependencies, { ...input, lookups: input.lookups + 1 }, permissionOf(batch));
};

/** The service's own word that it made nothing needs no waiting. */
const isRefused = (call: Call): boolean => call.outcome?.kind === 'rejected' || call.outcome?.kind === 'not_sent';

export const handler = asStep('ResolveChunk', chunkInput, log, (input) =>
  resolveChunk({ ledger: ledger(), provider: provider(), settings: settings(), clock, random, log }, input),
);
