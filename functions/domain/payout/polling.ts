import type { OrchestratorSettings } from '../settings.ts';
import type { Payout } from './payout.ts';

/**
 * Most delay of a new status, as a share of the time since submitting. A status one minute after submitting is seen within 12 s.
 */
const lateness = 0.2;

/**
 * Largest share by which a wait is shortened, so that sweeps of batches started together drift apart. No wait exceeds its
 * maximum.
 */
const jitter = 0.05;

/**
 * Largest difference in milliseconds between our clock and the provider's. The service accepts signed requests within this limit.
 */
export const clocksDifferMs = 5 * 60_000;

/*
 * The waits between proofs of absence double, up to four times the first one and up to 480 s. A first wait above 480 s stays as
 * it is.
 */
const longestAbsenceWaitSeconds = 480;
const mostAbsenceTimes = 4;

type PollSettings = Pick<OrchestratorSettings, 'pollFirstSeconds' | 'pollMaxSeconds'>;

const doubling = (first: number, done: number, most: number): number => Math.min(most, first * 2 ** done);

/**
 * Returns whole seconds before the next sweep: a fifth of the time since this round of submitting began, between
 * `pollFirstSeconds` and `pollMaxSeconds`. New payouts are checked often, because a sweep costs the same however many payouts it
 * covers.
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

/** Time between two interim reports, as a share of the time since submitting. Each report reads the whole batch. */
const interimEvery = 0.1;

/** True when interim reports are due again. All times are milliseconds since 1970. */
export const isInterimDue = (nowMs: number, submittedMs: number, lastMs: number | undefined): boolean =>
  lastMs === undefined || nowMs - lastMs >= (nowMs - submittedMs) * interimEvery;

/** Returns whole seconds before the next attempt, after this many consecutive failures. */
export const retryWaitSeconds = (failures: number, { pollFirstSeconds, pollMaxSeconds }: PollSettings): number =>
  failures === 0 ? 0 : doubling(pollFirstSeconds, failures - 1, pollMaxSeconds);

/**
 * Returns whole seconds before the next sweep, after this many consecutive sweeps with something unanswered. At most a minute:
 * when a provider fails often, each sweep still learns a part.
 */
export const unansweredWaitSeconds = (sweeps: number, { pollFirstSeconds, pollMaxSeconds }: PollSettings): number =>
  retryWaitSeconds(sweeps, { pollFirstSeconds, pollMaxSeconds: Math.min(60, pollMaxSeconds) });

/**
 * Returns when the next absence of a payout counts as proof, in milliseconds since 1970. By default the waits are 120, 240
 * and 480 s. An earlier lookup could miss a request that is still in progress.
 *
 * @param claimedAt when the last call claimed it
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
 * True when a check of something old is due: at age `firstSeconds`, and each time its age doubles. For checks that nearly always
 * find nothing wrong: the older, the rarer.
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
