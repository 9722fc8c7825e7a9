import type { Contradiction, Payout } from './payout.ts';

/** The provider holds a second disbursement, under another id, with the payout's reference. */
export const usedTwiceCode = 'reference_used_twice';

/** The provider tells another end of the payout than is recorded. */
export const changedAfterEndCode = 'changed_after_end';

/** True of a completed payout whose money the provider says came back. */
export const cameBack = ({ status, contradictions = [] }: Pick<Payout, 'status' | 'contradictions'>): boolean =>
  status === 'completed' && contradictions.some(({ code }) => code === changedAfterEndCode);

/** Code of the timeline's line of a contradiction. */
export const contradictedEvent = 'payout.contradicted';

/** What the provider shows against a payout, before it is recorded. */
export type FoundContradiction = Omit<Contradiction, 'at'>;

/** For the timeline: codes and ids alone. */
export const describeContradiction = ({ code, disbursementId, observed }: FoundContradiction): string =>
  `${code}: ${disbursementId} is ${observed}`;

/** What the timeline's line of a contradiction says. */
export const contradictedDetail = (
  { reference, status }: Pick<Payout, 'reference' | 'status'>,
  found: FoundContradiction,
): string => `${reference} is ${status}; ${describeContradiction(found)}`;

/** Contradictions that nobody has seen to. */
export const openContradictions = ({
  contradictions = [],
  contradictionsNoted = 0,
}: Pick<Payout, 'contradictions' | 'contradictionsNoted'>): readonly Contradiction[] =>
  contradictions.slice(contradictionsNoted);

/** A second disbursement goes through statuses of its own, and is told once; of the payout's own each word is news. */
const isSame = (one: FoundContradiction, other: FoundContradiction): boolean =>
  one.code === other.code &&
  one.disbursementId === other.disbursementId &&
  (one.code === usedTwiceCode || one.observed === other.observed);

/** Whether this very contradiction is recorded already. */
export const isRecorded = (
  { contradictions = [] }: Pick<Payout, 'contradictions'>,
  found: FoundContradiction,
): boolean => contradictions.some((recorded) => isSame(recorded, found));
