import type { Rail } from './payout.ts';

/** What Follow knows of the provider's lists of one rail. */
export interface ListState {
  /** By list, the provider's time of the last change that was read: everything up to it is known. */
  readonly marks: Readonly<Record<string, string>>;
  /** When the marks were read, ISO 8601 UTC. */
  readonly markedAt?: string;
  /** By list, the last change that was read since then: most sweeps read on from there. Empty where the next must not. */
  readonly recent?: Readonly<Record<string, string>>;
  /** When every open payout was last confirmed by the lists of what is open, or some of too many, and how many sweeps ago. */
  readonly confirmedAt: string;
  /** Those beside submitting do not count. */
  readonly sweepsSince: number;
  /** The changes left something out: until they do not, every sweep confirms. */
  readonly isDistrusted: boolean;
  /** The batch submitted at the last sweep. */
  readonly isSubmitting?: boolean;
  /** Up to this time, by our clock, the batch or others made more than is worth reading: there only ends are read. */
  readonly manyUntil?: string;
  /** The lists of what is open are too long: payouts are asked about one by one, some each hour. */
  readonly isLong?: boolean;
  /** The chunk with which the next of those begin. */
  readonly slice?: number;
}

/** What one sweep of a batch leaves for the next. Losing it costs requests, never a payout. */
export interface FollowState {
  readonly batchId: string;
  /** 0 before the first sweep. */
  readonly version: number;
  /** The round of submitting that the last sweep went along with: see roundId. */
  readonly round?: string;
  readonly roundSince?: string;
  /** Written by EndSubmit: this round submits nothing any more. */
  readonly endedRound?: string;
  /** The last round that left rows to submit, how many, and rounds in a row that made them no fewer. */
  readonly leftRound?: string;
  readonly left?: number;
  readonly idleRounds?: number;
  /** Before this nothing is submitted again, since the last round came to nothing. */
  readonly submitAfter?: string;
  /** Sweeps in a row in which the provider left something unanswered. */
  readonly unanswered?: number;
  readonly sweptAt?: string;
  /** When the next sweep is due: later than that by much, somebody should look. */
  readonly nextSweepAt?: string;
  readonly lists?: Readonly<Partial<Record<Rail, ListState>>>;
  /** What was open after the last sweep, and when the interim reports were written: the same text says that nothing changed. */
  readonly openPrint?: string;
  readonly interimOf?: string;
  readonly interimAt?: string;
}

const digits = 6;

/** One round of submitting, of a batch's n-th execution. Texts that sort as the rounds follow each other. */
export const roundId = (execution: number, round: number): string =>
  [execution, round].map((number) => String(number).padStart(digits, '0')).join('#');

/** After a report that found rows open an execution goes on without a round, and must not begin at 1 again. */
export const nextRound = (execution: number, round: number, endedRound = ''): number => {
  const [of = 0, last = 0] = endedRound.split('#').map(Number);
  return Math.max(round, of === execution ? last : 0) + 1;
};
