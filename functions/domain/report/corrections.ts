import type { ToCorrectName } from '../../ports/files.ts';
import { nameAt, toCorrectNames } from '../../ports/files.ts';
import type { Batch } from '../batch/batch.ts';
import { isBatchEnd } from '../batch/batch-status.ts';
import type { PlanSummary } from '../batch/plan.ts';
import { countSkipped } from '../batch/skipped-rows.ts';
import { plural } from '../money/format-money.ts';
import type { Reason } from '../payout/payout.ts';

/** True when a batch has rows that another may correct: it was refused, or it skipped some. Once true it stays true. */
export const hasRowsToCorrect = ({ status, plan }: Pick<Batch, 'status' | 'plan'>): boolean =>
  status === 'validation_failed' || countSkipped(plan) > 0;

/** Reasons of a file that is refused because of other batches: they have paid all its rows, or have the same content. */
export const alreadyPaidCode = 'already_paid';
export const sameContentCode = 'same_content';
/** Reasons of a correction that is refused because of other corrections. */
export const moreThanSkippedCode = 'more_than_skipped';
export const tooManyCorrectionsCode = 'too_many_corrections';
/** Why a batch that nobody may release is refused. Its findings say what to do. */
export const notReleasedCode = 'not_released';

/**
 * True when a batch was refused because of other batches. Their payments can fail, or may have failed, and then its rows are owed
 * again.
 */
export const isHeldElsewhere = ({ reason }: { readonly reason?: Pick<Reason, 'code'> | undefined }): boolean =>
  reason?.code === alreadyPaidCode || reason?.code === sameContentCode;

/** Returns the name of the file in which a batch's rows are corrected. Undefined when there is none. */
export const toCorrectName = (plan: Pick<PlanSummary, 'toCorrectKey'> | undefined): ToCorrectName | undefined =>
  nameAt(plan?.toCorrectKey, toCorrectNames);

/** Most corrections of one batch, and most corrections in a chain. Planning the next correction reads each of them. */
const most = { corrections: 100, inARow: 50 } as const;

/**
 * True when a batch pays, has paid, or may still pay. A batch that ended without a report ended before anything was registered.
 */
export const mayPay = ({ mode, status, plan, report }: Pick<Batch, 'mode' | 'status' | 'plan' | 'report'>): boolean =>
  mode === 'disburse' && plan?.manifestKey !== undefined && !(isBatchEnd(status) && report === undefined);

/**
 * How many rows all corrections of a batch together may pay: those that it skipped while it pays the others. Undefined for a batch
 * that never pays anybody, because its whole file may be corrected.
 */
const mostCorrected = (batch: Batch): number | undefined => {
  const skipped = countSkipped(batch.plan);
  return skipped > 0 && mayPay(batch) ? skipped : undefined;
};

/** True when nothing of a planned batch is paid: it failed, is a preview, was refused, or ended before it registered a payout. */
export const paidNobody = (batch: Batch): boolean => batch.status === 'failed' || !mayPay(batch);

/** A correction's related batches, read before their debts are compared. */
export interface Relatives {
  /** The batch it corrects, the batch that one corrects, and so on, nearest first. */
  readonly corrected: readonly Batch[];
  /** All batches in the `correctedBy` of these, except itself. Some of them are in `corrected` too. */
  readonly corrections: readonly Batch[];
}

/** True when the chain of corrections before this one is too long to accept, or even to read. */
export const isTooManyInARow = (corrected: readonly unknown[]): boolean => corrected.length > most.inARow;

const otherPaying = ({ correctedBy }: Batch, corrections: readonly Batch[]): readonly Batch[] =>
  corrections.filter((one) => correctedBy?.has(one.batchId) && mayPay(one));

const idsOf = (batches: readonly Batch[]): readonly string[] => batches.map(({ batchId }) => batchId);

/** Says where to see whom canceled corrections have paid, or may still pay. No other file names the rows that they leave. */
export const describeCanceled = (canceled: readonly Batch[]): string =>
  `Canceled while paying: ${listBatches(idsOf(canceled))}. Leave out who was paid there, or may still be: see results.csv.`;

/** @param others the corrections that pay skipped rows of the batch */
const adviseOnSkipped = ({ plan }: Batch, others: readonly Batch[]): string => {
  const canceled = others.filter(({ status }) => status === 'canceled');
  if (canceled.length > 0) return `${describeCanceled(canceled)} Start the others without corrects.`;
  if (others.length > 0) return 'Start a file with only the remaining rows.';
  const name = toCorrectName(plan);
  return name === undefined
    ? 'Start a file with only the skipped rows.'
    : `Start its ${name}, which has only the skipped rows.`;
};

/**
 * Returns why a file cannot correct a batch that pays its other rows. Together with the batch's other corrections it has more
 * rows than were skipped, so one of its rows is new, or already paid. Repeated debts are found separately.
 *
 * Corrections of a correction count too: correcting a refused correction also corrects its original.
 */
export const correctionRefusal = (
  { corrected, corrections }: Relatives,
  { rows }: Pick<PlanSummary, 'rows'>,
): Reason | undefined => {
  const full = corrected.find(({ correctedBy }) => (correctedBy?.size ?? 0) >= most.corrections);
  if (full !== undefined || isTooManyInARow(corrected)) {
    const message =
      `Batch ${(full ?? corrected[0])?.batchId} has ${full === undefined ? `${most.inARow} corrections before it` : `${most.corrections} corrections`}: ` +
      'no more are accepted. Nothing was paid. Check that nobody in this file is already paid, then start it without corrects.';
    return { code: tooManyCorrectionsCode, message };
  }
  for (const batch of corrected) {
    const skipped = mostCorrected(batch);
    if (skipped === undefined) continue;
    const others = otherPaying(batch, corrections);
    const taken = others.reduce((sum, { plan }) => sum + (plan?.validRows ?? 0), 0);
    if (rows + taken <= skipped) continue;
    const paidBy = taken === 0 ? '' : ` Its other corrections plan ${taken} of them: ${listBatches(idsOf(others))}.`;
    const advice = adviseOnSkipped(batch, others);
    const message = `Batch ${batch.batchId} skipped ${skipped} ${plural(skipped, 'row')} and pays the others; this file has ${rows}.${paidBy} Nothing was paid. ${advice}`;
    return { code: moreThanSkippedCode, message };
  }
  return undefined;
};

/** Lists batch ids in a sentence, oldest first: five of them, and the number of the others. */
export const listBatches = (batchIds: Iterable<string>): string => {
  const all = [...batchIds].sort();
  const shown = all.slice(0, 5);
  return [...shown, ...(all.length > shown.length ? [`${all.length - shown.length} more`] : [])].join(', ');
};

/** Describes which batches have paid the rows, and when. Only the references are known to match. */
export const describePayers = ({ batches, lastOn }: NonNullable<PlanSummary['alreadyPaid']>): string => {
  const on = lastOn === undefined ? '' : batches.length === 1 ? ` on ${lastOn}` : `, last on ${lastOn}`;
  return `under the same references, by ${listBatches(batches)}${on}`;
};

/** Describes how many rows are already paid, by which batches, and what to do. A sentence to append to another. */
export const describePaid = (plan: Pick<PlanSummary, 'alreadyPaid'> | undefined): string => {
  const paid = plan?.alreadyPaid;
  if (paid === undefined) return '';
  return ` Already paid: ${paid.rows} of these, ${describePayers(paid)}. Remove them. If they are owed again, give them new references.`;
};

/**
 * Returns other corrections of a batch that pays nobody, which may pay the same rows. The true number of rows is unknown: rows
 * may have been missing, and a file may be corrected in two parts. A person decides.
 */
export const otherCorrections = ({ corrected, corrections }: Relatives): readonly string[] => {
  const isBounded = (batch: Batch) => mostCorrected(batch) !== undefined;
  const known = new Set(idsOf(corrected));
  const counted = new Set(corrected.filter(isBounded).flatMap(({ correctedBy }) => [...(correctedBy ?? [])]));
  const others = corrected.filter((batch) => !isBounded(batch)).flatMap((batch) => otherPaying(batch, corrections));
  return [...new Set(idsOf(others)).difference(known).difference(counted)].sort();
};
