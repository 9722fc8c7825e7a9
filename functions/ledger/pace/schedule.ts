import * as z from 'zod';
import { record } from '../../domain/records.ts';
import { fullRate, perSecondAt, storedRate } from './rate.ts';

const storedAsker = record(() => ({
  /** Recently used slots, halved every half-life. */
  used: z.number(),
  /** The latest time at which a caller that was sent away will come back. */
  backAtMs: z.number(),
}));
type Asker = z.infer<ReturnType<typeof storedAsker>>;
const newcomer: Asker = { used: 0, backAtMs: 0 };

/**
 * The state that decides who may make a request when, across all batches and functions. GCRA with a burst of one: each request
 * gets a slot in time. Slots are at least one interval (1000 / rate ms) apart, and unused ones do not accumulate. So no second has
 * more than rate + 1 requests; providers count in windows of a second.
 */
export const storedSchedule = record(() => ({
  rate: storedRate(),
  /** The next free slot, milliseconds since 1970. */
  nextAtMs: z.number(),
  /** Recent askers, by batch or function instance. */
  askers: z.record(z.string(), storedAsker()).readonly(),
  /** The time to which `used` applies. */
  askersAtMs: z.number(),
}));
export type Schedule = z.infer<ReturnType<typeof storedSchedule>>;

export const emptySchedule: Schedule = { rate: fullRate, nextAtMs: 0, askers: {}, askersAtMs: 0 };

/**
 * How far ahead slots are leased to askers that had their share.
 *
 * - Long enough that the next callers return before the queue is empty. A Wait of Step Functions lasts whole seconds, and a step
 * takes up to one second to start.
 * - Short enough that a newcomer behind it is served within seconds.
 * - At low rates one interval, so that one caller can always queue behind the current one.
 */
const aheadMs = 2500;
/** Askers below their share lease twice as far ahead. The second half is theirs, however many others wait. */
const precedence = 2;

/**
 * `used` halves in 3 s, or in five intervals at low rates. If longer, a batch that ran alone would wait until a newcomer had used
 * as much. If shorter, the share would depend on single slots.
 */
const halfLifeMs = 3000;
const halfLifeIntervals = 5;
/** Askers with less than a tenth of the busiest one's use do not count as active: most have ended. */
const activePart = 0.1;
/** `used` below this is forgotten. */
const forgottenBelow = 0.05;
/** Keeps the item near 1 KB, the size that one write costs. An asker that is left out counts as a newcomer. */
const mostAskers = 20;

/**
 * Callers sent away return one by one, a little faster than slots become free. Some have ended by then, and Step Functions rounds
 * waits up.
 */
const backFasterBy = 0.8;
/**
 * Limits the line of returning callers. A batch that stops leaves its line behind, and must not wait behind it when it resumes.
 */
const longestLineMs = 60_000;

/**
 * Spare requests take at most 250 ms of slots at a time, which is how much they may delay others. They are a quarter further
 * apart.
 */
const spareMs = 250;
const spareIntervals = 1.25;

export interface LeaseRequest {
  /** A batch id or function instance. */
  readonly asker: string;
  /** Slots wanted, at least 1; fewer may be granted. */
  readonly count: number;
  readonly nowMs: number;
  /** How far ahead a slot is still useful. */
  readonly withinMs: number;
  readonly isSpare: boolean;
}

export type Lease =
  /** Times of the slots, ascending; the first may be now. */
  | { readonly kind: 'granted'; readonly slots: readonly number[]; readonly schedule: Schedule }
  /** `schedule` is stored when present. */
  | { readonly kind: 'later'; readonly waitMs: number; readonly schedule?: Schedule };

/** The first free slot. */
const firstFree = ({ nextAtMs, rate: { blockedUntilMs = 0 } }: Schedule, nowMs: number): number =>
  Math.max(nextAtMs, blockedUntilMs, nowMs);

/** Milliseconds until all leased slots have passed. */
export const queuedMs = ({ nextAtMs }: Schedule, nowMs: number): number => Math.max(0, Math.ceil(nextAtMs - nowMs));

/** The schedule with what its askers have used by now. */
const faded = (schedule: Schedule, nowMs: number, intervalMs: number): Schedule => {
  const halfLives = Math.max(0, nowMs - schedule.askersAtMs) / Math.max(halfLifeMs, halfLifeIntervals * intervalMs);
  const askers = Object.entries(schedule.askers)
    .map(([name, { used, backAtMs }]) => [name, { used: used * 2 ** -halfLives, backAtMs }] as const)
    .filter(([, { used, backAtMs }]) => used >= forgottenBelow || backAtMs > nowMs);
  return { ...schedule, askers: Object.fromEntries(askers), askersAtMs: nowMs };
};

const withAsker = (schedule: Schedule, name: string, asker: Asker): Schedule => {
  const kept = Object.entries({ ...schedule.askers, [name]: asker })
    .toSorted(([, one], [, other]) => other.used - one.used)
    .slice(0, mostAskers)
    .map(([one, { used, backAtMs }]) => [one, { used: Math.round(used * 100) / 100, backAtMs }]);
  return { ...schedule, askers: Object.fromEntries(kept) };
};

/** Counts the askers that share the rate, and says whether this one had less than an equal share. */
const sharing = ({ askers }: Schedule, asker: string, nowMs: number) => {
  const most = Math.max(0, ...Object.values(askers).map(({ used }) => used));
  const active = Object.entries(askers).filter(
    ([name, { used, backAtMs }]) => name === asker || backAtMs > nowMs || used >= most * activePart,
  );
  const count = active.length + (askers[asker] === undefined ? 1 : 0);
  const total = active.reduce((sum, [, { used }]) => sum + used, 0);
  return { count, isBelow: (askers[asker]?.used ?? 0) * count < total };
};

const leaseSpare = (schedule: Schedule, request: LeaseRequest, intervalMs: number): Lease => {
  const { nowMs, count } = request;
  const wide = intervalMs * spareIntervals;
  const from = firstFree(schedule, nowMs);
  if (from > nowMs) return { kind: 'later', waitMs: Math.ceil(from - nowMs) };
  const granted = Math.min(count, Math.max(1, Math.floor(spareMs / wide)));
  const slots = Array.from({ length: granted }, (_, index) => nowMs + index * wide);
  return { kind: 'granted', slots, schedule: { ...schedule, nextAtMs: nowMs + granted * wide } };
};

/**
 * Sends a caller away until its turn in the line of its batch. Together the callers of a batch get one batch's share of the rate.
 */
const sentAway = (
  schedule: Schedule,
  { asker, nowMs }: LeaseRequest,
  reachableAtMs: number,
  spacingMs: number,
): Lease => {
  const before = schedule.askers[asker] ?? newcomer;
  const inLine = Math.min(before.backAtMs + spacingMs, reachableAtMs + longestLineMs);
  const backAtMs = Math.ceil(Math.max(reachableAtMs, inLine, nowMs + 1));
  return { kind: 'later', waitMs: backAtMs - nowMs, schedule: withAsker(schedule, asker, { ...before, backAtMs }) };
};

/**
 * Leases up to `count` slots. A slot that is free now is granted to anyone, whatever the rate. Slots ahead of now are granted by
 * share: see `aheadMs`.
 *
 * @param limitPerSecond more than 0
 */
export const lease = (stored: Schedule, limitPerSecond: number, request: LeaseRequest): Lease => {
  const { asker, count, nowMs, withinMs, isSpare } = request;
  const intervalMs = 1000 / perSecondAt(stored.rate, limitPerSecond, nowMs);
  if (isSpare) return leaseSpare(stored, request, intervalMs);
  const schedule = faded(stored, nowMs, intervalMs);
  const share = sharing(schedule, asker, nowMs);
  const farthestMs = Math.max(aheadMs, intervalMs) * (share.isBelow ? precedence : 1);
  const horizonMs = Math.max(0, Math.min(farthestMs, withinMs));
  const from = firstFree(schedule, nowMs);
  const free = Math.floor((nowMs + horizonMs - from) / intervalMs) + 1;
  if (free < 1) return sentAway(schedule, request, from - horizonMs, intervalMs * share.count * backFasterBy);
  const granted = Math.min(count, free);
  const { used, backAtMs } = schedule.askers[asker] ?? newcomer;
  const next = withAsker(schedule, asker, { used: used + granted, backAtMs });
  return {
    kind: 'granted',
    slots: Array.from({ length: granted }, (_, index) => from + index * intervalMs),
    schedule: { ...next, nextAtMs: from + granted * intervalMs },
  };
};
