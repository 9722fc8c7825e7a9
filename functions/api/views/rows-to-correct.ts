import type { Batch } from '../../domain/batch/batch.ts';
import type { BatchStatus } from '../../domain/batch/batch-status.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import { countIn } from '../../domain/batch/progress.ts';
import { countSkipped, rowsSkippedCode } from '../../domain/batch/skipped-rows.ts';
import { plural } from '../../domain/money/format-money.ts';
import { payoutStatuses } from '../../domain/payout/payout-status.ts';
import { adviceOnLeftOut, retryableStatuses, retryName } from '../../domain/payout/retries.ts';
import type { TriedAgain } from '../../domain/payout/tried-again.ts';
import { areAllPaidSince } from '../../domain/payout/tried-again.ts';
import { controlTotalsDifferCode } from '../../domain/payout-file/control-totals.ts';
import {
  alreadyPaidCode,
  describeCanceled,
  describePaid,
  listBatches,
  mayPay,
  moreThanSkippedCode,
  notReleasedCode,
  sameContentCode,
  toCorrectName,
  tooManyCorrectionsCode,
} from '../../domain/report/corrections.ts';
import type { Attention } from '../schemas/batch.ts';

/** Requests for the files with the rows to correct and their errors. */
const correctionRequests = (batchId: string, plan: Batch['plan']): string[] =>
  [toCorrectName(plan), ...(plan?.errorsFile === undefined ? [] : ['errors.csv'])].flatMap((name) =>
    name === undefined ? [] : [`GET /batches/${batchId}/files/${name}`],
  );

/** How to start the corrected file. In the console, the batch's id in the file name does what `corrects` does in the API. */
const again = (how: string): string => `In the console, upload it ${how}. Through the API, start it with corrects.`;

/** Shown permanently: a batch with skipped rows must never look as if everyone had been paid. */
export const attentionOfSkipped = (batch: Batch): readonly Attention[] => {
  const { batchId, plan, correctedBy } = batch;
  const count = countSkipped(plan);
  if (count === 0) return [];
  const name = toCorrectName(plan);
  const paid = plan?.alreadyPaid?.rows ?? 0;
  const whom = paid === 0 ? 'them' : 'the others';
  const advice =
    name === undefined
      ? `errors.csv and results.csv list each. Correct ${whom} in a file of their own. ${again('with this batch’s id in its name')}`
      : `${name} has them with their errors; errors.csv and results.csv list each too. Correct ${whom} there. ${again('under the same name')}`;
  const others =
    correctedBy === undefined ? '' : ` Some may be corrected and paid by now: ${listBatches(correctedBy)}.`;
  const whole = mayPay(batch) ? '' : ' This batch pays nobody, so the corrected file may also have its other rows.';
  const nobody = paid < count ? ` Nobody is paid for ${whom}.` : '';
  const message = `These rows are invalid and are skipped.${describePaid(plan)}${nobody}${others} ${advice}${whole} A duplicate_reference may be paid already: look at its payout first.`;
  return [{ code: rowsSkippedCode, count, message, requests: correctionRequests(batchId, plan) }];
};

/** What to do about a refused file whose rows are not at fault. Begins with a space. Empty when the reason says it. */
const adviceByReason: Readonly<Record<string, string>> = {
  [notReleasedCode]: '',
  [sameContentCode]: ' Look there first.',
  [controlTotalsDifferCode]: ' Find out which is wrong. Start again with the right file, or the right expect.',
  [moreThanSkippedCode]: '',
  [tooManyCorrectionsCode]: '',
};

/** What to do about a refused file, after a space. */
const adviseRefused = ({ reason, plan }: Batch): string => {
  const advice = adviceByReason[reason?.code ?? ''];
  if (advice !== undefined) return advice;
  const name = toCorrectName(plan);
  if (reason?.code === alreadyPaidCode)
    return name === undefined ? ' Look at what was paid.' : ` ${name} has all rows. ${again('under the same name')}`;
  return name === undefined
    ? ` Correct the file. ${again('with this batch’s id in its name')}`
    : ` Correct ${name}, which has all rows. ${again('under the same name')}`;
};

/**
 * Says how many rows of a refused file other batches pay. Undefined when they pay all, so that nobody needs to look. One that was
 * itself refused or rejected pays nothing. The retry file of one that failed has its rows. One that was canceled while it paid
 * leaves rows that nothing else names.
 */
const describePaying = ({ plan }: Batch, others: readonly Batch[]): string | undefined => {
  const { paying = [], canceled = [] } = Object.groupBy(others.filter(mayPay), (one) =>
    one.status === 'canceled' ? 'canceled' : 'paying',
  );
  const owed = (plan?.rows ?? 0) - (plan?.alreadyPaid?.rows ?? 0);
  const taken = paying.reduce((sum, one) => sum + (one.plan?.validRows ?? 0), 0);
  if (paying.length > 0 && taken >= owed) return undefined;
  const paid =
    paying.length === 0
      ? ''
      : ` Other batches pay ${taken} of ${owed} ${plural(owed, 'row')}: ${listBatches(paying.map(({ batchId }) => batchId))}. Leave those out.`;
  return canceled.length === 0 ? paid : `${paid} ${describeCanceled(canceled)}`;
};

/** A batch that failed names them itself: see attentionOfUnpaid. */
const statusesWithLeftOut: readonly BatchStatus[] = ['partially_completed', 'canceled'];

/** Shown permanently: a batch with payouts that no retry file has must never look as if everybody could be paid from one. */
export const attentionOfLeftOut = ({ batchId, status, statusSince: since, report }: Batch): readonly Attention[] => {
  const { leftOut: count } = report ?? {};
  if (!statusesWithLeftOut.includes(status) || count === undefined) return [];
  const message = `These ended unpaid, and no retry file has them. ${adviceOnLeftOut}`;
  return [{ code: 'payouts_left_out', count, since, message, requests: [`GET /batches/${batchId}/files/results.csv`] }];
};

/** The batch's rows in other batches. */
export interface Elsewhere {
  /** For a refused file, all of `correctedBy`, and batches that started the same file version later. */
  readonly paying: readonly Batch[];
  readonly triedAgain: readonly TriedAgain[];
}

/**
 * For a batch that ended without paying anyone. Omitted when other batches pay all rows of its file, or have paid its payouts.
 */
export const attentionOfUnpaid = (
  batch: Batch,
  { currencies }: Pick<Progress, 'currencies'>,
  { paying, triedAgain }: Elsewhere,
): readonly Attention[] => {
  const { batchId, status, statusSince: since, reason, plan, report } = batch;
  const fileOf = (name: string): string => `GET /batches/${batchId}/files/${name}`;
  if (status === 'validation_failed') {
    const paid = describePaying(batch, paying);
    if (paid === undefined) return [];
    const why = reason?.message ?? 'The file was refused. Nothing was paid.';
    const message = `${why}${paid}${adviseRefused(batch)}`;
    return [{ code: 'file_refused', since, message, requests: correctionRequests(batchId, plan) }];
  }
  if (status !== 'failed' || areAllPaidSince(countIn(currencies, ...payoutStatuses), triedAgain)) return [];
  if (areAllPaidSince(countIn(currencies, ...retryableStatuses), triedAgain)) {
    const message =
      'Retries have paid those of its payouts that failed. The provider canceled the others, and no retry file has them: ' +
      'results.csv names them. Pay those that are owed in a file of their own, under new references.';
    return [{ code: 'batch_failed', since, message, requests: [fileOf('results.csv')] }];
  }
  const retry = retryName(report);
  const lacking =
    report?.leftOut === undefined
      ? ''
      : ` It lacks ${report.leftOut} of them, which the provider canceled or another payout may have paid.`;
  const ready =
    retry === undefined
      ? ''
      : ` ${retry} has them ready to be paid under new references once the cause is fixed.${lacking}`;
  const message = `None of its payouts was made. results.csv has the reason for each.${ready}`;
  const requests = ['results.csv', ...(retry === undefined ? [] : [retry])].map(fileOf);
  return [{ code: 'batch_failed', since, message, requests }];
};
