import type { Rate } from './rate.ts';
import { fullRate, perSecondAt } from './rate.ts';

/**
 * Who may make a request when, for all batches and functions together. GCRA with a burst of one: each request gets a slot in
 * time, slots stand at least one interval (1000 / rate ms) apart, and what is not used does not add up. So no second ever
 * has more than rate + 1 of them, and providers count in windows of a second.
 */
export interface Schedule {
  readonly rate: Rate;
  /** The next free slot, milliseconds since 1970. */
  readonly nextAtMs: number;
  /** Who asked lately, by batch or by function instance. */
  readonly askers: Readonly<Record<string, Asker>>;
  /** As of when `used` counts. */
  readonly askersAtMs: number;
}

interface Asker {
  /** Slots had lately: halved every half-life. */
  readonly used: number;
  /** The last time at which one of those who were sent away was told to come back. */
  readonly backAtMs: number;
}

export const emptySchedule: Schedule = { rate: fullRate, nextAtMs: 0, askers: {}, askersAtMs: 0 };

/**
 * How far ahead slots are leased to those who had their share: long enough that the next callers come back before the
 * queue is empty (a Wait of Step Functions lasts whole seconds, a step's start up to one), short enough that a newcomer behind it
 * is sent within seconds. At low rates one interval, so that one can always queue behind the one who is at it.
 */
const aheadMs = 2500;
/** Those who had less than their share lease twice as far ahead: the second half is theirs, however many others wait. */
const precedence = 2;

/**
 * `used` halves in 3 s, at low rates in five intervals. Longer, and a batch that ran alone would stand back for a newcomer
 * until that had as much; shorter, and the share would rest on single slots.
 */
const halfLifeMs = 3000;
const halfLifeIntervals = 5;
/** Who had less than a tenth of what the busiest had is not counted among those who share: most have ended. */
const activePart = 0.1;
/** `used` below this is forgotten. */
const forgottenBelow = 0.05;
/** So that the item stays near 1 KB, which is what one write costs. Who is left out counts as a newcomer. */
const mostAskers = 20;

/**
 * Those who are sent away come back one by one, a little faster than slots become free: some of them are gone by then, and
 * Step Functions rounds waits up.
 */
const backFasterBy = 0.8;
/** A line of those to come back is no longer than this: a canceled batch leaves one behind, and resumes. */
const longestLineMs = 60_000;

/** Spare requests take a quarter of a second at most at once, which is how late others may be for them, and stand a quarter wider apart. */
const spareMs = 250;
const spareIntervals = 1.25;

export interface LeaseRequest {
  /** A batch id, or a function instance's. */
  readonly asker: string;
  /** Slots wanted, at least 1; fewer may be granted. */
  readonly count: number;
  readonly nowMs: number;
  /** How far ahead a slot is of use. */
  readonly withinMs: number;
  readonly isSpare: boolean;
}

export type Lease =
  /** Times of the slots, ascending; the first may be now. */
  | { readonly kind: 'granted'; readonly slots: readonly number[]; readonly schedule: Schedule }
  /** `schedule` is to be kept where it is given. */
  | { readonly kind: 'later'; readonly waitMs: number; readonly schedule?: Schedule };

/** The first slot that nobody has. */
const firstFree = ({ nextAtMs, rate: { blockedUntilMs = 0 } }: Schedule, nowMs: number): number =>
  Math.max(nextAtMs, blockedUntilMs, nowMs);

/** Milliseconds until all slots that were leased have passed. */
export const queuedMs = ({ nextAtMs }: Schedule, nowMs: number): number => Math.max(0, Math.ceil(nextAtMs - nowMs));

const faded = ({ askers, askersAtMs }: Schedule, nowMs: number, intervalMs: number): Record<string, Asker> => {
  const halfLives = Math.max(0, nowMs - askersAtMs) / Math.max(halfLifeMs, halfLifeIntervals * intervalMs);
  const entries = Object.entries(askers).map(
    ([name, { used, backAtMs }]) => [name, { used: used * 2 ** -halfLives, backAtMs }] as const,
  );
  return Object.fromEntries(entries.filter(([, { used, backAtMs }]) => used >= forgottenBelow || backAtMs > nowMs));
};

const kept = (askers: Readonly<Record<string, Asker>>): Readonly<Record<string, Asker>> =>
  Object.fromEntries(
    Object.entries(askers)
      .toSorted(([, one], [, other]) => other.used - one.used)
      .slice(0, mostAskers)
      .map(([name, { used, backAtMs }]) => [name, { used: Math.round(used * 100) / 100, backAtMs }]),
  );

/** How many share the rate, and whether one of them had less than an equal part of what all had. */
const sharing = (askers: Readonly<Record<string, Asker>>, asker: string, nowMs: number) => {
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

/** When one who is sent away comes back: at its turn among those of its batch, which together get a batch's part of the rate. */
const sentAway = (
  schedule: Schedule,
  { asker, nowMs }: LeaseRequest,
  of: { readonly reachableAtMs: number; readonly spacingMs: number; readonly askers: Readonly<Record<string, Asker>> },
): Lease => {
  const before = of.askers[asker];
  const inLine = Math.min((before?.backAtMs ?? 0) + of.spacingMs, of.reachableAtMs + longestLineMs);
  const backAtMs = Math.ceil(Math.max(of.reachableAtMs, inLine, nowMs + 1));
  const askers = kept({ ...of.askers, [asker]: { used: before?.used ?? 0, backAtMs } });
  return { kind: 'later', waitMs: backAtMs - nowMs, schedule: { ...schedule, askers, askersAtMs: nowMs } };
};

/**
 * Leases up to `count` slots. The next free slot is granted to anybody when it is now, whatever the rate; ahead of now by
 * share: see `aheadMs`.
 *
 * @param limitPerSecond more than 0
 */
export const lease = (schedule: Schedule, limitPerSecond: number, request: LeaseRequest): Lease => {
  const { asker, count, nowMs, withinMs, isSpare } = request;
  const intervalMs = 1000 / perSecondAt(schedule.rate, limitPerSecond, nowMs);
  if (isSpare) return leaseSpare(schedule, request, intervalMs);
  const askers = faded(schedule, nowMs, intervalMs);
  const share = sharing(askers, asker, nowMs);
  const farthestMs = Math.max(aheadMs, intervalMs) * (share.isBelow ? precedence : 1);
  const horizonMs = Math.max(0, Math.min(farthestMs, withinMs));
  const from = firstFree(schedule, nowMs);
  const free = Math.floor((nowMs + horizonMs - from) / intervalMs) + 1;
  if (free < 1) {
    const spacingMs = intervalMs * share.count * backFasterBy;
    return sentAway(schedule, request, { reachableAtMs: from - horizonMs, spacingMs, askers });
  }
  const granted = Math.min(count, free);
  const { used, backAtMs } = askers[asker] ?? { used: 0, backAtMs: 0 };
  return {
    kind: 'granted',
    slots: Array.from({ length: granted }, (_, index) => from + index * intervalMs),
    schedule: {
      ...schedule,
      nextAtMs: from + granted * intervalMs,
      askers: kept({ ...askers, [asker]: { used: used + granted, backAtMs } }),
      askersAtMs: nowMs,
    },
  };
};
