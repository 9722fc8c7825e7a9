import type { Batch } from './batch.ts';

const dayMs = 86_400_000;

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

/** Explains why a batch cannot start at this time. Undefined when it can. */
export const startTimeRefusal = (startAt: string, nowMs: number): string | undefined => {
  const ms = Date.parse(startAt) - nowMs;
  if (!(ms > 0))
    return `is in the past: it is ${new Date(nowMs).toISOString()} now. Leave startAt out to start immediately`;
  return ms > mostDays * dayMs ? `is more than ${mostDays} days ahead` : undefined;
};
