import * as z from 'zod';
import { counter, record } from '../records.ts';
import { rail, rails } from './payout.ts';

/** What Follow knows about the provider's lists of one rail. */
const storedListState = record(() => ({
  /** By list, the provider's time of the last change that was read. Everything up to it is known. */
  marks: z.record(z.string(), z.string()).readonly(),
  /** When the marks were read, ISO 8601 UTC. */
  markedAt: z.string().exactOptional(),
  /** Pages of changes read since then. */
  pagesSince: counter().exactOptional(),
  /** By list, the last change read since the marks. Most sweeps continue from there. Empty when the next sweep must not. */
  recent: z.record(z.string(), z.string()).readonly().exactOptional(),
  /**
   * When the lists of open payouts last confirmed every open payout. While they are too long, when some were last looked up
   * singly.
   */
  confirmedAt: z.string(),
  /** Sweeps since `confirmedAt`. Sweeps during submitting do not count. */
  sweepsSince: counter(),
  /** The lists of changes missed something. Every sweep confirms until they miss nothing. */
  isDistrusted: z.boolean(),
  /** The batch was submitting at the last sweep. */
  isSubmitting: z.boolean().exactOptional(),
  /** Until this time, by our clock, this batch or others made more changes than are worth reading. Only ends are read then. */
  manyUntil: z.string().exactOptional(),
  /** The lists of open payouts are too long. Payouts are looked up singly, some each hour. */
  isLong: z.boolean().exactOptional(),
  /** The chunk at which the next hourly lookups start. */
  slice: counter().exactOptional(),
}));
export type ListState = z.infer<ReturnType<typeof storedListState>>;

/** The parts of a sweep: payouts by what is done about them, and proofs. */
export const sweepParts = ['quarantined', 'in_doubt', ...rails, 'overdue', 'proofs'] as const;
export type SweepPart = (typeof sweepParts)[number];

/** State that one sweep of a batch leaves for the next. Losing it costs requests, but loses no payout. */
export const storedFollowState = record(() => ({
  batchId: z.string(),
  /** 0 before the first sweep. EndSubmit may write before any sweep does. */
  version: counter().default(0),
  /** The submit round during the last sweep. See roundId. */
  round: z.string().exactOptional(),
  roundSince: z.string().exactOptional(),
  /** Written by EndSubmit: this round submits nothing more. */
  endedRound: z.string().exactOptional(),
  /** The last round that left rows to submit, the number of rows, and how many consecutive rounds have not reduced it. */
  leftRound: z.string().exactOptional(),
  left: counter().exactOptional(),
  idleRounds: counter().exactOptional(),
  /** Nothing is submitted again before this time, because the last round achieved nothing. */
  submitAfter: z.string().exactOptional(),
  /** Consecutive sweeps in which the provider left something unanswered. */
  unanswered: counter().exactOptional(),
  sweptAt: z.string().exactOptional(),
  /** When the next sweep is due. If it is much later than that, someone should check. */
  nextSweepAt: z.string().exactOptional(),
  lists: z.partialRecord(rail(), storedListState()).readonly().exactOptional(),
  /** The chunk at which a part ran out of time when it was last due. It begins there the next time. */
  cursors: z.partialRecord(z.enum(sweepParts), counter()).readonly().exactOptional(),
  /** Chunks whose quarantined payouts are still to be looked up, because the execution's first sweep had no time for them. */
  unaskedChunks: z.array(counter()).readonly().exactOptional(),
  /**
   * What was open or contradicted after the last sweep, what the interim reports were written for, and when. Equal texts mean that
   * nothing has changed.
   */
  fingerprint: z.string().exactOptional(),
  interimOf: z.string().exactOptional(),
  interimAt: z.string().exactOptional(),
}));
export type FollowState = z.infer<ReturnType<typeof storedFollowState>>;

const digits = 6;

/** Identifies one submit round of a batch's n-th execution. The ids sort in the order of the rounds. */
export const roundId = (execution: number, round: number): string =>
  [execution, round].map((number) => String(number).padStart(digits, '0')).join('#');

/**
 * Returns the number of the next round. After a report that found open rows, an execution continues without a round, and must not
 * restart at 1.
 */
export const nextRound = (execution: number, round: number, endedRound = ''): number => {
  const [endedExecution = 0, last = 0] = endedRound.split('#').map(Number);
  return Math.max(round, endedExecution === execution ? last : 0) + 1;
};
