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

/** Undefined when a defect wrote an item that the product's codec refuses. */
const readOrNone = (item: Item): Payout | undefined => {
  try {
    return readPayout({ ...item });
  } catch {
    return undefined;
  }
};

/** Checks that a recorded contradiction stays, came with no other change, and matches what the provider once showed. */
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
    report('no regression', 'a noted contradiction is open again', subject);
  const added = has.slice(had.length);
  if (added.length > 0 && old.status !== now.status)
    report('no regression', 'a contradiction moves its payout', subject);
  for (const { code, disbursementId, observed } of added) {
    const payment = truth.byId(disbursementId);
    // One of several payments becomes the payout's own when the payout is settled with it, after the others are recorded.
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
 * The answer of a finished lookup came after its question. If the provider already showed a different end, and still does,
 * the payout must record it. A payment that the provider shows must not stay `ready` to be posted.
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
  // A lookup covers only one rail.
  if (payment.rail !== rail) return;
  if (status === 'ready' && payment.visibleAt < askedAt)
    report('contradictions are kept', `ready, although the provider showed ${payment.id}`, subjectOf(payout));
  const isOverAgain = ends.includes(status) && ends.includes(payment.status) && status !== payment.status;
  const wasShown = payment.visibleAt < askedAt && (payment.changedAt ?? payment.createdAt) < askedAt;
  if (!isOverAgain || !wasShown || disbursementId !== payment.id) return;
  if (!contradictions.some((one) => one.disbursementId === payment.id && one.observed === payment.status))
    report('contradictions are kept', `${status}, and the provider showed ${payment.status}`, subjectOf(payout));
};
