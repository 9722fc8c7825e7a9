import * as z from 'zod';
import { createBatchReader } from '../batches/batch-reader.ts';
import { pauseByCounts } from '../batches/pause-by-counts.ts';
import type { Batch } from '../domain/batch/batch.ts';
import { batchTransitions, fileAltered, permissionToClaim } from '../domain/batch/batch-status.ts';
import { mayClaimChunk } from '../domain/batch/canary-hold.ts';
import type { CallSizes, ChunkRecord, NextCall } from '../domain/batch/chunk.ts';
import { decideNextCall } from '../domain/batch/chunk.ts';
import type { ChunkFile } from '../domain/batch/chunk-file.ts';
import { countIn, hasLeftToSubmit } from '../domain/batch/progress.ts';
import { endsOf } from '../domain/batch/unpaid-share.ts';
import { unlessAltered } from '../domain/errors.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { withMoved } from '../domain/payout/payout.ts';
import { isRetry } from '../domain/payout/retries.ts';
import { requestMs, submitMargins } from '../domain/settings.ts';
import type { PolicyOf } from '../payouts/apply.ts';
import { applyAll } from '../payouts/apply.ts';
import { checkRetry } from '../payouts/check-retry.ts';
import { cancel, confirmRefusal, isUnconfirmed, keepUnrepeatable, refuseRetry } from '../payouts/decide-by-calls.ts';
import { leave } from '../payouts/decide-by-evidence.ts';
import type { ChunkContents } from '../ports/ledger/payout-ledger.ts';
import type { Needs } from '../ports/needs.ts';
import { isReusable } from '../ports/provider.ts';
import { bind, files, ledger, log, pace, provider, settings } from '../runtime.ts';
import type { Invocation } from './as-step.ts';
import { asStep, batchInput, getExistingBatch, planOf } from './as-step.ts';
import type { MakeCallDependencies } from './submit/make-call.ts';
import { makeCall } from './submit/make-call.ts';
import { stopBatch } from './submit/record-call-answer.ts';

/** Input of a child of the Distributed Map. */
export const chunkInput = batchInput.extend({ chunk: z.int().min(1) });
type ChunkInput = z.infer<typeof chunkInput>;

/**
 * Milliseconds to wait in the function for a turn under the provider's limit. A Wait state costs three state transitions, as
 * much as ten seconds of this function. This wait also gives small batches precedence at a low limit.
 */
const turnWithinMs = 10_000;
/** If the provider demands an hour's pause, a child must still notice within minutes that its batch was canceled. */
const longestTurnWaitSeconds = 300;

type SubmitChunkDependencies = MakeCallDependencies &
  Needs<{
    ledger:
      | 'getBatch'
      | 'amendBatch'
      | 'registerPayouts'
      | 'readChunk'
      | 'getPayoutByReference'
      | 'refreshChunk'
      | 'addReconciliation'
      | 'readProgress';
    files: 'getChunk';
    provider: 'account';
    pace: 'turn';
  }>;

/** What one run works with. */
type Run = SubmitChunkDependencies & {
  readonly batch: Batch;
  /** Undefined when the file was altered. */
  readonly chunkFile: ChunkFile | undefined;
  readonly invocation: Invocation;
  /** Milliseconds left until it is too late to make a call. */
  readonly spareMs: () => number;
};

/** What one run leaves behind. `contents` is undefined until the chunk is registered. */
interface Outcome {
  readonly contents: ChunkContents | undefined;
  readonly waitMs: number;
}

interface SubmitChunkOutput extends ChunkInput {
  /** `wait`: its turn under the provider's limit has not come yet. */
  readonly next: 'submitted' | 'wait';
  readonly waitSeconds: number;
}

/**
 * Registers the chunk's payouts and makes its calls: claim, POST once, record the answer (SUBMIT-PROTOCOL.md). Never waits for
 * a resolution: Follow takes care of payouts in doubt, also while the batch is paused. Safe to run any number of times, even
 * concurrently: only the run that creates CALL#k may POST it.
 */
export const submitChunk = async (
  dependencies: SubmitChunkDependencies,
  input: ChunkInput,
  invocation: Invocation,
): Promise<SubmitChunkOutput> => {
  const { ledger, files, settings, log } = dependencies;
  const { batchId, chunk } = input;
  const batch = await getExistingBatch(ledger, batchId);
  const permission = permissionToClaim(batch);
  const chunkFile = await files.getChunk(planOf(batch), chunk).catch(unlessAltered);
  // Alarm even for a canceled batch: someone is overwriting its files.
  if (chunkFile === undefined) log.alarm('BatchHalted', { batchId, chunk });
  const spareMs = (): number => invocation.remainingMs() - submitMargins.claimMs - requestMs(settings);
  const run = { ...dependencies, batch, chunkFile, invocation, spareMs };
  let outcome: Outcome = { contents: await ledger.readChunk(batchId, chunk), waitMs: 0 };
  // Registered payouts can be canceled without the file.
  if (chunkFile === undefined && (permission !== 'canceled' || outcome.contents === undefined)) {
    await stopBatch(dependencies, input, batchTransitions.halt, fileAltered);
    // `halt` does not change a paused batch, so one that was paused before it was canceled would keep that reason.
    if (permission === 'canceled') await ledger.amendBatch(batchId, ['paused'], { reason: fileAltered });
    return { ...input, next: 'submitted', waitSeconds: 0 };
  }
  if (permission === 'canceled') outcome = await cancelReady(run, outcome.contents);
  if (permission === 'granted' && chunkFile !== undefined && mayClaimChunk(batch, chunk))
    outcome = await submitReady({ ...run, chunkFile }, outcome.contents);
  const { contents, waitMs } = outcome;
  if (contents !== undefined) {
    const { record } = await ledger.recount(contents);
    await watchCounts(run, record);
  }
  const waitSeconds = Math.min(longestTurnWaitSeconds, Math.ceil(waitMs / 1000));
  return { ...input, next: waitMs > 0 ? 'wait' : 'submitted', waitSeconds };
};

/** Maximum age in milliseconds of the batch's counts. Fresh enough to notice in time that too many payouts are not paid. */
const countsMs = 10_000;

/** Follow checks this too, every 30 seconds at best. Without `pauseAbove`, it may take minutes to see a quarantined payout. */
const watchCounts = async ({ ledger, batch }: Run, own: ChunkRecord): Promise<void> => {
  const isUnpaid = batch.pauseAbove !== undefined && endsOf([own]).unpaid > 0;
  if (!isUnpaid && countIn([own], 'quarantined') === 0) return;
  const progress = await ledger.readProgress(batch.batchId, { atMostMs: countsMs, changedAt: batch.statusSince });
  if (hasLeftToSubmit(batch, progress)) await pauseByCounts(ledger, batch, progress.currencies);
};

/** Milliseconds that asking about one retry's originals usually takes at most. With less time to spare, no question begins. */
const checkMs = 8_000;
const concurrentChecks = 8;

const isReadyRetry = ({ status, reference }: Payout): boolean => status === 'ready' && isRetry(reference);

/**
 * Compares ready retries with their originals. Rejects those that must not be paid, or quarantines them if a call may have made
 * them. Postpones a retry when no time is left, or when the provider does not answer for an original or works on it again.
 */
const checkRetries = async (run: Run, contents: ChunkContents, postponed: Set<number>): Promise<ChunkContents> => {
  const retries = contents.payouts.filter(isReadyRetry);
  // Most originals are in one batch.
  const ledger = { ...run.ledger, getBatch: createBatchReader(run.ledger) };
  // A batch that was paused could not submit until it was resumed.
  const { registeredAt } = contents.record;
  const { statusSince }: Batch = run.batch;
  const waitsSince = registeredAt < statusSince ? statusSince : registeredAt;
  const policyOf: PolicyOf = async (retry) => {
    const checked =
      run.spareMs() < checkMs ? { kind: 'unknown' as const } : await checkRetry({ ...run, ledger }, retry, waitsSince);
    if (checked.kind === 'unknown') {
      postponed.add(retry.row);
      const { batchId, chunk, row } = retry;
      run.log.info('retry.waits', { batchId, chunk, row });
    }
    return checked.kind === 'refused' ? refuseRetry(contents.calls, checked.message) : leave;
  };
  const moved = await applyAll(run, retries, policyOf, concurrentChecks);
  return { ...contents, payouts: withMoved(contents.payouts, moved) };
};

/** Milliseconds until it is the batch's turn; 0 when it is. */
const msUntil = async ({ pace, batch: { batchId }, spareMs }: Run, kind: 'register' | 'post'): Promise<number> => {
  const turn = await pace.turn(kind, { batchId, withinMs: Math.min(turnWithinMs, spareMs()) });
  return turn.kind === 'later' ? Math.max(1, turn.waitMs) : 0;
};

/**
 * Registers a chunk in a turn of its own, unless it is registered. So registrations come at the provider's pace, and not all at the
 * moment when many children start.
 */
const registerInTurn = async (run: Run, registered: ChunkContents | undefined): Promise<Outcome> => {
  const { ledger, chunkFile } = run;
  if (registered !== undefined || chunkFile === undefined) return { contents: registered, waitMs: 0 };
  const waitMs = await msUntil(run, 'register');
  if (waitMs > 0) return { contents: undefined, waitMs };
  return { contents: await ledger.registerPayouts(chunkFile), waitMs };
};

/**
 * Cancels `ready` payouts, or quarantines those that an earlier call may have made. Registers the chunk first if needed, so that
 * each row has a status.
 */
const cancelReady = async (run: Run, registered: ChunkContents | undefined): Promise<Outcome> => {
  const found = await registerInTurn(run, registered);
  const { contents } = found;
  if (contents === undefined) return found;
  const ready = contents.payouts.filter(({ status }) => status === 'ready');
  const moved = await applyAll(run, ready, () => cancel(contents.calls));
  return { contents: { ...contents, payouts: withMoved(contents.payouts, moved) }, waitMs: 0 };
};

/** Rejects rows that were refused alone, if a later accepted call shows that the row is at fault. */
const confirmRefusals = async (
  run: Run,
  contents: ChunkContents,
  postponed: ReadonlySet<number>,
): Promise<ChunkContents> => {
  const refused = contents.payouts.filter(({ row }) => postponed.has(row));
  const moved = await applyAll(run, refused, () => confirmRefusal(contents.calls));
  return { ...contents, payouts: withMoved(contents.payouts, moved) };
};

/** Waits for the turn of one POST, which has come when `waitMs` is 0. Registers the chunk first if needed. */
const takeTurn = async (run: Run, contents: ChunkContents | undefined): Promise<Outcome> => {
  const registered = await registerInTurn(run, contents);
  return registered.waitMs > 0 ? registered : { ...registered, waitMs: await msUntil(run, 'post') };
};

/** Quarantines payouts that waited too long to be submitted again safely. */
const keepBack = async (run: Run, contents: ChunkContents): Promise<ChunkContents> => {
  const { settings, provider, clock } = run;
  const terms = { ...settings, ...provider.traits };
  const kept = await applyAll(run, contents.payouts, () => keepUnrepeatable(contents.calls, terms, clock()));
  return { ...contents, payouts: withMoved(contents.payouts, kept) };
};

/** Refused rows with a reusable reference wait for all proofs of absence before they go out again. */
const callSizes = ({ traits }: SubmitChunkDependencies['provider'], { rail }: ChunkFile): CallSizes => ({
  payoutsPerCall: traits.payoutsPerCall,
  afterRefusal: isReusable(traits, rail) ? 'alone' : 'halves',
});

/** Makes calls for ready payouts until none is left, time runs out, it is not the batch's turn, or a call is not sent. */
const submitReady = async (
  run: Run & { readonly chunkFile: ChunkFile },
  before: ChunkContents | undefined,
): Promise<Outcome> => {
  const { chunkFile, batch, invocation, spareMs } = run;
  /**
   * Rows for a later round: retries whose originals are unknown, and rows that were refused alone. A later accepted call shows
   * whether the row was at fault.
   */
  const postponed = new Set<number>();
  /** Until retries are compared with their originals, only the other rows are posted. */
  let areChecked = false;
  let contents = before && (await keepBack(run, before));
  const nextOf = (current: ChunkContents): NextCall | undefined => {
    const payouts = current.payouts.filter(
      ({ row, reference }) => !postponed.has(row) && (areChecked || !isRetry(reference)),
    );
    return decideNextCall({ ...current, payouts }, callSizes(run.provider, chunkFile));
  };
  const hasMore = (current: ChunkContents): boolean =>
    nextOf(current) !== undefined || (!areChecked && current.payouts.some(isReadyRetry));
  let waitMs = 0;
  while ((contents === undefined || hasMore(contents)) && spareMs() >= 0) {
    ({ contents, waitMs } = await takeTurn(run, contents));
    if (contents === undefined || waitMs > 0) break;
    // Last, because the other rows must not wait for slow answers about originals. And only once its turn has come: otherwise
    // every wait would ask the provider again.
    if (nextOf(contents) === undefined) {
      contents = await checkRetries(run, contents, postponed);
      areChecked = true;
    }
    const next = nextOf(contents);
    if (next === undefined || spareMs() < 0) break;
    const call = await makeCall(run, { chunkFile, batch, contents }, next, invocation);
    contents = call.contents;
    if (!call.isSent) break;
    const [last] = contents.calls.slice(-1);
    if (isUnconfirmed(last)) for (const row of last.rows) postponed.add(row);
  }
  return { contents: contents && (await confirmRefusals(run, contents, postponed)), waitMs };
};

const bound = bind(submitChunk, { ledger, files, provider, pace, settings });

export const handler = asStep('SubmitChunk', chunkInput, log, bound);
