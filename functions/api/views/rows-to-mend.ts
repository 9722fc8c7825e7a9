import type { Batch } from '../../domain/batch.ts';
import { isPaidElsewhere, tellBatches, toCorrectName } from '../../domain/corrections.ts';
import { retryName } from '../../domain/retries.ts';
import { countSkipped, rowsSkippedCode } from '../../domain/skipped-rows.ts';
import type { Attention } from '../schemas/batch.ts';

/** Where the rows that are to be mended are, with what is wrong. */
const mendable = (batchId: string, plan: Batch['plan']): string[] =>
  [toCorrectName(plan), ...(plan?.errorsFile === undefined ? [] : ['errors.csv'])].flatMap((name) =>
    name === undefined ? [] : [`GET /batches/${batchId}/files/${name}`],
  );

/** What becomes of the mended file: a name with the batch's id does for the console what `corrects` does for the API. */
const again = (how: string): string => `In the console upload it ${how}; by the API start it with corrects.`;

const ofPaid = (plan: Batch['plan']): string => {
  const { rows, batches = [] } = plan?.alreadyPaid ?? {};
  return rows === undefined ? '' : ` Paid already: ${rows} of these, by ${tellBatches(batches)}. Leave them out.`;
};

/** Told for good: a batch with skipped rows must never look as if everybody had been paid. */
export const ofSkipped = ({ batchId, plan, correctedBy }: Batch): readonly Attention[] => {
  const count = countSkipped(plan);
  if (count === 0) return [];
  const name = toCorrectName(plan);
  const mended =
    name === undefined
      ? `errors.csv and results.csv tell each. Mend them in a file of their own. ${again('with this batch’s id in its name')}`
      : `${name} has them with what is wrong; errors.csv and results.csv tell each too. Mend them there. ${again('under the name it has')}`;
  const others = correctedBy === undefined ? '' : ` Some may be mended and paid by now: ${tellBatches(correctedBy)}.`;
  const message = `These rows are invalid and are skipped: nobody is paid for them.${others}${ofPaid(plan)} ${mended} A duplicate_reference may be paid already: look at its payout first.`;
  return [{ code: rowsSkippedCode, count, message, requests: mendable(batchId, plan) }];
};

/**
 * A batch that ended without paying anybody. Nobody need look at a refused file whose correction tells what to do, nor at
 * one that others pay.
 */
export const ofNothingPaid = ({
  batchId,
  status,
  statusSince: since,
  reason,
  plan,
  report,
  correctedBy,
}: Batch): readonly Attention[] => {
  const fileOf = (name: string): string => `GET /batches/${batchId}/files/${name}`;
  if (status === 'validation_failed') {
    if (correctedBy !== undefined || isPaidElsewhere({ reason })) return [];
    const why = reason?.message ?? 'The file was refused. Nothing was paid.';
    const name = toCorrectName(plan);
    const what =
      name === undefined
        ? 'Mend the file and start it again.'
        : `Mend ${name}, which has all rows. ${again('under the name it has')}`;
    return [
      {
        code: 'file_refused',
        since,
        message: `${why} ${what}`,
        requests: mendable(batchId, plan),
      },
    ];
  }
  if (status !== 'failed') return [];
  const retry = retryName(report);
  const ready =
    retry === undefined ? '' : ` ${retry} has them ready to be paid under new references once the reason is mended.`;
  const message = `None of its payouts was made. results.csv says why of each.${ready}`;
  const requests = ['results.csv', ...(retry === undefined ? [] : [retry])].map(fileOf);
  return [{ code: 'batch_failed', since, message, requests }];
};
