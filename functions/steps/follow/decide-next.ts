import type { Batch } from '../../domain/batch/batch.ts';
import { permissionToClaim } from '../../domain/batch/batch-status.ts';
import { mayClaimChunk } from '../../domain/batch/canary-hold.ts';
import type { OpenWork } from '../../domain/batch/progress.ts';
import {
  countIn,
  isNothingOpen,
  lateToProvider,
  sumProgress,
  waitsOnlyForOthers,
} from '../../domain/batch/progress.ts';
import type { FollowState } from '../../domain/payout/follow-state.ts';
import { payoutStatuses, payoutStatusesBeforeAnEnd } from '../../domain/payout/payout-status.ts';
import { isInterimDue, retryWaitSeconds, unansweredWaitSeconds } from '../../domain/payout/polling.ts';
import type { OrchestratorSettings } from '../../domain/settings.ts';
import { planOf } from '../as-step.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Sweep } from './sweep.ts';
import { chunksWith } from './sweep.ts';

/** What a sweep has found out once all statuses are updated. */
export interface Situation {
  readonly sweep: Sweep;
  /** The batch after the canary, the unpaid share and the quarantined payouts were checked. */
  readonly batch: Batch;
  readonly openWork: OpenWork;
}

export interface Decision {
  readonly next: 'wait' | 'go_on' | 'report_interim' | 'submit' | 'report' | 'hand_over';
  /** Changes to the notes for the next sweep. */
  readonly state?: Partial<FollowState>;
  /** The chunks of the round that begins, when `next` is `submit`. */
  readonly chunks?: readonly number[];
  /** When the next round may begin, in milliseconds since 1970. */
  readonly dueAt?: number;
}

/** Where the execution is: its current round, and the history it has used. See `followInput`. */
interface Place {
  readonly round: number;
  readonly sweeps: number;
}

/** Decides what comes after a sweep. Writes nothing. */
export const decideNext = (settings: OrchestratorSettings, place: Place, situation: Situation): Decision => {
  const { sweep, batch, openWork } = situation;
  const { isSubmitting } = sweep;
  const permission = permissionToClaim(batch);
  const isIncomplete = sweep.stoppedAt.size > 0;
  // The next execution finds in the ledger what is still to be submitted. A running round is awaited first.
  if (place.sweeps >= settings.sweepsPerExecution && (isIncomplete || isSubmitting || !isNothingOpen(openWork)))
    return { next: 'hand_over' };
  const again =
    !isSubmitting && permission !== 'stopped' && submittableOf(situation) > 0
      ? decideSubmit(settings, place, situation)
      : undefined;
  // Comes before the rest of an incomplete sweep: sweeps that never complete must not keep a row from being submitted.
  if (again?.next === 'submit') return again;
  const waits: Decision = isIncomplete ? { ...again, next: 'go_on' } : (again ?? { next: 'wait' });
  // Sweeps that never complete must not keep back the results either: reports are written between two of them.
  const wasIncomplete = [...sweep.stoppedAt.keys()].some((part) => sweep.kept.cursors?.[part] !== undefined);
  if (isSubmitting || (isIncomplete && !wasIncomplete)) return waits;
  if (!isIncomplete && isNothingOpen(openWork)) return { next: 'report' };
  return decideInterim(settings, situation, waits);
};

/** Decides on interim reports: once nothing changes and only others can move what is open. Returns `waits` for none. */
const decideInterim = (
  settings: OrchestratorSettings,
  { sweep, batch, openWork }: Situation,
  waits: Decision,
): Decision => {
  const { kept, now, nowMs, roundSince, unregistered } = sweep;
  const records = [...sweep.records.values()];
  const fingerprint = fingerprintOf(records);
  // First, because the rest takes time in a large batch.
  if (kept.fingerprint !== fingerprint || kept.interimOf === fingerprint) return waits;
  const late = lateToProvider(batch, sumProgress(records, nowMs), nowMs, settings);
  // Late rows may cause round after round. Counted from the last one, reports would always be due.
  const submittedMs = Math.min(Date.parse(roundSince), Date.parse(late?.since ?? roundSince));
  const lastInterim = kept.interimAt === undefined ? undefined : Date.parse(kept.interimAt);
  const isDue = isInterimDue(nowMs, submittedMs, lastInterim);
  // An interim report without any ended payout would be useless.
  const hasEnds = planOf(batch).validRows - unregistered.rows > countIn(records, ...payoutStatusesBeforeAnEnd);
  const isWorthwhile = isDue && hasEnds && waitsOnlyForOthers(openWork, permissionToClaim(batch), late !== undefined);
  return isWorthwhile
    ? { ...waits, next: 'report_interim', state: { ...waits.state, interimOf: fingerprint, interimAt: now } }
    : waits;
};

/** Rows to submit now. Rows that wait for the canary are not submitted, unless to be canceled. */
const submittableOf = ({ sweep, batch, openWork }: Situation): number => {
  if (permissionToClaim(batch) === 'canceled' || batch.claimUpTo === undefined) return openWork.toSubmit;
  const own = [...sweep.records.values()].filter(({ chunk }) => mayClaimChunk(batch, chunk));
  const missing = (batch.canary ?? 0) - countIn(own, ...payoutStatuses);
  return countIn(own, 'ready') + Math.min(sweep.unregistered.rows, Math.max(0, missing));
};

/** Decides on one more round for the chunks that have rows to submit. Waits longer after rounds that achieved nothing. */
const decideSubmit = (settings: OrchestratorSettings, { round }: Place, situation: Situation): Decision => {
  const { sweep, batch } = situation;
  const { kept, thisRound, unregistered } = sweep;
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
  const isCanceled = permissionToClaim(batch) === 'canceled';
  const chunks = [...chunksWith(sweep, 'ready').map(({ chunk }) => chunk), ...unregistered.chunks].filter(
    (chunk) => isCanceled || mayClaimChunk(batch, chunk),
  );
  return { next: 'submit', state, chunks: chunks.toSorted((one, other) => one - other) };
};

/** Consecutive sweeps in which the provider left something unanswered, this one included. */
export const unansweredSweeps = ({ isUnanswered, kept: { unanswered = 0 } }: Sweep): number =>
  isUnanswered ? unanswered + 1 : 0;

/**
 * When the next sweep begins, in milliseconds since 1970: at `pollAt`, or earlier when something is due before that. A paused
 * batch without payouts at the provider is checked seldom.
 */
export const nextSweepAt = (
  settings: OrchestratorSettings,
  { sweep, batch, openWork }: Situation,
  decision: Decision,
  pollAt: number,
): number => {
  const { nowMs } = sweep;
  const unanswered = unansweredSweeps(sweep);
  const askAgainAt = unanswered === 0 ? pollAt : nowMs + unansweredWaitSeconds(unanswered, settings) * 1000;
  const earliest = Math.min(pollAt, sweep.dueAt ?? pollAt, decision.dueAt ?? pollAt, askAgainAt);
  const isPausedStill = permissionToClaim(batch) === 'stopped' && openWork.withProvider === 0;
  return Math.max(earliest, nowMs + (isPausedStill ? settings.pausedRecheckSeconds : 1) * 1000);
};
