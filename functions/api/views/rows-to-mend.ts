import type { Batch } from '../../domain/batch/batch.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import { countIn } from '../../domain/batch/progress.ts';
import { countSkipped, rowsSkippedCode } from '../../domain/batch/skipped-rows.ts';
import { plural } from '../../domain/money/format-money.ts';
import { payoutStatuses } from '../../domain/payout/payout-status.ts';
import { retryName } from '../../domain/payout/retries.ts';
import type { TriedAgain } from '../../domain/payout/tried-again.ts';
import { areAllPaidSince } from '../../domain/payout/tried-again.ts';
import {
  alreadyPaidCode,
  describePaid,
  listBatches,
  mayPay,
  sameContentCode,
  toCorrectName,
} from '../../domain/report/corrections.ts';
import type { Attention } from '../schemas/batch.ts';

/** Where the rows that are to be mended are, with what is wrong. */
const mendable = (batchId: string, plan: Batch['plan']): string[] =>
  [toCorrectName(plan), ...(plan?.errorsFile === undefined ? [] : ['errors.csv'])].flatMap((name) =>
    name === undefined ? [] : [`GET /batches/${batchId}/files/${name}`],
  );

/** What becomes of the mended file: a name with the batch's id does for the console what `corrects` does for the API. */
const again = (how: string): string => `In the console upload it ${how}; by the API start it with corrects.`;

/** Told for good: a batch with skipped rows must never look as if everybody had been paid. */
export const attentionOfSkipped = ({ batchId, plan, correctedBy }: Batch): readonly Attention[] => {
  const count = countSkipped(plan);
  if (count === 0) return [];
  const name = toCorrectName(plan);
  const paid = plan?.alreadyPaid?.rows ?? 0;
  const whom = paid === 0 ? 'them' : 'the others';
  const mended =
    name === undefined
      ? `errors.csv and results.csv tell each. Mend ${whom} in a file of their own. ${again('with this batch’s id in its name')}`
      : `${name} has them with what is wrong; errors.csv and results.csv tell each too. Mend ${whom} there. ${again('under the name it has')}`;
  const others = correctedBy === undefined ? '' : ` Some may be mended and paid by now: ${listBatches(correctedBy)}.`;
  const nobody = paid < count ? ` Nobody is paid for ${whom}.` : '';
  const message = `These rows are invalid and are skipped.${describePaid(plan)}${nobody}${others} ${mended} A duplicate_reference may be paid already: look at its payout first.`;
  return [{ code: rowsSkippedCode, count, message, requests: mendable(batchId, plan) }];
};

/** What is done about a refused file, by why it was refused. */
const mendRefused = ({ reason, plan }: Batch): string => {
  if (reason?.code === sameContentCode) return 'Look at that batch.';
  const name = toCorrectName(plan);
  if (reason?.code === alreadyPaidCode)
    return name === undefined ? 'Look at what was paid.' : `${name} has all rows. ${again('under the name it has')}`;
  return name === undefined
    ? 'Mend the file and start it again.'
    : `Mend ${name}, which has all rows. ${again('under the name it has')}`;
};

/**
 * What corrections of a refused file pay; undefined where they pay all of it, so that nobody need look at it. One that was
 * refused itself, rejected or canceled pays nothing.
 */
const tellCorrected = ({ plan }: Batch, corrections: readonly Batch[]): string | undefined => {
  const paying = corrections.filter(mayPay);
  if (paying.length === 0) return '';
  const owed = (plan?.rows ?? 0) - (plan?.alreadyPaid?.rows ?? 0);
  const taken = paying.reduce((sum, one) => sum + (one.plan?.validRows ?? 0), 0);
  if (taken >= owed) return undefined;
  return ` Corrections pay ${taken} of ${owed} ${plural(owed, 'row')}: ${listBatches(paying.map(({ batchId }) => batchId))}. Leave those out.`;
};

/** What became of a batch's rows in other batches. */
export interface Elsewhere {
  /** All of `correctedBy` of a refused file. */
  readonly corrections: readonly Batch[];
  readonly triedAgain: readonly TriedAgain[];
}

/** A batch that ended without paying anybody. Nobody need look at it while others pay all rows of its file, or have paid its payouts. */
export const attentionOfUnpaid = (
  batch: Batch,
  { currencies }: Pick<Progress, 'currencies'>,
  { corrections, triedAgain }: Elsewhere,
): readonly Attention[] => {
  const { batchId, status, statusSince: since, reason, plan, report } = batch;
  const fileOf = (name: string): string => `GET /batches/${batchId}/files/${name}`;
  if (status === 'validation_failed') {
    const corrected = tellCorrected(batch, corrections);
    if (corrected === undefined) return [];
    const why = reason?.message ?? 'The file was refused. Nothing was paid.';
    return [
      {
        code: 'file_refused',
        since,
        message: `${why}${corrected} ${mendRefused(batch)}`,
        requests: mendable(batchId, plan),
      },
    ];
  }
  if (status !== 'failed' || areAllPaidSince(countIn(currencies, ...payoutStatuses), triedAgain)) return [];
  const retry = retryName(report);
  const ready =
    retry === undefined ? '' : ` ${retry} has them ready to be paid under new references once the reason is mended.`;
  const message = `None of its payouts was made. results.csv says why of each.${ready}`;
  const requests = ['results.csv', ...(retry === undefined ? [] : [retry])].map(fileOf);
  return [{ code: 'batch_failed', since, message, requests }];
};
