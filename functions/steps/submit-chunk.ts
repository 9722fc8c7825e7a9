import * as z from 'zod';
import { pauseUnpaid } from '../batches/pause-unpaid.ts';
import type { Batch } from '../domain/batch/batch.ts';
import { batchTransitions, fileAltered, permissionOf } from '../domain/batch/batch-status.ts';
import { mayClaimChunk } from '../domain/batch/canary-hold.ts';
import type { ChunkRecord, NextCall } from '../domain/batch/chunk.ts';
import { decideNextCall, hashDestination } from '../domain/batch/chunk.ts';
import type { ChunkFile } from '../domain/batch/chunk-file.ts';
import { hasLeftToSubmit } from '../domain/batch/progress.ts';
import { endsOf } from '../domain/batch/unpaid-share.ts';
import { unlessAltered } from '../domain/errors.ts';
import { withMoved } from '../domain/payout/payout.ts';
import { isRetry } from '../domain/payout/retries.ts';
import { submitMargins } from '../domain/settings.ts';
import type { PolicyOf } from '../payouts/apply.ts';
import { applyAll } from '../payouts/apply.ts';
import { leave } from '../payouts/decide.ts';
import { cancel, confirmRefusal, isUnconfirmed, keepUnrepeatable, refuseRetry } from '../payouts/resolve.ts';
import { judgeRetry } from '../payouts/retries.ts';
import type { ChunkContents } from '../ports/ledger/payout-ledger.ts';
import { clock, files, ids, ledger, log, pace, provider, settings } from '../runtime.ts';
import type { Invocation, Needs } from './step.ts';
import { asStep, batchInput, getExistingBatch, planOf } from './step.ts';
import type { MakeCallDependencies, Work } from './submit/make-call.ts';
import { makeCall, postMs } from './submit/make-call.ts';
import { stopBatch } from './submit/record-call-answer.ts';

/** What a child of the Distributed Map is about. */
export const chunkInput = batchInput.extend({ chunk: z.int().min(1) });
export type ChunkInput = z.infer<typeof chunkInput>;

/**
 * Milliseconds that it waits in the function for its turn under the provider's limit: a Wait state costs three transitions, as
 * much as ten seconds of this function. It is also what gives a small batch its precedence at a low limit.
 */
const turnWithinMs = 10_000;
/** A provider that asks for an hour's rest must not keep a child from noticing that its batch was canceled. */
const longestWaitSeconds = 300;

export type SubmitChunkDependencies = MakeCallDependencies &
  Needs<{
    ledger: 'getBatch' | 'registerPayouts' | 'readChunk' | 'getPayoutByReference' | 'refreshChunk' | 'readProgress';
    files: 'getChunk';
    pace: 'turn';
  }>;

export interface SubmitChunkOutput extends ChunkInput {
  /** `wait`: it is not its turn under the provider's limit yet. */
  readonly next: 'submitted' | 'wait';
  readonly waitSeconds: number;
}

/**
 * Registers the chunk's payouts and makes its calls: claim, POST once, write the answer down (SUBMIT-PROTOCOL.md). It
 * waits for nobody: what is left in doubt, paused or halted is left to Follow. May be run any number of times, also at once: only
 * who creates CALL#k may POST it.
 */
export const submitChunk = async (
  dependencies: SubmitChunkDependencies,
  input: ChunkInput,
  invocation: Invocation,
): Promise<SubmitChunkOutput> => {
  const { ledger, files, log } = dependencies;
  const { batchId, chunk } = input;
  const batch = await getExistingBatch(ledger, batchId);
  const permission = permissionOf(batch);
  const chunkFile = await files.getChunk(planOf(batch), chunk).catch(unlessAltered);
  // Told also of a batch that is canceled: somebody writes over its files.
  if (chunkFile === undefined) log.alarm('BatchHalted', { batchId, chunk });
  let left: Left = { contents: await ledger.readChunk(batchId, chunk), waitMs: 0 };
  // What is registered can be canceled without its file.
  if (chunkFile === undefined && (permission !== 'canceled' || left.contents === undefined)) {
    await stopBatch(dependencies, input, batchTransitions.halt, fileAltered);
    return { ...input, next: 'submitted', waitSeconds: 0 };
  }
  if (permission === 'canceled') left = await cancelReady(dependencies, chunkFile, left.contents, invocation);
  if (permission === 'may_submit' && chunkFile !== undefined && mayClaimChunk(batch, chunk))
    left = await submitReady(dependencies, { chunkFile, batch, contents: left.contents }, invocation);
  const { contents, waitMs } = left;
  if (contents !== undefined) {
    const { record } = await ledger.recount(contents);
    await watchUnpaid(dependencies, batch, [record]);
  }
  const waitSeconds = Math.min(longestWaitSeconds, Math.ceil(waitMs / 1000));
  return { ...input, next: waitMs > 0 ? 'wait' : 'submitted', waitSeconds };
};

/** Age at which what a batch's chunks add up to still tells in time that too many are not paid. */
const endsMs = 10_000;

/** Follow looks as well, but minutes may lie between two sweeps of a batch that submits for hours. */
const watchUnpaid = async (
  { ledger }: SubmitChunkDependencies,
  batch: Batch,
  own: readonly ChunkRecord[],
): Promise<void> => {
  if (batch.pauseAbove === undefined || endsOf(own).unpaid === 0) return;
  const progress = await ledger.readProgress(batch.batchId, { atMostMs: endsMs });
  if (hasLeftToSubmit(batch, progress)) await pauseUnpaid(ledger, batch, endsOf(progress.currencies));
};

/** The chunk's payouts, registered from its file. */
const register = (ledger: SubmitChunkDependencies['ledger'], chunkFile: ChunkFile): Promise<ChunkContents> =>
  ledger.registerPayouts(
    chunkFile,
    new Map(chunkFile.payouts.map(({ row, recipient }) => [row, hashDestination(recipient)])),
  );

/** Milliseconds that asking about the originals of one retry may take. */
const judgeMs = 8_000;
const judgedAtOnce = 8;

/** Holds the retries that are ready against their originals. What must not be made is rejected; what is not known is put off. */
const judgeRetries = async (
  dependencies: SubmitChunkDependencies,
  contents: ChunkContents,
  putOff: Set<number>,
  { remainingMs }: Invocation,
): Promise<ChunkContents> => {
  const retries = contents.payouts.filter(({ status, reference }) => status === 'ready' && isRetry(reference));
  const needsMs = judgeMs + submitMargins.claimMs + postMs(dependencies);
  const judge: PolicyOf = async (retry) => {
    const judged = remainingMs() < needsMs ? { kind: 'unknown' as const } : await judgeRetry(dependencies, retry);
    if (judged.kind === 'unknown') putOff.add(retry.row);
    return judged.kind === 'refused' ? refuseRetry(contents.calls, judged.message) : leave;
  };
  const moved = await applyAll(dependencies, retries, judge, judgedAtOnce);
  return { ...contents, payouts: withMoved(contents.payouts, moved) };
};

/** What a run leaves: undefined contents of a chunk that is not registered. */
interface Left {
  readonly contents: ChunkContents | undefined;
  readonly waitMs: number;
}

/** Milliseconds that are left before a call could not be made any more. */
const spareOf =
  (dependencies: SubmitChunkDependencies, { remainingMs }: Invocation) =>
  (): number =>
    remainingMs() - submitMargins.claimMs - postMs(dependencies);

/** Milliseconds until it is the batch's turn; 0 when it is. */
const msUntil = async (
  { pace }: Pick<SubmitChunkDependencies, 'pace'>,
  kind: 'register' | 'post',
  batchId: string,
  spareMs: () => number,
): Promise<number> => {
  const turn = await pace.turn(kind, { batchId, withinMs: Math.min(turnWithinMs, spareMs()) });
  return turn.kind === 'later' ? Math.max(1, turn.waitMs) : 0;
};

/** Registers a chunk in a turn for that: so its writes come at the provider's pace, and not with those of all children that begin together. */
const registerInTurn = async (
  dependencies: SubmitChunkDependencies,
  chunkFile: ChunkFile,
  spareMs: () => number,
): Promise<Left> => {
  const waitMs = await msUntil(dependencies, 'register', chunkFile.batchId, spareMs);
  return { contents: waitMs > 0 ? undefined : await register(dependencies.ledger, chunkFile), waitMs };
};

/** Cancels what was never claimed. A chunk that is not registered is registered for it, so that each row has a status. */
const cancelReady = async (
  dependencies: SubmitChunkDependencies,
  chunkFile: ChunkFile | undefined,
  registered: ChunkContents | undefined,
  invocation: Invocation,
): Promise<Left> => {
  const found =
    registered === undefined && chunkFile !== undefined
      ? await registerInTurn(dependencies, chunkFile, spareOf(dependencies, invocation))
      : { contents: registered, waitMs: 0 };
  const { contents } = found;
  if (contents === undefined) return found;
  const ready = contents.payouts.filter(({ status }) => status === 'ready');
  const moved = await applyAll(dependencies, ready, () => cancel(contents.calls));
  return { contents: { ...contents, payouts: withMoved(contents.payouts, moved) }, waitMs: 0 };
};

/** Rejects what was refused alone, where that now tells whose fault it was. */
const confirmRefusals = async (
  dependencies: SubmitChunkDependencies,
  contents: ChunkContents,
  putOff: ReadonlySet<number>,
): Promise<ChunkContents> => {
  const refused = contents.payouts.filter(({ row }) => putOff.has(row));
  const moved = await applyAll(dependencies, refused, () => confirmRefusal(contents.calls));
  return { ...contents, payouts: withMoved(contents.payouts, moved) };
};

/** A chunk that may submit, registered or not. */
type ToSubmit = Omit<Work, 'contents'> & Pick<Left, 'contents'>;

/** Waits for the turn of one POST: it has come when there is no `waitMs`. A chunk that is not registered is registered first. */
const takeTurn = async (
  dependencies: SubmitChunkDependencies,
  { chunkFile, batch: { batchId }, contents }: ToSubmit,
  spareMs: () => number,
): Promise<Left> => {
  const left =
    contents === undefined ? await registerInTurn(dependencies, chunkFile, spareMs) : { contents, waitMs: 0 };
  if (left.waitMs > 0) return left;
  return { ...left, waitMs: await msUntil(dependencies, 'post', batchId, spareMs) };
};

/** Leaves to a person what was ready to be submitted again for longer than that is safe. */
const keepBack = async (dependencies: SubmitChunkDependencies, contents: ChunkContents): Promise<ChunkContents> => {
  const { settings, provider, clock } = dependencies;
  const terms = { ...settings, ...provider.traits };
  const kept = await applyAll(dependencies, contents.payouts, () => keepUnrepeatable(contents.calls, terms, clock()));
  return { ...contents, payouts: withMoved(contents.payouts, kept) };
};

/** Makes calls for what is ready, until nothing is, or no time is left, or it is not its turn. */
const submitReady = async (
  dependencies: SubmitChunkDependencies,
  { chunkFile, batch, contents: before }: ToSubmit,
  invocation: Invocation,
): Promise<Left> => {
  const { provider } = dependencies;
  /** Rows for a later round: retries of which nobody knows yet, and rows refused alone, since one accepted after them tells whose fault it is. */
  const putOff = new Set<number>();
  let contents = before && (await keepBack(dependencies, before));
  const nextOf = (standing: ChunkContents): NextCall | undefined => {
    const payouts = standing.payouts.filter(({ row }) => !putOff.has(row));
    return decideNextCall({ ...standing, payouts }, provider.traits.payoutsPerCall);
  };
  const spareMs = spareOf(dependencies, invocation);
  let areJudged = false;
  let waitMs = 0;
  while ((contents === undefined || nextOf(contents) !== undefined) && spareMs() >= 0) {
    ({ contents, waitMs } = await takeTurn(dependencies, { chunkFile, batch, contents }, spareMs));
    if (contents === undefined || waitMs > 0) break;
    // Not before it is its turn: who waits for it would ask the provider each time.
    if (!areJudged) contents = await judgeRetries(dependencies, contents, putOff, invocation);
    areJudged = true;
    const next = nextOf(contents);
    if (next === undefined || spareMs() < 0) break;
    const made = await makeCall(dependencies, { chunkFile, batch, contents }, next, invocation);
    contents = made.contents;
    if (!made.isSent) break;
    const [last] = contents.calls.slice(-1);
    if (isUnconfirmed(last)) for (const row of last.rows) putOff.add(row);
  }
  return { contents: contents && (await confirmRefusals(dependencies, contents, putOff)), waitMs };
};

export const handler = asStep('SubmitChunk', chunkInput, log, (input, invocation) =>
  submitChunk(
    { ledger: ledger(), files: files(), provider: provider(), pace: pace(), settings: settings(), clock, ids, log },
    input,
    invocation,
  ),
);
