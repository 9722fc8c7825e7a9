import type { ToCorrectName } from '../../ports/files.ts';
import { nameAt, toCorrectNames } from '../../ports/files.ts';
import type { Batch } from '../batch/batch.ts';
import { isBatchEnd } from '../batch/batch-status.ts';
import type { PlanSummary } from '../batch/plan.ts';
import { countSkipped } from '../batch/skipped-rows.ts';
import { plural } from '../money/format-money.ts';
import type { Reason } from '../payout/payout.ts';

/** Whether a batch has rows that another may correct: it was refused, or it skipped some. Once true it stays so. */
export const hasRowsToCorrect = ({ status, plan }: Pick<Batch, 'status' | 'plan'>): boolean =>
  status === 'validation_failed' || countSkipped(plan) > 0;

/** Reasons for which a file is refused since other batches pay its rows, or have paid them. */
export const alreadyPaidCode = 'already_paid';
export const sameContentCode = 'same_content';

/** Whether a batch was refused since others hold what it has: that they pay it is to be seen, and it may be owed again. */
export const isHeldElsewhere = ({ reason }: { readonly reason?: Pick<Reason, 'code'> | undefined }): boolean =>
  reason?.code === alreadyPaidCode || reason?.code === sameContentCode;

/** What the file is called in which a batch's rows are mended; undefined where none came back. */
export const toCorrectName = (plan: Pick<PlanSummary, 'toCorrectKey'> | undefined): ToCorrectName | undefined =>
  nameAt(plan?.toCorrectKey, toCorrectNames);

/** Most corrections of one batch, since planning the next reads each of them; and most that correct one another in a row. */
const most = { corrections: 100, inARow: 50 } as const;

/** Whether a batch pays, has paid, or may yet. One that ended without a report ended before anything was registered. */
export const mayPay = ({ mode, status, plan, report }: Pick<Batch, 'mode' | 'status' | 'plan' | 'report'>): boolean =>
  mode === 'disburse' && plan?.manifestKey !== undefined && !(isBatchEnd(status) && report === undefined);

/** Whether a batch ended and made no payment, and makes none any more. */
export const paidNobody = (batch: Batch): boolean => batch.status === 'failed' || !mayPay(batch);

/** A correction's relatives as they were read, before its debts were held against theirs. */
export interface Relatives {
  /** What it corrects, what that corrects, and so on: the nearest first. */
  readonly corrected: readonly Batch[];
  /** All of `correctedBy` of these, but for itself: some of them are among `corrected` too. */
  readonly corrections: readonly Batch[];
}

/** Whether so many corrections precede this one that no more is taken, also not read. */
export const isTooManyInARow = (corrected: readonly unknown[]): boolean => corrected.length > most.inARow;

const otherPaying = ({ correctedBy }: Batch, corrections: readonly Batch[]): readonly Batch[] =>
  corrections.filter((one) => correctedBy?.has(one.batchId) && mayPay(one));

/**
 * Why a file cannot be the correction of a batch that pays its other rows: with the batch's other corrections it has more rows
 * than were skipped, so that one of them is another row, or is paid there. Rows that repeat a debt are found besides. The
 * corrections of a correction count too: who mends a refused correction corrects what that one corrected.
 */
export const correctionRefusal = (
  { corrected, corrections }: Relatives,
  { rows }: Pick<PlanSummary, 'rows'>,
): Reason | undefined => {
  const full = corrected.find(({ correctedBy }) => (correctedBy?.size ?? 0) >= most.corrections);
  if (full !== undefined || isTooManyInARow(corrected)) {
    const message =
      `Batch ${(full ?? corrected[0])?.batchId} has ${full === undefined ? `${most.inARow} corrections before it` : `${most.corrections} corrections`}: ` +
      'no more are taken. Nothing was paid. Make sure that nobody in this file is paid already, and start it without corrects.';
    return { code: 'too_many_corrections', message };
  }
  for (const batch of corrected) {
    const skipped = countSkipped(batch.plan);
    if (skipped === 0) continue;
    const others = otherPaying(batch, corrections);
    const taken = others.reduce((sum, { plan }) => sum + (plan?.validRows ?? 0), 0);
    if (rows + taken <= skipped) continue;
    const paidBy =
      taken === 0
        ? ''
        : ` Its other corrections pay ${taken} of them: ${listBatches(others.map(({ batchId }) => batchId))}.`;
    const name = toCorrectName(batch.plan);
    const advice =
      taken > 0
        ? 'Start a file of just the rows that are left.'
        : name === undefined
          ? 'Start a file of just the skipped rows.'
          : `Start its ${name}, which has just the skipped rows.`;
    const message = `Batch ${batch.batchId} skipped ${skipped} ${plural(skipped, 'row')} and pays the others; this file has ${rows}.${paidBy} Nothing was paid. ${advice}`;
    return { code: 'more_than_skipped', message };
  }
  return undefined;
};

/** Ids of batches in a sentence, the oldest first: five, and how many more there are. */
export const listBatches = (batchIds: Iterable<string>): string => {
  const all = [...batchIds].sort();
  const told = all.slice(0, 5);
  return [...told, ...(all.length > told.length ? [`${all.length - told.length} more`] : [])].join(', ');
};

/** By which batches rows are paid already, and when: under the same references is all that is known. */
export const describePayers = ({ batches, lastOn }: NonNullable<PlanSummary['alreadyPaid']>): string => {
  const on = lastOn === undefined ? '' : batches.length === 1 ? ` on ${lastOn}` : `, last on ${lastOn}`;
  return `under the same references, by ${listBatches(batches)}${on}`;
};

/** Of some rows of a file: how many are paid already, by whom, and what is done about them. A sentence for after another. */
export const describePaid = (plan: Pick<PlanSummary, 'alreadyPaid'> | undefined): string => {
  const paid = plan?.alreadyPaid;
  if (paid === undefined) return '';
  return ` Paid already: ${paid.rows} of these, ${describePayers(paid)}. Leave them out. If they are owed again, give them references of their own.`;
};

/**
 * Other corrections of a batch that was refused whole, which may pay the same rows. How many rows there are to pay nobody
 * knows, since rows may have been missing, and a file may be mended in two parts: a person decides.
 */
export const otherCorrections = ({ corrected, corrections }: Relatives): readonly string[] => {
  const isBounded = ({ plan }: Batch) => countSkipped(plan) > 0;
  const known = new Set(corrected.map(({ batchId }) => batchId));
  const counted = new Set(corrected.filter(isBounded).flatMap(({ correctedBy }) => [...(correctedBy ?? [])]));
  const others = corrected.filter((batch) => !isBounded(batch)).flatMap((batch) => otherPaying(batch, corrections));
  return [...new Set(others.map(({ batchId }) => batchId)).difference(known).difference(counted)].sort();
};
