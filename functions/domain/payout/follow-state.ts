import type { Rail } from './payout.ts';

/** What Follow knows about the provider's lists of one rail. */
export interface ListState {
  /** By list, the provider's time of the last change that was read. Everything up to it is known. */
  readonly marks: Readonly<Record<string, string>>;
  /** When the marks were read, ISO 8601 UTC. */
  readonly markedAt?: string;
  /** Pages of changes read since then. */
  readonly pagesSince?: number;
  /** By list, the last change read since the marks. Most sweeps continue from there. Empty when the next sweep must not. */
  readonly recent?: Readonly<Record<string, string>>;
  /**
   * When the lists of open payouts last confirmed every open payout. While they are too long, when some were last looked up
   * singly.
   */
  readonly confirmedAt: string;
  /** Sweeps since `confirmedAt`. Sweeps during submitting do not count. */
  readonly sweepsSince: number;
  /** The lists of changes missed something. Every sweep confirms until they miss nothing. */
  readonly isDistrusted: boolean;
  /** The batch was submitting at the last sweep. */
  readonly isSubmitting?: boolean;
  /** Until this time, by our clock, this batch or others made more changes than are worth reading. Only ends are read then. */
  readonly manyUntil?: string;
  /** The lists of open payouts are too long. Payouts are looked up singly, some each hour. */
  readonly isLong?: boolean;
  /** The chunk at which the next hourly lookups start. */
  readonly slice?: number;
}

/** State that one sweep of a batch leaves for the next. Losing it costs requests, but loses no payout. */
export interface FollowState {
  readonly batchId: string;
  /** 0 before the first sweep. */
  readonly version: number;
  /** The submit round during the last sweep. See roundId. */
  readonly round?: string;
  readonly roundSince?: string;
  /** Written by EndSubmit: this round submits nothing more. */
  readonly endedRound?: string;
  /** The last round that left rows to submit, the number of rows, and how many consecutive rounds have not reduced it. */
  readonly leftRound?: string;
  readonly left?: number;
  readonly idleRounds?: number;
  /** Nothing is submitted again before this time, because the last round achieved nothing. */
  readonly submitAfter?: string;
  /** Consecutive sweeps in which the provider left something unanswered. */
  readonly unanswered?: number;
  readonly sweptAt?: string;
  /** When the next sweep is due. If it is much later than that, someone should check. */
  readonly nextSweepAt?: string;
  readonly lists?: Readonly<Partial<Record<Rail, ListState>>>;
  /**
   * What was open after the last sweep, what the interim reports were written for, and when. Equal texts mean that nothing has
   * changed.
   */
  readonly openPrint?: string;
  readonly interimOf?: string;
  readonly interimAt?: string;
}

const digits = 6;

/** Identifies one submit round of a batch's n-th execution. The ids sort in the order of the rounds. */
export const roundId = (execution: number, round: number): string =>
  [execution, round].map((number) => String(number).padStart(digits, '0')).join('#');

/**
 * Returns the number of the next round. After a report that found open rows, an execution continues without a round, and must not
 * restart at 1.
 */
export const nextRound = (execution: number, round: number, endedRound = ''): number => {
  const [of = 0, last = 0] = endedRound.split('#').map(Number);
  return Math.max(round, of === execution ? last : 0) + 1;
};
