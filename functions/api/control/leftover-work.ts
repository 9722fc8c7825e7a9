import type { Batch } from '../../domain/batch/batch.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import { countIn, countMissingProofs, isReportOutdated } from '../../domain/batch/progress.ts';
import { payoutStatusesThat } from '../../domain/payout/payout-status.ts';

/** Work left in a batch that has ended. */
export type LeftoverWork = Readonly<ReturnType<typeof leftoverWorkOf>>;

/** Counts the work that is left, from the batch's progress. Without a report of known age, nothing is outdated. */
export const leftoverWorkOf = (batch: Pick<Batch, 'report'>, progress: Progress) => ({
  /** Payouts that a later look at the provider may move. */
  openPayouts: countIn(progress.currencies, ...payoutStatusesThat('isOpen')),
  missingProofs: countMissingProofs(progress),
  reportOutdated: isReportOutdated(batch, progress),
});

/** True when no work is left, so that writing the report again would change nothing. */
export const hasNothingLeft = ({ openPayouts, missingProofs, reportOutdated }: LeftoverWork): boolean =>
  openPayouts === 0 && missingProofs === 0 && !reportOutdated;
