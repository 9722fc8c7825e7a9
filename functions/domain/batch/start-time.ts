import { dayMs } from '../durations.ts';
import type { Batch } from './batch.ts';
import { batchStatusIs } from './batch-status.ts';

/** Most days that a start may lie ahead. */
const mostDays = 365;

/** How early an execution may begin and wait for the start time itself. Clocks differ by less. */
const earlyMs = 60_000;

type Timed = Pick<Batch, 'startAt'>;

/** Milliseconds until the batch is to start; 0 once it may. */
export const msUntilStart = ({ startAt }: Timed, nowMs: number): number =>
  startAt === undefined ? 0 : Math.max(0, Date.parse(startAt) - nowMs);

/** True when the start time has come, or is so close that the execution may begin. */
export const isStartDue = (batch: Timed, nowMs: number): boolean => msUntilStart(batch, nowMs) <= earlyMs;

/**
 * What an execution does before a batch's start time. `go_on`: the time has come, or the batch is past it. `rest`: the execution
 * ends, because a later one has begun, or begins at the batch's time. `wait`: the time has almost come. `begin` and `schedule`
 * move the batch.
 */
export type StartDecision = 'go_on' | 'rest' | 'wait' | 'cancel' | 'begin' | 'schedule';

/** @param own the number of the execution that asks */
export const decideStart = (
  batch: Pick<Batch, 'status' | 'startAt' | 'executions' | 'cancelRequestedAt'>,
  own: number,
  nowMs: number,
): StartDecision => {
  const isScheduled = batchStatusIs(batch.status, 'awaitsStart');
  // A late run of an earlier execution must not continue beside a later one.
  const isOutdated = own < batch.executions;
  if (!isScheduled && isOutdated) return 'rest';
  if (!isScheduled && batch.status !== 'validating') return 'go_on';
  if (batch.cancelRequestedAt !== undefined) return 'cancel';
  if (isOutdated) return 'rest';
  const hasCome = msUntilStart(batch, nowMs) === 0;
  if (hasCome) return isScheduled ? 'begin' : 'go_on';
  if (!isScheduled) return 'schedule';
  return isStartDue(batch, nowMs) ? 'wait' : 'rest';
};

/** Explains why a batch cannot start at this time. Undefined when it can. */
export const startTimeRefusal = (startAt: string, nowMs: number): string | undefined => {
  const ms = Date.parse(startAt) - nowMs;
  if (!(ms > 0))
    return `is in the past: it is ${new Date(nowMs).toISOString()} now. Leave startAt out to start immediately`;
  return ms > mostDays * dayMs ? `is more than ${mostDays} days ahead` : undefined;
};
