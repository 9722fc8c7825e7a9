import type { Schedule } from '../../../../functions/ledger/pace/schedule.ts';
import { emptySchedule, lease } from '../../../../functions/ledger/pace/schedule.ts';

export interface Crowd {
  readonly asker: string;
  /** Total number of calls. */
  readonly calls: number;
  /** Children that make them, each one call after the other. */
  readonly children: number;
  readonly startsAtMs?: number;
  /** Longer waits are rounded up to whole seconds, as in Step Functions. */
  readonly waitsInProcessMs?: number;
}

export interface Made {
  readonly asker: string;
  readonly atMs: number;
}

/** Milliseconds from a slot to its child's next request: a POST, and the start of the next child. */
const roundMs = 700;

/**
 * Children of several batches that request turns on virtual time, like SubmitChunk. Returns which calls were made when, and how
 * often one had to wait.
 */
export const makeCalls = (crowds: readonly Crowd[], perSecond: number, untilMs = 600_000) => {
  let schedule: Schedule = emptySchedule;
  let refusals = 0;
  const made: Made[] = [];
  const left = new Map(crowds.map(({ asker, calls }) => [asker, calls]));
  const events = crowds.flatMap((crowd) =>
    Array.from({ length: crowd.children }, () => ({ crowd, atMs: crowd.startsAtMs ?? 0 })),
  );
  while (events.length > 0) {
    events.sort((one, other) => one.atMs - other.atMs);
    const next = events.shift();
    if (next === undefined || next.atMs > untilMs) break;
    const { crowd, atMs } = next;
    const { asker, waitsInProcessMs = 10_000 } = crowd;
    const remaining = left.get(asker) ?? 0;
    if (remaining === 0) continue;
    const request = { asker, count: 1, nowMs: atMs, withinMs: waitsInProcessMs, isSpare: false };
    const answer = lease(schedule, perSecond, request);
    schedule = answer.schedule ?? schedule;
    if (answer.kind === 'granted') {
      const [slot = atMs] = answer.slots;
      left.set(asker, remaining - 1);
      made.push({ asker, atMs: slot });
      events.push({ crowd, atMs: slot + roundMs });
    } else {
      refusals += 1;
      const { waitMs } = answer;
      events.push({ crowd, atMs: atMs + (waitMs > waitsInProcessMs ? Math.ceil(waitMs / 1000) * 1000 : waitMs) });
    }
  }
  return { made: made.toSorted((one, other) => one.atMs - other.atMs), refusals, schedule };
};

/** Time of a batch's last call in milliseconds. */
export const lastOf = (made: readonly Made[], asker: string): number =>
  Math.max(...made.filter((call) => call.asker === asker).map(({ atMs }) => atMs));

/** The maximum number of calls in any window of this many milliseconds. */
export const mostWithin = (times: readonly number[], windowMs: number): number => {
  const sorted = times.toSorted((one, other) => one - other);
  return Math.max(0, ...sorted.map((from, index) => sorted.slice(index).filter((at) => at < from + windowMs).length));
};
