import * as z from 'zod';
import { pauseByCounts } from '../batches/pause-by-counts.ts';
import type { Batch } from '../domain/batch/batch.ts';
import type { OpenWork } from '../domain/batch/progress.ts';
import { countIn, isNothingOpen, openWorkOf } from '../domain/batch/progress.ts';
import { nextRound, roundId } from '../domain/payout/follow-state.ts';
import { rails } from '../domain/payout/payout.ts';
import { payoutStatusesThat } from '../domain/payout/payout-status.ts';
import { sweepWaitSeconds } from '../domain/payout/polling.ts';
import { executionNumber } from '../ports/workflow.ts';
import { bind, files, ledger, log, provider, settings } from '../runtime.ts';
import type { Invocation } from './as-step.ts';
import { asStep, executionInput, getExistingBatch, planOf } from './as-step.ts';
import { archiveProofs } from './follow/archive-proofs.ts';
import type { Decision, Situation } from './follow/decide-next.ts';
import { decideNext, nextSweepAt, unansweredSweeps } from './follow/decide-next.ts';
import { fingerprintOf } from './follow/fingerprint.ts';
import { overdueChunks, quarantineOverdue } from './follow/quarantine-overdue.ts';
import { readLists } from './follow/read-lists.ts';
import { askQuarantined, chunksToAskAgain, refreshLongReady, unaskedChunks } from './follow/recheck-waiting.ts';
import { resolveDoubts } from './follow/resolve-doubts.ts';
import type { FollowDependencies, Part, Run, Sweep } from './follow/sweep.ts';
import { beginSweep, chunksWith, cursorsOf, eachPart, noteDue, openChunks, unregisteredOf } from './follow/sweep.ts';
import { watchCanary } from './follow/watch-canary.ts';

export const followInput = executionInput.extend({
  /** The round of submitting that began beside Follow, and may have ended; 0: none. */
  round: z.int().min(0),
  /** The history that this execution has used, in sweeps. A sweep that starts a round counts as three. */
  sweeps: z.int().min(0),
});
export type FollowInput = z.infer<typeof followInput>;

/** Where Follow continues. The steps before it return this. */
export interface FollowPlace extends Readonly<Omit<FollowInput, 'execution'>> {
  /** Key of the list of chunks to submit in a round that is about to begin. */
  readonly manifestKey: string;
}

/** When `next` is `submit`, `round` is the new round: one more than the last. */
export interface FollowOutput extends FollowPlace {
  readonly next: Decision['next'];
  readonly waitSeconds: number;
}

/** A situation, and what follows from it. */
interface Decided extends Situation, Decision {
  /** When the next sweep begins, in milliseconds since 1970. */
  readonly nextAt: number;
}

/** Milliseconds between two checks of the counts while a batch submits. */
const countsLookMs = 30_000;

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
  const { ledger, settings } = dependencies;
  const { batchId, execution, round, sweeps } = input;
  const batch = await getExistingBatch(ledger, batchId);
  if (isFollowedElsewhere(batch, execution))
    return { batchId, next: 'hand_over', waitSeconds: 1, round, manifestKey: '', sweeps };
  const sweep = await begin(dependencies, input, invocation, batch);
  const run = { ...dependencies, sweep };
  await refreshLongReady(run);
  await eachPart(run, parts);
  const pollAt = nextPollAt(run);
  const watched = await watchCautions(run);
  const decide = (): Decided => {
    const situation = { sweep, batch: watched, openWork: openWorkNow(run) };
    const decision = decideNext(settings, input, situation);
    return { ...situation, ...decision, nextAt: nextSweepAt(settings, situation, decision, pollAt) };
  };
  await archiveMeanwhile(run, decide());
  // Decided again: archiving may have changed records.
  return endSweep(dependencies, input, decide());
};

/**
 * True when a later execution follows the batch now. Two executions would each treat the other's rounds as new, and neither would
 * submit. Also true after the execution's end: nobody would repeat this run, and if it died, its counts would stay wrong.
 */
const isFollowedElsewhere = ({ batchId, executions, executionEnded }: Batch, execution: string): boolean =>
  executionNumber(batchId, execution) < executions || executionEnded === true;

/** What a sweep finds in the ledger. */
const begin = async (
  { ledger, clock }: FollowDependencies,
  { execution, round, sweeps }: FollowInput,
  invocation: Invocation,
  batch: Batch,
): Promise<Sweep> => {
  const kept = await ledger.readFollow(batch.batchId);
  // Read after the state. So if a round had ended by then, all registrations of its children are visible here.
  const records = await ledger.listChunks(batch.batchId);
  const thisRound = roundId(executionNumber(batch.batchId, execution), round);
  const isSubmitting = round > 0 && (kept.endedRound ?? '') < thisRound;
  // A child may have died before it registered its chunk.
  const unregistered = isSubmitting ? { chunks: [], rows: 0 } : unregisteredOf(planOf(batch), records);
  const start = { batch, kept, thisRound, isSubmitting, unregistered, isFirst: sweeps === 0 };
  return beginSweep(clock(), start, records, invocation);
};

/** What updates all statuses, in this order. */
const parts: readonly Part[] = [
  { name: 'quarantined', chunks: chunksToAskAgain, work: askQuarantined },
  // Before the lists: rows in doubt may have to be submitted again.
  {
    name: 'in_doubt',
    chunks: ({ sweep }) => chunksWith(sweep, ...payoutStatusesThat('isInDoubt')),
    work: resolveDoubts,
  },
  ...rails.map(
    (rail): Part => ({
      name: rail,
      chunks: ({ sweep }) => openChunks({ sweep, rail }),
      work: async (run) => {
        run.sweep.lists[rail] = await readLists(run, rail);
      },
    }),
  ),
  { name: 'overdue', chunks: overdueChunks, work: quarantineOverdue },
];

/** When the next sweep is due if nothing is due earlier, in milliseconds since 1970. */
const nextPollAt = ({ settings, random, sweep }: Run): number => {
  const secondsSince = Math.max(0, sweep.nowMs - Date.parse(sweep.roundSince)) / 1000;
  return sweep.nowMs + 1000 * sweepWaitSeconds(secondsSince, settings, random());
};

/** What is open now. */
const openWorkNow = ({ settings, sweep }: Run): OpenWork =>
  openWorkOf([...sweep.records.values()], sweep.unregistered.rows, sweep.nowMs, settings);

/** Milliseconds that proofs get although the next sweep is due: sweeps that take longer than their wait must not keep them back. */
const leastProofsMs = 5_000;

/**
 * Archives proofs until the next sweep is due. Rows to submit do not wait for them. Once only proofs are open, no status can be late
 * but those that a person moves. One long sweep then archives as many proofs as several short ones, each of which would cost three
 * state transitions.
 */
const archiveMeanwhile = async (run: Run, { next, openWork, nextAt }: Decided): Promise<void> => {
  const { settings, clock, sweep } = run;
  if (next === 'submit') return;
  const isOnlyProofs = !sweep.isSubmitting && isNothingOpen({ ...openWork, proofs: 0 });
  const atLeastMs = isOnlyProofs ? settings.pollMaxSeconds * 1000 : leastProofsMs;
  await archiveProofs(run, Math.max(nextAt, clock() + atLeastMs));
};

/** Checks the canary, the unpaid share, and whether all payouts are quarantined. Returns the latest batch. */
const watchCautions = async (run: Run): Promise<Batch> => {
  const { ledger, sweep } = run;
  const batch = await watchCanary(run);
  const records = [...sweep.records.values()];
  if (batch.pauseAbove === undefined && countIn(records, 'quarantined') === 0) return batch;
  // While children submit, `toSubmit` does not count unregistered rows.
  const isLeft = sweep.isSubmitting || openWorkNow(run).toSubmit > 0;
  if (sweep.isSubmitting) noteDue(sweep, sweep.nowMs + countsLookMs);
  return isLeft ? pauseByCounts(ledger, batch, records) : batch;
};

/** Keeps what the next sweep needs, and returns where the execution goes on. */
const endSweep = async (
  { ledger, files, ids, clock, log }: FollowDependencies,
  { batchId, execution, round, sweeps }: FollowInput,
  { sweep, openWork, next, state, chunks, nextAt }: Decided,
): Promise<FollowOutput> => {
  const { kept, thisRound, roundSince } = sweep;
  const manifestKey =
    chunks === undefined ? '' : await files.putSubmitManifest(batchId, ids.sortable().toLowerCase(), chunks);
  await ledger.writeFollow({
    ...kept,
    ...state,
    lists: sweep.lists,
    cursors: cursorsOf(sweep),
    unaskedChunks: unaskedChunks(sweep),
    unanswered: unansweredSweeps(sweep),
    round: thisRound,
    roundSince,
    sweptAt: sweep.now,
    nextSweepAt: new Date(nextAt).toISOString(),
    fingerprint: fingerprintOf(sweep.records.values()),
  });
  log.info('follow.swept', { batchId, ...openWork });
  return {
    batchId,
    next,
    waitSeconds: Math.max(1, Math.ceil((nextAt - clock()) / 1000)),
    round: next === 'submit' ? nextRound(executionNumber(batchId, execution), round, kept.endedRound) : round,
    manifestKey,
    // A round of submitting writes as much history as two sweeps.
    sweeps: sweeps + (next === 'submit' ? 3 : 1),
  };
};

export const handler = asStep('Follow', followInput, log, bind(followBatch, { ledger, files, provider, settings }));
