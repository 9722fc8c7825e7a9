import * as z from 'zod';
import { pauseIfTooManyUnpaid } from '../batches/pause-unpaid.ts';
import type { Batch } from '../domain/batch/batch.ts';
import { permissionOf } from '../domain/batch/batch-status.ts';
import { mayClaimChunk } from '../domain/batch/canary-hold.ts';
import type { ChunkRecord } from '../domain/batch/chunk.ts';
import type { PlanSummary } from '../domain/batch/plan.ts';
import type { OpenWork } from '../domain/batch/progress.ts';
import { countIn, isNothingOpen, openWorkOf, waitsOnlyForOthers } from '../domain/batch/progress.ts';
import { endsOf } from '../domain/batch/unpaid-share.ts';
import type { FollowState } from '../domain/payout/follow-state.ts';
import { nextRound, roundId } from '../domain/payout/follow-state.ts';
import { rails } from '../domain/payout/payout.ts';
import { payoutStatuses, payoutStatusesBeforeAnEnd } from '../domain/payout/payout-status.ts';
import { isInterimDue, retryWaitSeconds, sweepWaitSeconds, unansweredWaitSeconds } from '../domain/payout/polling.ts';
import { executionNumber } from '../ports/workflow.ts';
import { bind, files, ledger, log, provider, settings } from '../runtime.ts';
import { archiveProofs } from './follow/archive-proofs.ts';
import { fingerprintOf } from './follow/fingerprint.ts';
import { quarantineOverdue } from './follow/quarantine-overdue.ts';
import { readLists } from './follow/read-lists.ts';
import { askQuarantined, refreshLongReady } from './follow/recheck-waiting.ts';
import { resolveDoubts } from './follow/resolve-doubts.ts';
import type { FollowDependencies, Sweep } from './follow/sweep.ts';
import { beginSweep, chunksWith, comesDue, openChunks } from './follow/sweep.ts';
import { watchCanary } from './follow/watch-canary.ts';
import type { Invocation } from './step.ts';
import { asStep, executionInput, getExistingBatch, planOf } from './step.ts';

export const followInput = executionInput.extend({
  /** The round of submitting that runs concurrently; 0: none. */
  round: z.int().min(0),
  /** The history that this execution has used, in sweeps. A sweep that starts a round counts as three. */
  sweeps: z.int().min(0),
  /** The chunk at which the last sweep ran out of time; 0 when it was complete. */
  cursor: z.int().min(0),
});
export type FollowInput = z.infer<typeof followInput>;

/** Where Follow continues. The steps before it return this. */
export interface FollowPlace extends Readonly<Omit<FollowInput, 'execution'>> {
  /** Key of the list of chunks to submit in a round that is about to begin. */
  readonly manifestKey: string;
}

/** When `next` is `submit`, `round` is the new round: one more than the last. */
export interface FollowOutput extends FollowPlace {
  readonly next: 'wait' | 'go_on' | 'report_interim' | 'submit' | 'report' | 'hand_over';
  readonly waitSeconds: number;
}

/** Milliseconds between two checks of the unpaid share while a batch submits. */
const unpaidLookMs = 30_000;

/**
 * One sweep over a batch's open payouts: those with the provider, in doubt, or overdue. Then archives proofs in the time left
 * until the next sweep. Decides from the ledger what comes next, and how long to wait. The cost grows with the number of open
 * payouts.
 *
 * Idempotent, and safe to run concurrently or late: what it keeps for the next sweep only saves work.
 */
export const followBatch = async (
  dependencies: FollowDependencies,
  input: FollowInput,
  invocation: Invocation,
): Promise<FollowOutput> => {
  const { ledger, clock, random, settings, log } = dependencies;
  const { batchId, execution, round, sweeps, cursor } = input;
  const batch = await getExistingBatch(ledger, batchId);
  // A later execution follows the batch now. Two executions would each treat the other's rounds as new, and neither would
  // submit. And nobody repeats a run that comes after its execution's end: if it died, its counts would stay wrong.
  if (executionNumber(batchId, execution) < batch.executions || batch.executionEnded === true)
    return { batchId, next: 'hand_over', waitSeconds: 1, round, manifestKey: '', sweeps, cursor: 0 };
  const kept = await ledger.readFollow(batchId);
  // Read after the state. So if a round had ended by then, all registrations of its children are visible here.
  const records = await ledger.listChunks(batchId);
  const thisRound = roundId(executionNumber(batchId, execution), round);
  const isSubmitting = round > 0 && (kept.endedRound ?? '') < thisRound;
  const sweep = beginSweep(clock(), { batch, kept, isSubmitting, isFirst: sweeps === 0, cursor }, records, invocation);
  const roundSince = kept.round === thisRound && kept.roundSince !== undefined ? kept.roundSince : sweep.now;
  const lists = await followOpen(dependencies, sweep);
  const secondsSince = Math.max(0, sweep.nowMs - Date.parse(roundSince)) / 1000;
  const pollAt = sweep.nowMs + 1000 * sweepWaitSeconds(secondsSince, settings, random());
  // A child may have died before it registered its chunk.
  const unregistered = isSubmitting ? { chunks: [], rows: 0 } : unregisteredOf(planOf(batch), records);
  const isOnlyProofs =
    !isSubmitting && unregistered.rows === 0 && chunksWith(sweep, ...payoutStatusesBeforeAnEnd).length === 0;
  // Once every payout has ended, no status can be late. One long sweep then archives as many proofs as several short ones, each
  // of which would cost three state transitions.
  const proofsUntil = isOnlyProofs ? Math.max(pollAt, sweep.nowMs + settings.pollMaxSeconds * 1000) : pollAt;
  await archiveProofs(dependencies, sweep, proofsUntil);

  const openWork = openWorkOf([...sweep.records.values()], unregistered.rows, sweep.nowMs, settings);
  const watched = await watchCautions(dependencies, sweep, openWork);
  const situation = { sweep, batch: watched, thisRound, unregistered, roundSince, openWork };
  const decided = decide(settings, input, situation);
  const manifestKey = await writeManifest(dependencies, batchId, decided);
  if (decided.dueAt !== undefined) comesDue(sweep, decided.dueAt);
  const unanswered = sweep.isUnanswered ? (kept.unanswered ?? 0) + 1 : 0;
  if (unanswered > 0) comesDue(sweep, sweep.nowMs + unansweredWaitSeconds(unanswered, settings) * 1000);
  const dueAt = Math.max(sweep.nowMs + 1000, Math.min(pollAt, sweep.dueAt ?? pollAt));
  const isPausedStill = permissionOf(watched) === 'paused' && openWork.withProvider === 0;
  const nextAt = isPausedStill ? Math.max(dueAt, sweep.nowMs + settings.pausedRecheckSeconds * 1000) : dueAt;
  await ledger.writeFollow({
    ...kept,
    ...decided.state,
    lists,
    unanswered,
    round: thisRound,
    roundSince,
    sweptAt: sweep.now,
    nextSweepAt: new Date(nextAt).toISOString(),
    fingerprint: fingerprintOf(sweep.records.values()),
  });
  log.info('follow.swept', { batchId, ...openWork });
  return {
    batchId,
    next: decided.next,
    waitSeconds: Math.max(1, Math.ceil((nextAt - clock()) / 1000)),
    round: decided.next === 'submit' ? nextRound(executionNumber(batchId, execution), round, kept.endedRound) : round,
    manifestKey,
    // A round of submitting writes as much history as two sweeps.
    sweeps: sweeps + (decided.next === 'submit' ? 3 : 1),
    cursor: sweep.stoppedAt ?? 0,
  };
};

/** Writes the list of chunks of a round that begins, and returns its key. */
const writeManifest = async (
  { files, ids }: FollowDependencies,
  batchId: string,
  { chunks }: Decided,
): Promise<string> =>
  chunks === undefined ? '' : files.putSubmitManifest(batchId, ids.sortable().toLowerCase(), chunks);

/** Checks the batch against the limits set at its start: the canary and the unpaid share. Returns the latest batch. */
const watchCautions = async (
  dependencies: FollowDependencies,
  sweep: Sweep,
  { toSubmit }: OpenWork,
): Promise<Batch> => {
  const batch = await watchCanary(dependencies, sweep);
  if (batch.pauseAbove === undefined) return batch;
  // While children submit, `toSubmit` does not count unregistered rows.
  const isLeft = sweep.isSubmitting || toSubmit > 0;
  if (sweep.isSubmitting) comesDue(sweep, sweep.nowMs + unpaidLookMs);
  return isLeft ? pauseIfTooManyUnpaid(dependencies.ledger, batch, endsOf([...sweep.records.values()])) : batch;
};

/** Updates all statuses. Returns how far the provider's lists were read. */
const followOpen = async (
  dependencies: FollowDependencies,
  sweep: Sweep,
): Promise<NonNullable<FollowState['lists']>> => {
  await refreshLongReady(dependencies, sweep);
  await askQuarantined(dependencies, sweep);
  // Before the lists, which may use up the time: rows in doubt may have to be submitted again.
  await resolveDoubts(dependencies, sweep);
  const lists = { ...sweep.kept.lists };
  for (const rail of rails)
    if (openChunks({ sweep, rail }).length > 0) lists[rail] = await readLists(dependencies, sweep, rail);
  await quarantineOverdue(dependencies, sweep);
  return lists;
};

/** Chunks of the plan without a record, and the number of their rows. */
const unregisteredOf = ({ chunks, validRows }: PlanSummary, records: readonly ChunkRecord[]) => {
  const registered = new Set(records.map(({ chunk }) => chunk));
  return {
    chunks: Array.from({ length: chunks }, (_, index) => index + 1).filter((chunk) => !registered.has(chunk)),
    rows: Math.max(0, validRows - countIn(records, ...payoutStatuses)),
  };
};

interface Situation {
  readonly sweep: Sweep;
  /** The batch after the canary and the unpaid share were checked. */
  readonly batch: Batch;
  readonly thisRound: string;
  readonly unregistered: ReturnType<typeof unregisteredOf>;
  /** When the sweeps of this round of submitting began, ISO 8601 UTC. */
  readonly roundSince: string;
  readonly openWork: OpenWork;
}

interface Decided {
  readonly next: FollowOutput['next'];
  readonly state?: Partial<FollowState>;
  /** The chunks of the round that begins, when `next` is `submit`. */
  readonly chunks?: readonly number[];
  /** When the next round may begin, in milliseconds since 1970. */
  readonly dueAt?: number;
}

/** Decides what comes after this sweep. Writes nothing. */
const decide = (settings: FollowDependencies['settings'], input: FollowInput, situation: Situation): Decided => {
  const { sweep, batch, unregistered, roundSince, openWork } = situation;
  const { kept, isSubmitting } = sweep;
  const permission = permissionOf(batch);
  const isIncomplete = sweep.stoppedAt !== undefined;
  // The next execution finds in the ledger what is still to be submitted. A running round is awaited first.
  if (input.sweeps >= settings.sweepsPerExecution && (isIncomplete || isSubmitting || !isNothingOpen(openWork)))
    return { next: 'hand_over' };
  // Comes before the rest of an incomplete sweep: sweeps that never complete must not keep a row from being submitted.
  if (!isSubmitting && permission !== 'paused' && submittableOf(situation) > 0) {
    const again = decideSubmit(settings, input, situation);
    return again.next === 'wait' && isIncomplete ? { ...again, next: 'go_on' } : again;
  }
  if (isIncomplete) return { next: 'go_on' };
  if (isSubmitting) return { next: 'wait' };
  if (isNothingOpen(openWork)) return { next: 'report' };
  const fingerprint = fingerprintOf(sweep.records.values());
  const isQuiet = kept.fingerprint === fingerprint && kept.interimOf !== fingerprint;
  const lastInterim = kept.interimAt === undefined ? undefined : Date.parse(kept.interimAt);
  const isDue = isInterimDue(sweep.nowMs, Date.parse(roundSince), lastInterim);
  // An interim report without any ended payout would be useless.
  const open = countIn([...sweep.records.values()], ...payoutStatusesBeforeAnEnd);
  const hasEnds = planOf(batch).validRows - unregistered.rows > open;
  if (isQuiet && isDue && hasEnds && waitsOnlyForOthers(openWork, permission))
    return { next: 'report_interim', state: { interimOf: fingerprint, interimAt: sweep.now } };
  return { next: 'wait' };
};

/** Rows to submit now. Rows that wait for the canary are not submitted, unless to be canceled. */
const submittableOf = ({ sweep, batch, openWork, unregistered }: Situation): number => {
  if (permissionOf(batch) === 'canceled' || batch.claimUpTo === undefined) return openWork.toSubmit;
  const own = [...sweep.records.values()].filter(({ chunk }) => mayClaimChunk(batch, chunk));
  const missing = (batch.canary ?? 0) - countIn(own, ...payoutStatuses);
  return countIn(own, 'ready') + Math.min(unregistered.rows, Math.max(0, missing));
};

/** Decides on one more round for the chunks that have rows to submit. Waits longer after rounds that achieved nothing. */
const decideSubmit = (
  settings: FollowDependencies['settings'],
  { round }: FollowInput,
  situation: Situation,
): Decided => {
  const { sweep, batch, thisRound, unregistered } = situation;
  const { kept } = sweep;
  const left = submittableOf(situation);
  let { idleRounds = 0, submitAfter } = kept;
  // Once per round, however many sweeps the wait takes.
  if (kept.leftRound !== thisRound || submitAfter === undefined) {
    const isIdle = round > 0 && kept.left !== undefined && left >= kept.left;
    idleRounds = isIdle ? idleRounds + 1 : 0;
    submitAfter = new Date(sweep.nowMs + retryWaitSeconds(idleRounds, settings) * 1000).toISOString();
  }
  const state = { leftRound: thisRound, left, idleRounds, submitAfter };
  const dueAt = Date.parse(submitAfter);
  if (dueAt > sweep.nowMs) return { next: 'wait', state, dueAt };
  const isCanceled = permissionOf(batch) === 'canceled';
  const chunks = [...chunksWith(sweep, 'ready').map(({ chunk }) => chunk), ...unregistered.chunks].filter(
    (chunk) => isCanceled || mayClaimChunk(batch, chunk),
  );
  return { next: 'submit', state, chunks: chunks.toSorted((one, other) => one - other) };
};

export const handler = asStep('Follow', followInput, log, bind(followBatch, { ledger, files, provider, settings }));
