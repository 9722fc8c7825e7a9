import { createHash } from 'node:crypto';
import { pauseUnpaid } from '../batches/pause-unpaid.ts';
import type { Batch } from '../domain/batch.ts';
import type { Permission } from '../domain/batch-status.ts';
import { batchTransitions, fileAltered, permissionOf } from '../domain/batch-status.ts';
import { mayClaimChunk } from '../domain/canary-hold.ts';
import type { ChunkFile, ChunkRecord, NextCall, PlannedPayout } from '../domain/chunk.ts';
import { decideNextCall, hashDestination } from '../domain/chunk.ts';
import { InvariantBroken, unlessAltered } from '../domain/errors.ts';
import type { Payout } from '../domain/payout.ts';
import { withMoved } from '../domain/payout.ts';
import { hasLeftToSubmit } from '../domain/progress.ts';
import { isRetry } from '../domain/retries.ts';
import { submitMargins } from '../domain/settings.ts';
import { endsOf } from '../domain/unpaid-share.ts';
import type { PolicyOf } from '../payouts/apply.ts';
import { applyAll } from '../payouts/apply.ts';
import { leave } from '../payouts/decide.ts';
import { cancel, confirmRefusal, isUnconfirmed, refuseRetry } from '../payouts/resolve.ts';
import { judgeRetry } from '../payouts/retries.ts';
import { isoNow } from '../ports/environment.ts';
import type { ChunkContents } from '../ports/payout-ledger.ts';
import type { SubmitAnswer } from '../ports/provider.ts';
import { clock, files, ids, ledger, log, pace, provider, settings } from '../runtime.ts';
import type { RecordCallAnswerDependencies } from './record-call-answer.ts';
import { recordCallAnswer, stopBatch } from './record-call-answer.ts';
import type { ChunkInput, Invocation, Needs } from './step.ts';
import { asStep, chunkInput, getExistingBatch, planOf } from './step.ts';

/**
 * Milliseconds that it waits in the function for its turn under the provider's limit: a Wait state costs three transitions, as
 * much as ten seconds of this function. It is also what gives a small batch its precedence at a low limit.
 */
const turnWithinMs = 10_000;
/** A provider that asks for an hour's rest must not keep a child from noticing that its batch was canceled. */
const longestWaitSeconds = 300;

export type SubmitChunkDependencies = RecordCallAnswerDependencies &
  Needs<
    {
      ledger:
        | 'getBatch'
        | 'registerPayouts'
        | 'readChunk'
        | 'claimCall'
        | 'recount'
        | 'getPayoutByReference'
        | 'refreshChunk'
        | 'readProgress';
      files: 'getChunk';
      provider: 'composeSubmission' | 'submit';
      pace: 'turn';
    },
    'settings' | 'ids'
  >;

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
  const registered = await register(ledger, chunkFile, permission, input);
  if (registered === undefined) {
    await stopBatch(dependencies, input, batchTransitions.halt, fileAltered);
    return { ...input, next: 'submitted', waitSeconds: 0 };
  }
  let contents = registered;
  if (permission === 'canceled') {
    const ready = contents.payouts.filter(({ status }) => status === 'ready');
    const moved = await applyAll(dependencies, ready, () => cancel(contents.calls));
    contents = { ...contents, payouts: withMoved(contents.payouts, moved) };
  }
  let waitMs = 0;
  if (permission === 'may_submit' && chunkFile !== undefined && mayClaimChunk(batch, chunk))
    ({ contents, waitMs } = await submitReady(dependencies, { chunkFile, batch, contents }, invocation));
  const { record } = await ledger.recount(contents);
  await watchUnpaid(dependencies, batch, [record]);
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

/** The chunk's payouts, registered from its file. An altered file registers none, but what is registered can be canceled without it. */
const register = async (
  ledger: SubmitChunkDependencies['ledger'],
  chunkFile: ChunkFile | undefined,
  permission: Permission,
  { batchId, chunk }: ChunkInput,
): Promise<ChunkContents | undefined> => {
  if (chunkFile === undefined) return permission === 'canceled' ? ledger.readChunk(batchId, chunk) : undefined;
  const hashes = new Map(chunkFile.payouts.map(({ row, recipient }) => [row, hashDestination(recipient)]));
  return ledger.registerPayouts(chunkFile, hashes);
};

/** Milliseconds from the POST until its answer is written down, at the worst. */
const postMs = ({ settings }: SubmitChunkDependencies): number =>
  settings.httpTimeoutSeconds * 1000 + submitMargins.settleMs;

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

/** A chunk at work. */
interface Work {
  readonly chunkFile: ChunkFile;
  readonly batch: Batch;
  readonly contents: ChunkContents;
}

/** Makes calls for what is ready, until nothing is, or no time is left, or it is not its turn. */
const submitReady = async (
  dependencies: SubmitChunkDependencies,
  { chunkFile, batch, contents: before }: Work,
  invocation: Invocation,
): Promise<{ readonly contents: ChunkContents; readonly waitMs: number }> => {
  const { settings, pace } = dependencies;
  /** Rows for a later round: retries of which nobody knows yet, and rows refused alone, since one accepted after them tells whose fault it is. */
  const putOff = new Set<number>();
  let contents = before;
  const decideNext = (): NextCall | undefined => {
    const payouts = contents.payouts.filter(({ row }) => !putOff.has(row));
    return decideNextCall({ ...contents, payouts }, settings.payoutsPerCall);
  };
  const marginMs = submitMargins.claimMs + postMs(dependencies);
  let areJudged = false;
  let waitMs = 0;
  for (;;) {
    const spareMs = invocation.remainingMs() - marginMs;
    if (decideNext() === undefined || spareMs < 0) break;
    const withinMs = Math.min(turnWithinMs, spareMs);
    const turn = await pace.turn('post', { batchId: batch.batchId, withinMs });
    if (turn.kind === 'later') {
      waitMs = turn.waitMs;
      break;
    }
    // Not before it is its turn: who waits for it would ask the provider each time.
    if (!areJudged) contents = await judgeRetries(dependencies, contents, putOff, invocation);
    areJudged = true;
    const next = decideNext();
    if (next === undefined || invocation.remainingMs() < marginMs) break;
    const made = await makeCall(dependencies, { chunkFile, batch, contents }, next, invocation);
    contents = made.contents;
    if (!made.isSent) break;
    const [last] = contents.calls.slice(-1);
    if (isUnconfirmed(last)) for (const row of last.rows) putOff.add(row);
  }
  const refused = contents.payouts.filter(({ row }) => putOff.has(row));
  const moved = await applyAll(dependencies, refused, () => confirmRefusal(contents.calls));
  return { contents: { ...contents, payouts: withMoved(contents.payouts, moved) }, waitMs };
};

/**
 * Answers the chunk as it then stands, and whether the call was sent. It was not when nothing left, or somebody else has the call:
 * trying again at once would not help.
 */
const makeCall = async (
  dependencies: SubmitChunkDependencies,
  { chunkFile, batch, contents }: Work,
  { k, rows }: NextCall,
  invocation: Invocation,
): Promise<{ readonly isSent: boolean; readonly contents: ChunkContents }> => {
  const { ledger, provider, ids, clock, log } = dependencies;
  const { batchId, chunk, rail } = chunkFile;
  const claimedRows = new Set(rows);
  const ready = contents.payouts.filter(({ row }) => claimedRows.has(row));
  const body = provider.composeSubmission(chunkFile, plannedOf(chunkFile, ready));
  const claimId = ids.unique();
  const payloadHash = createHash('sha256').update(body).digest('hex');
  const newCall = { batchId, chunk, k, rows, payloadHash, claimId };
  const claimedAt = isoNow(clock);
  const claim = await ledger.claimCall(newCall);
  log.info('call.claim', { batchId, chunk, k, rows: rows.length, claim: claim.kind });
  if (claim.kind !== 'claimed') return { isSent: false, contents };
  const claimedPayouts = ready.map((payout) => asClaimed(payout, k));
  // Before the POST: who holds balance and reservations together must see that the money may be gone.
  const counted = await ledger.recount(contents, claimedPayouts);
  // A claim that took too long leaves no time for its answer: the permit is given back unused.
  const answer: SubmitAnswer =
    invocation.remainingMs() < postMs(dependencies)
      ? { kind: 'not_sent', cause: 'no_time_left' }
      : await provider.submit(rail, body);
  const cause = 'cause' in answer ? { cause: answer.cause } : {};
  log.info('call.answer', { batchId, chunk, k, answer: answer.kind, ...cause });
  const claimed = {
    call: { ...newCall, claimedAt },
    calls: contents.calls,
    payouts: claimedPayouts,
    ...(batch.acknowledgedWords === undefined ? {} : { acknowledgedWords: batch.acknowledgedWords }),
  };
  const { call, payouts } = await recordCallAnswer(dependencies, claimed, answer, invocation);
  const standing = {
    record: counted.record,
    payouts: withMoved(counted.payouts, payouts),
    calls: [...contents.calls, call],
  };
  return { isSent: answer.kind !== 'not_sent', contents: standing };
};

/** A payout as the claim leaves it: what was counted and said before belongs to the submission before this one. */
const asClaimed = ({ absences: _absences, reason: _reason, ...payout }: Payout, k: number): Payout => ({
  ...payout,
  status: 'submitting',
  call: k,
});

/**
 * The rows to pay as the chunk file has them, each held against what the ledger says of it.
 *
 * @throws InvariantBroken when file and ledger differ in reference, rail, currency, amount or destination
 */
const plannedOf = (chunkFile: ChunkFile, payouts: readonly Payout[]): readonly PlannedPayout[] => {
  const planned = new Map(chunkFile.payouts.map((one) => [one.row, one]));
  return payouts.map(({ row, reference, rail, currency, amount, destinationHash }) => {
    const found = planned.get(row);
    const isSame =
      found?.reference === reference &&
      chunkFile.rail === rail &&
      chunkFile.currency === currency &&
      found.amount === amount &&
      hashDestination(found.recipient) === destinationHash;
    if (!isSame) throw new InvariantBroken(`row ${row}: the chunk file differs from the ledger`);
    return found;
  });
};

export const handler = asStep('SubmitChunk', chunkInput, log, (input, invocation) =>
  submitChunk(
    { ledger: ledger(), files: files(), provider: provider(), pace: pace(), settings: settings(), clock, ids, log },
    input,
    invocation,
  ),
);
