import type { Batch } from '../../domain/batch/batch.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import { countIn, countMissingProofs } from '../../domain/batch/progress.ts';
import { payoutStatusesThat } from '../../domain/payout/payout-status.ts';

/** Work left in a batch that has ended. */
export type LeftoverWork = Readonly<ReturnType<typeof leftoverWorkOf>>;

/** Counts the work that is left, from the batch's progress. Without a report of known age, nothing is outdated. */
export const leftoverWorkOf = ({ report }: Pick<Batch, 'report'>, progress: Progress) => ({
  /** Payouts that have not ended. */
  openPayouts: countIn(progress.currencies, ...payoutStatusesThat('isOpen')),
  missingProofs: countMissingProofs(progress),
  /** True when a payout changed after the report was written. */
  reportOutdated: report?.chunkVersions !== undefined && report.chunkVersions !== progress.chunkVersions,
});

/** True when no work is left, so that writing the report again would change nothing. */
export const hasNothingLeft = ({ openPayouts, missingProofs, reportOutdated }: LeftoverWork): boolean =>
  openPayouts === 0 && missingProofs === 0 && !reportOutdated;
