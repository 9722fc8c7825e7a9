import type { OrchestratorSettings } from '../settings.ts';
import type { Payout } from './payout.ts';

/** Share of the time since submitting by which a status may be late while it is new: a payout of a minute is seen within 12 s. */
const lateness = 0.2;

/** Sweeps of batches that started together drift apart by up to a twentieth; always downward, so that no wait exceeds its maximum. */
const jitter = 0.05;

/** Milliseconds by which our clock and the provider's may differ: what the service lets the time of a signed request be off by. */
export const clocksDifferMs = 5 * 60_000;

/** Longest wait between proofs of absence: three of them at 2, 4 and 8 minutes fit a coffee break. */
const longestAbsenceWaitSeconds = 480;

/** The same by the first wait: where that is longer than two minutes, the later ones are at most four times as long. */
const mostAbsenceTimes = 4;

type PollSettings = Pick<OrchestratorSettings, 'pollFirstSeconds' | 'pollMaxSeconds'>;

const doubling = (first: number, done: number, most: number): number => Math.min(most, first * 2 ** done);

/**
 * Whole seconds before the next sweep: a fifth of the time since the batch last submitted, between `pollFirstSeconds` and
 * `pollMaxSeconds`. A sweep costs the same however many payouts it shows, so what is new is looked at often.
 *
 * @param random a number in [0, 1)
 */
export const sweepWaitSeconds = (
  secondsSinceSubmitting: number,
  { pollFirstSeconds, pollMaxSeconds }: PollSettings,
  random: number,
): number => {
  const wait = Math.min(pollMaxSeconds, Math.max(pollFirstSeconds, secondsSinceSubmitting * lateness));
  return Math.max(1, Math.round(wait * (1 - jitter * random)));
};

/** Part of the time since submitting that passes between two interim reports: a batch is read whole for each. */
const interimEvery = 0.1;

/** Whether interim reports are due again. All times are milliseconds since 1970. */
export const isInterimDue = (nowMs: number, submittedMs: number, lastMs: number | undefined): boolean =>
  lastMs === undefined || nowMs - lastMs >= (nowMs - submittedMs) * interimEvery;

/** Whole seconds before something is tried again that came to nothing so many times in a row. */
export const retryWaitSeconds = (failures: number, { pollFirstSeconds, pollMaxSeconds }: PollSettings): number =>
  failures === 0 ? 0 : doubling(pollFirstSeconds, failures - 1, pollMaxSeconds);

/**
 * Whole seconds before the next sweep after so many in a row in which something was not answered. Never more than a minute:
 * of a provider that fails often, each sweep learns a part.
 */
export const unansweredWaitSeconds = (sweeps: number, { pollFirstSeconds, pollMaxSeconds }: PollSettings): number =>
  retryWaitSeconds(sweeps, { pollFirstSeconds, pollMaxSeconds: Math.min(60, pollMaxSeconds) });

/**
 * Milliseconds since 1970 from which the next absence of a payout proves something: 120, 240 and 480 s apart by default,
 * since a look-up too early could take a request that is still under way for one that never came.
 *
 * @param claimedAt of the call that claimed it last
 */
export const absenceIsDueAt = (
  { absences = 0, updatedAt }: Pick<Payout, 'absences' | 'updatedAt'>,
  claimedAt: string,
  { resolveAfterSeconds: first }: Pick<OrchestratorSettings, 'resolveAfterSeconds'>,
): number => {
  const most = Math.max(first, Math.min(longestAbsenceWaitSeconds, first * mostAbsenceTimes));
  return Date.parse(absences === 0 ? claimedAt : updatedAt) + doubling(first, absences, most) * 1000;
};

/**
 * Whether a look at something that stands since a time is due: at `firstSeconds` of its age, and each time that doubles. For
 * what is nearly always in order: the older it is, the rarer the looks.
 */
export const isLookDue = (
  since: string,
  lastLook: string | undefined,
  nowMs: number,
  firstSeconds: number,
): boolean => {
  const looks = (atMs: number): number =>
    Math.floor(Math.log2(Math.max(0.5, (atMs - Date.parse(since)) / (firstSeconds * 1000))));
  return looks(nowMs) > (lastLook === undefined ? -1 : Math.max(-1, looks(Date.parse(lastLook))));
};
