import { isDeepStrictEqual } from 'node:util';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import { readPayout } from '../../../functions/ledger/payouts/payout-codec.ts';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { Truth } from '../provider/truth.ts';
import { wordsFor } from './moves.ts';
import type { Report } from './violation.ts';

export interface ContradictionParts {
  readonly truth: Truth;
  readonly report: Report;
  readonly table: () => MemoryTable;
}

const ends: readonly string[] = ['completed', 'failed', 'canceled'];

const subjectOf = ({ batchId, chunk, reference }: Payout) => ({ batchId, chunk, reference });

/** Undefined where a defect wrote what the product's own codec refuses. */
const readOrNone = (item: Item): Payout | undefined => {
  try {
    return readPayout({ ...item });
  } catch {
    return undefined;
  }
};

/** What is recorded against a payout stays, came with no other change of it, and is what the provider once showed. */
export const checkRecorded = ({ truth, report }: ContradictionParts, before: Item, after: Item): void => {
  const [old, now] = [readOrNone(before), readOrNone(after)];
  if (old === undefined || now === undefined) {
    report('only the truth', 'a payout is written that nobody can read', { reference: String(after['reference']) });
    return;
  }
  const [had, has] = [old.contradictions ?? [], now.contradictions ?? []];
  const subject = subjectOf(now);
  if (!isDeepStrictEqual(has.slice(0, had.length), had))
    report('no regression', 'a contradiction is taken back', subject);
  if ((now.contradictionsNoted ?? 0) < (old.contradictionsNoted ?? 0))
    report('no regression', 'what was noted is not any more', subject);
  const added = has.slice(had.length);
  if (added.length > 0 && old.status !== now.status)
    report('no regression', 'a contradiction moves its payout', subject);
  for (const { code, disbursementId, observed } of added) {
    const payment = truth.byId(disbursementId);
    // One of several is the payout's own when it is settled as that one, which is after the others are recorded.
    const isAnother = now.disbursementId !== undefined && now.disbursementId !== disbursementId;
    const isOneOfSeveral = now.disbursementId === undefined && truth.byReference(now.reference).length > 1;
    const isTrue =
      payment?.reference === now.reference &&
      payment.words.some((word) => wordsFor[observed]?.includes(word)) &&
      (code === 'reference_used_twice' ? isAnother || isOneOfSeveral : !isAnother);
    if (!isTrue) report('only the truth', `${code}: ${disbursementId} was never ${observed}`, subject);
  }
};

/**
 * A look-up that is finished was answered after it was asked: what the provider had said since before then, and still says,
 * is recorded of a payout that had ended otherwise. One that it knows is not left to be posted.
 */
export const checkLookedUp = ({ truth, report, table }: ContradictionParts, lookup: Item): void => {
  const reference = String(lookup['pk']).slice('LOOKUP#'.length);
  const askedAt = Date.parse(String(lookup['finishedAskedAt']));
  const [payment, another] = truth.byReference(reference);
  const holder = table().item({ pk: `REF#${reference.toLowerCase()}`, sk: 'REF' });
  if (payment === undefined || another !== undefined || holder === undefined) return;
  const row = String(holder['row']).padStart(7, '0');
  const item = table().item({ pk: `CHUNK#${holder['batchId']}#${holder['chunk']}`, sk: `PAYOUT#${row}` });
  if (item === undefined) return;
  const payout = readPayout({ ...item });
  const { status, rail, contradictions = [], disbursementId } = payout;
  // A look-up asks among one rail's.
  if (payment.rail !== rail) return;
  if (status === 'ready' && payment.visibleAt < askedAt)
    report('what contradicts is kept', `ready, although the provider showed ${payment.id}`, subjectOf(payout));
  const isOverAgain = ends.includes(status) && ends.includes(payment.status) && status !== payment.status;
  const wasShown = payment.visibleAt < askedAt && (payment.changedAt ?? payment.createdAt) < askedAt;
  if (!isOverAgain || !wasShown || disbursementId !== payment.id) return;
  if (!contradictions.some((one) => one.disbursementId === payment.id && one.observed === payment.status))
    report('what contradicts is kept', `${status}, and the provider said ${payment.status}`, subjectOf(payout));
};
