import * as z from 'zod';
import { pauseUnpaid } from '../batches/pause-unpaid.ts';
import type { Batch } from '../domain/batch/batch.ts';
import { permissionOf } from '../domain/batch/batch-status.ts';
import { mayClaimChunk } from '../domain/batch/canary-hold.ts';
import type { ChunkRecord } from '../domain/batch/chunk.ts';
import type { PlanSummary } from '../domain/batch/plan.ts';
import type { OpenWork } from '../domain/batch/progress.ts';
import { countIn, isChunkOpen, isNothingOpen, isSettledButForOthers, openWorkOf } from '../domain/batch/progress.ts';
import { endsOf } from '../domain/batch/unpaid-share.ts';
import type { FollowState } from '../domain/payout/follow-state.ts';
import { nextRound, roundId } from '../domain/payout/follow-state.ts';
import { payoutStatuses, payoutStatusesBeforeAnEnd } from '../domain/payout/payout-status.ts';
import { isInterimDue, retryWaitSeconds, sweepWaitSeconds, unansweredWaitSeconds } from '../domain/payout/polling.ts';
import { executionNumber } from '../ports/workflow.ts';
import { clock, files, ids, ledger, log, provider, random, settings } from '../runtime.ts';
import { archiveProofs } from './follow/archive-proofs.ts';
import { askQuarantined, checkReady, quarantineOverdue } from './follow/look-at-what-rests.ts';
import { readLists } from './follow/read-lists.ts';
import { resolveDoubts } from './follow/resolve-doubts.ts';
import type { FollowDependencies, Sweep } from './follow/sweep.ts';
import { beginSweep, chunksWith, comesDue, openChunks } from './follow/sweep.ts';
import { watchCanary } from './follow/watch-canary.ts';
import type { Invocation } from './step.ts';
import { asStep, executionInput, getExistingBatch, planOf } from './step.ts';

export const followInput = executionInput.extend({
  /** The round of submitting that goes on beside; 0: none. */
  round: z.int().min(0),
  /** Sweeps of this execution so far. */
  sweeps: z.int().min(0),
  /** The chunk that the last sweep had no time for; 0: it had time for all. */
  cursor: z.int().min(0),
});
export type FollowInput = z.infer<typeof followInput>;

/** Where Follow goes on, as the steps before it answer. */
export interface FollowPlace extends Readonly<Omit<FollowInput, 'execution'>> {
  /** Of a round that is to begin: the chunks that have something to submit. */
  readonly manifestKey: string;
}

/** With `submit` the round is one more than the last. */
export interface FollowOutput extends FollowPlace {
  readonly next: 'wait' | 'go_on' | 'report_interim' | 'submit' | 'report' | 'hand_over';
  readonly waitSeconds: number;
}

/** Between two looks at what ended unpaid while a batch submits. */
const unpaidLookMs = 30_000;

/**
 * One sweep over everything of a batch that is open: what the provider works on, what is in doubt, what is overdue, then
 * proofs in the time that is left until the next sweep. Decides from the ledger what comes next, and how long to wait. Its cost grows
 * with what is open. May run twice, at once and late: what it leaves for the next sweep is a help, and no more.
 */
export const followBatch = async (
  dependencies: FollowDependencies,
  input: FollowInput,
  invocation: Invocation,
): Promise<FollowOutput> => {
  const { ledger, clock, random, settings, log } = dependencies;
  const { batchId, execution, round, sweeps, cursor } = input;
  const batch = await getExistingBatch(ledger, batchId);
  // A later execution of the batch follows it: two would take each other's rounds for new, and neither would submit.
  if (executionNumber(batchId, execution) < batch.executions)
    return { batchId, next: 'hand_over', waitSeconds: 1, round, manifestKey: '', sweeps, cursor: 0 };
  const kept = await ledger.readFollow(batchId);
  // After the state: of a round that had ended by then, every child has registered what it was going to.
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
  // Where every payout has ended no status can be late: one sweep archives what several would, and each costs three transitions.
  const proofsUntil = isOnlyProofs ? Math.max(pollAt, sweep.nowMs + settings.pollMaxSeconds * 1000) : pollAt;
  await archiveProofs(dependencies, sweep, proofsUntil);

  const standing = openWorkOf([...sweep.records.values()], unregistered.rows, sweep.nowMs, settings);
  const watched = await watchCautions(dependencies, sweep, standing);
  const situation = { sweep, batch: watched, thisRound, unregistered, roundSince, standing };
  const decided = await decide(dependencies, input, situation);
  const unanswered = sweep.isUnanswered ? (kept.unanswered ?? 0) + 1 : 0;
  if (unanswered > 0) comesDue(sweep, sweep.nowMs + unansweredWaitSeconds(unanswered, settings) * 1000);
  const dueAt = Math.max(sweep.nowMs + 1000, Math.min(pollAt, sweep.dueAt ?? pollAt));
  const isPausedStill = permissionOf(watched) === 'paused' && standing.withProvider === 0;
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
    openPrint: printOf(sweep),
  });
  log.info('follow.swept', { batchId, ...standing });
  return {
    batchId,
    next: decided.next,
    waitSeconds: Math.max(1, Math.ceil((nextAt - clock()) / 1000)),
    round: decided.next === 'submit' ? nextRound(executionNumber(batchId, execution), round, kept.endedRound) : round,
    manifestKey: decided.manifestKey ?? '',
    // A round of submitting writes as much history as two sweeps.
    sweeps: sweeps + (decided.next === 'submit' ? 3 : 1),
    cursor: sweep.stoppedAt ?? 0,
  };
};

/** Holds the batch against what its start asked for. Answers it as it then stands. */
const watchCautions = async (
  dependencies: FollowDependencies,
  sweep: Sweep,
  { toSubmit }: OpenWork,
): Promise<Batch> => {
  const batch = await watchCanary(dependencies, sweep);
  if (batch.pauseAbove === undefined) return batch;
  // While children submit, what is not registered is not among those to submit.
  const isLeft = sweep.isSubmitting || toSubmit > 0;
  if (sweep.isSubmitting) comesDue(sweep, sweep.nowMs + unpaidLookMs);
  return isLeft ? pauseUnpaid(dependencies.ledger, batch, endsOf([...sweep.records.values()])) : batch;
};

/** Everything about statuses; answers what is then known of the provider's lists. */
const followOpen = async (
  dependencies: FollowDependencies,
  sweep: Sweep,
): Promise<NonNullable<FollowState['lists']>> => {
  await checkReady(dependencies, sweep);
  await askQuarantined(dependencies, sweep);
  // Before the lists, which may take all of the time: rows in doubt may have to be submitted again.
  await resolveDoubts(dependencies, sweep);
  const lists = { ...sweep.kept.lists };
  for (const rail of ['fiat', 'crypto'] as const)
    if (openChunks({ sweep, rail }).length > 0) lists[rail] = await readLists(dependencies, sweep, rail);
  await quarantineOverdue(dependencies, sweep);
  return lists;
};

/** What is open, as far as its records tell, in a few characters: while it stays the same nothing has changed. */
const printOf = ({ records }: Sweep): string => {
  const open = [...records.values()].filter(isChunkOpen);
  return `${open.length}:${open.reduce((sum, { version }) => sum + version, 0)}`;
};

/** Chunks of the plan that no record tells of, and how many rows they have. */
const unregisteredOf = ({ chunks, validRows }: PlanSummary, records: readonly ChunkRecord[]) => {
  const registered = new Set(records.map(({ chunk }) => chunk));
  return {
    chunks: Array.from({ length: chunks }, (_, index) => index + 1).filter((chunk) => !registered.has(chunk)),
    rows: Math.max(0, validRows - countIn(records, ...payoutStatuses)),
  };
};

interface Situation {
  readonly sweep: Sweep;
  /** As its canary and its unpaid payouts leave it. */
  readonly batch: Batch;
  readonly thisRound: string;
  readonly unregistered: ReturnType<typeof unregisteredOf>;
  /** When the sweeps of this round of submitting began, ISO 8601 UTC. */
  readonly roundSince: string;
  readonly standing: OpenWork;
}

interface Decided {
  readonly next: FollowOutput['next'];
  readonly state?: Partial<FollowState>;
  readonly manifestKey?: string;
}

const decide = async (dependencies: FollowDependencies, input: FollowInput, situation: Situation): Promise<Decided> => {
  const { sweep, batch, unregistered, roundSince, standing } = situation;
  const { kept, isSubmitting } = sweep;
  const permission = permissionOf(batch);
  const isLate = sweep.stoppedAt !== undefined;
  // The next execution finds by the ledger what is still to be submitted. A round that still submits is waited for first.
  if (input.sweeps >= dependencies.settings.sweepsPerExecution && (isLate || isSubmitting || !isNothingOpen(standing)))
    return { next: 'hand_over' };
  // Before a sweep goes on: one that never comes round must not keep a row from being submitted.
  if (!isSubmitting && permission !== 'paused' && submittableOf(situation) > 0) {
    const again = await submitAgain(dependencies, input, situation);
    return again.next === 'wait' && isLate ? { ...again, next: 'go_on' } : again;
  }
  if (isLate) return { next: 'go_on' };
  if (isSubmitting) return { next: 'wait' };
  if (isNothingOpen(standing)) return { next: 'report' };
  const print = printOf(sweep);
  const isQuiet = kept.openPrint === print && kept.interimOf !== print;
  const lastInterim = kept.interimAt === undefined ? undefined : Date.parse(kept.interimAt);
  const isDue = isInterimDue(sweep.nowMs, Date.parse(roundSince), lastInterim);
  // An interim report of nothing tells nobody anything.
  const open = countIn([...sweep.records.values()], ...payoutStatusesBeforeAnEnd);
  const hasEnds = planOf(batch).validRows - unregistered.rows > open;
  if (isQuiet && isDue && hasEnds && isSettledButForOthers(standing, permission))
    return { next: 'report_interim', state: { interimOf: print, interimAt: sweep.now } };
  return { next: 'wait' };
};

/** Rows to submit now. What waits for the canary does not go out, but for being canceled. */
const submittableOf = ({ sweep, batch, standing, unregistered }: Situation): number => {
  if (permissionOf(batch) === 'canceled' || batch.claimUpTo === undefined) return standing.toSubmit;
  const own = [...sweep.records.values()].filter(({ chunk }) => mayClaimChunk(batch, chunk));
  const missing = (batch.canary ?? 0) - countIn(own, ...payoutStatuses);
  return countIn(own, 'ready') + Math.min(unregistered.rows, Math.max(0, missing));
};

/** One more round for the chunks that have something to submit; later, when the rounds before it came to nothing. */
const submitAgain = async (
  { files, ids, settings }: FollowDependencies,
  { round, batchId }: FollowInput,
  situation: Situation,
): Promise<Decided> => {
  const { sweep, batch, thisRound, unregistered } = situation;
  const { kept } = sweep;
  const left = submittableOf(situation);
  let { idleRounds = 0, submitAfter } = kept;
  // Once a round, however many sweeps fall into the wait.
  if (kept.leftRound !== thisRound || submitAfter === undefined) {
    const isIdle = round > 0 && kept.left !== undefined && left >= kept.left;
    idleRounds = isIdle ? idleRounds + 1 : 0;
    submitAfter = new Date(sweep.nowMs + retryWaitSeconds(idleRounds, settings) * 1000).toISOString();
  }
  const state = { leftRound: thisRound, left, idleRounds, submitAfter };
  if (Date.parse(submitAfter) > sweep.nowMs) {
    comesDue(sweep, Date.parse(submitAfter));
    return { next: 'wait', state };
  }
  const isCanceled = permissionOf(batch) === 'canceled';
  const chunks = [...chunksWith(sweep, 'ready').map(({ chunk }) => chunk), ...unregistered.chunks].filter(
    (chunk) => isCanceled || mayClaimChunk(batch, chunk),
  );
  const manifestKey = await files.putSubmitManifest(
    batchId,
    ids.sortable().toLowerCase(),
    chunks.toSorted((one, other) => one - other),
  );
  return { next: 'submit', state, manifestKey };
};

export const handler = asStep('Follow', followInput, log, (input, invocation) =>
  followBatch(
    { ledger: ledger(), files: files(), provider: provider(), settings: settings(), clock, ids, random, log },
    input,
    invocation,
  ),
);
