import { createHash } from 'node:crypto';
import type { ChunkFile, PlannedPayout } from '../domain/chunk.ts';
import { permissionOf } from '../domain/chunk-progress.ts';
import { hashDestination } from '../domain/destination.ts';
import { InvariantBroken } from '../domain/errors.ts';
import { inParallel } from '../domain/in-parallel.ts';
import type { NextCall } from '../domain/next-call.ts';
import { decideNextCall } from '../domain/next-call.ts';
import { payoutTransitions } from '../domain/payout-lifecycle.ts';
import type { BatchLedger } from '../ports/batch-ledger.ts';
import type { Ids } from '../ports/environment.ts';
import { earliest } from '../ports/environment.ts';
import type { Files } from '../ports/files.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import type { Disbursement, PaymentProvider, SubmitAnswer } from '../ports/provider.ts';
import { clock, files, ids, ledger, log, provider, random, settings } from '../runtime.ts';
import type { ChunkOutput, FinishDependencies } from './finish-chunk-step.ts';
import { finishChunkStep } from './finish-chunk-step.ts';
import { getExistingBatch, planOf } from './planned-batch.ts';
import { settleCall } from './settle-call.ts';
import type { ChunkInput, Invocation } from './step.ts';
import { asStep, chunkInput } from './step.ts';

/** Milliseconds kept for writing an answer down, and looking a refused call's references up, after the HTTP timeout. */
const settleMarginMs = 15_000;
/** Milliseconds a claim may take, its retries included. */
const claimMarginMs = 15_000;

export interface SubmitChunkDependencies extends FinishDependencies {
  readonly ledger: PayoutLedger & Pick<BatchLedger, 'getBatch' | 'moveBatch'>;
  readonly files: Pick<Files, 'getChunk'>;
  readonly provider: Pick<PaymentProvider, 'composeSubmission' | 'submit' | 'lookUp' | 'listByReference'>;
  readonly ids: Ids;
}

/**
 * Registers the chunk's payouts and makes its calls: claim, POST once, write the answer down (README.md, "Never twice"). May be
 * run any number of times, also at once: only who creates CALL#k may POST it.
 */
export const submitChunk = async (
  dependencies: SubmitChunkDependencies,
  input: ChunkInput,
  invocation: Invocation,
): Promise<ChunkOutput> => {
  const { ledger } = dependencies;
  const { batchId, chunk } = input;
  const plan = planOf(await getExistingBatch(ledger, batchId));
  const chunkFile = await dependencies.files.getChunk(plan.prefix, chunk);
  await ledger.registerPayouts(chunkFile, hashesOf(chunkFile));

  let delays = 0;
  let since = input.since;
  let permission = permissionOf(await getExistingBatch(ledger, batchId));
  while (permission === 'may_submit') {
    const next = decideNextCall(await ledger.readChunk(batchId, chunk), dependencies.settings.payoutsPerCall);
    if (next === undefined) break;
    if (invocation.remainingMs() < postMs(dependencies) + claimMarginMs) break;
    const made = await makeCall(dependencies, chunkFile, next, invocation);
    since ??= made.createdAt;
    permission = permissionOf(await getExistingBatch(ledger, batchId));
    if (made.kind === 'delayed') {
      delays = input.delays + 1;
      break;
    }
  }
  if (permission === 'paused') delays = input.delays + 1;
  if (permission === 'canceled') await cancelUnclaimed(dependencies, input);
  return finishChunkStep(dependencies, { ...input, delays, ...(since === undefined ? {} : { since }) }, permission);
};

/** Milliseconds from the POST until its answer is written down, at the worst. */
const postMs = ({ settings }: SubmitChunkDependencies): number => settings.httpTimeoutSeconds * 1000 + settleMarginMs;

const hashesOf = (chunkFile: ChunkFile): ReadonlyMap<number, string> =>
  new Map(chunkFile.payouts.map((payout) => [payout.row, hashDestination(payout.recipient)]));

interface MadeCall {
  /** `delayed`: nothing was sent, or somebody else has the call; trying again at once would not help. */
  readonly kind: 'made' | 'delayed';
  /** The provider's timestamp of the first disbursement it created. */
  readonly createdAt?: string | undefined;
}

const makeCall = async (
  dependencies: SubmitChunkDependencies,
  chunkFile: ChunkFile,
  { k, rows }: NextCall,
  invocation: Invocation,
): Promise<MadeCall> => {
  const { ledger, provider, ids, log } = dependencies;
  const { batchId, chunk, rail } = chunkFile;
  const body = provider.composeSubmission(chunkFile, rowsOf(chunkFile, rows));
  const claimId = ids.unique();
  const payloadHash = createHash('sha256').update(body).digest('hex');
  const claim = await ledger.claimCall({ batchId, chunk, k, rows, payloadHash, claimId });
  log.info('call.claim', { batchId, chunk, k, rows: rows.length, claim: claim.kind });
  if (claim.kind !== 'claimed') return { kind: 'delayed' };
  // A claim that took too long leaves no time for its answer: the permit is given back unused.
  const answer: SubmitAnswer =
    invocation.remainingMs() < postMs(dependencies)
      ? { kind: 'not_sent', cause: 'no_time_left' }
      : await provider.submit(rail, body);
  log.info('call.answer', {
    batchId,
    chunk,
    k,
    answer: answer.kind,
    ...('cause' in answer ? { cause: answer.cause } : {}),
  });
  await settleCall(dependencies, { batchId, chunk, k, claimId, rows }, answer);
  if (answer.kind === 'not_sent') return { kind: 'delayed' };
  return { kind: 'made', createdAt: answer.kind === 'answered' ? oldestOf(answer.disbursements) : undefined };
};

const oldestOf = (disbursements: readonly Disbursement[]): string | undefined =>
  earliest(disbursements.flatMap(({ createdAt }) => (createdAt === undefined ? [] : [createdAt])));

const rowsOf = (chunkFile: ChunkFile, rows: readonly number[]): readonly PlannedPayout[] => {
  const wanted = new Set(rows);
  const found = chunkFile.payouts.filter((payout) => wanted.has(payout.row));
  if (found.length !== rows.length) throw new InvariantBroken('the ledger has rows that the chunk file does not have');
  return found;
};

const cancelUnclaimed = async ({ ledger }: SubmitChunkDependencies, { batchId, chunk }: ChunkInput): Promise<void> => {
  const { payouts } = await ledger.readChunk(batchId, chunk);
  const unclaimed = payouts.filter((payout) => payout.status === 'ready');
  const reason = { code: 'batch_canceled', message: 'The batch was canceled before the payout was submitted.' };
  await inParallel(unclaimed, 16, async (payout) => {
    await ledger.movePayout(payout, payoutTransitions.cancelUnclaimed, { reason });
  });
};

export const handler = asStep('SubmitChunk', chunkInput, log, (input, invocation) =>
  submitChunk(
    {
      ledger: ledger(),
      files: files(),
      provider: provider(),
      settings: settings(),
      clock,
      ids,
      random,
      log,
    },
    input,
    invocation,
  ),
);
