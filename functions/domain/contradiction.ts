import type { Log } from '../ports/environment.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import type { Disbursement } from '../ports/provider.ts';
import type { Contradiction, Payout } from './payout.ts';

export interface RecordContradictionDependencies {
  readonly ledger: Pick<PayoutLedger, 'recordContradiction'>;
  readonly log: Log;
}

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

const isRecorded = ({ contradictions = [] }: Payout, found: FoundContradiction): boolean =>
  contradictions.some((recorded) => isSame(recorded, found));

/** A refused record is tried again on what then stands: who wrote in between moved the payout, or recorded another. */
const attempts = 3;

/**
 * Records what contradicts a payout, once, and raises the alarm PayoutChangedAfterEnd for each new record. The payout's
 * status stays. Answers how the payout then stands.
 */
export const recordContradiction = async (
  { ledger, log }: RecordContradictionDependencies,
  payout: Payout,
  found: FoundContradiction,
): Promise<Payout> => {
  let current = payout;
  for (let attempt = 1; attempt <= attempts && !isRecorded(current, found); attempt += 1) {
    const answer = await ledger.recordContradiction(current, found);
    if (answer.kind === 'moved') {
      const { batchId, chunk, row, status } = answer.payout;
      const { code: contradiction, observed } = found;
      log.alarm('PayoutChangedAfterEnd', { batchId, chunk, row, status, contradiction, observed });
      return answer.payout;
    }
    current = answer.payout;
  }
  return current;
};

/** None of the disbursements is the payout's own. */
export const noDisbursement = Symbol('none');

/**
 * What to do with a disbursement that has the reference of a payout whose own is another one: the provider paid, or may pay,
 * the reference twice. Recorded beside the status, which goes on to its end by the payout's own id.
 *
 * @param ownId the payout's own disbursement: `undefined` while that is open, `noDisbursement` where an operator's word decides
 */
export const recordSecondDisbursement = async (
  dependencies: RecordContradictionDependencies,
  payout: Payout,
  { disbursementId, status: observed, reference }: Disbursement,
  ownId: string | typeof noDisbursement | undefined = payout.disbursementId,
): Promise<Payout> => {
  const isSecond =
    reference === payout.reference &&
    ownId !== undefined &&
    ownId !== disbursementId &&
    // A duplicate of another batch's row: the disbursement is that one's.
    payout.heldBy === undefined;
  return isSecond
    ? recordContradiction(dependencies, payout, { code: usedTwiceCode, disbursementId, observed })
    : payout;
};
