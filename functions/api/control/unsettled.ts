import type { Batch } from '../../domain/batch/batch.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import { countIn } from '../../domain/batch/progress.ts';
import { payoutStatusesThat } from '../../domain/payout/payout-status.ts';

/** What is left to do of a batch that has ended. */
export interface Unsettled {
  /** Payouts that have not come to an end. */
  readonly openPayouts: number;
  /** Completed bank transfers whose proof is not archived, and may be had. */
  readonly missingProofs: number;
  /** Whether a payout changed since the report was made. */
  readonly reportOutdated: boolean;
}

export const unsettledOf = ({ report }: Pick<Batch, 'report'>, progress: Progress): Unsettled => ({
  openPayouts: countIn(progress.currencies, ...payoutStatusesThat('isOpen')),
  missingProofs: progress.proofs.expected - progress.proofs.archived,
  reportOutdated: report?.chunkVersions !== undefined && report.chunkVersions !== progress.chunkVersions,
});

export const isSettled = ({ openPayouts, missingProofs, reportOutdated }: Unsettled): boolean =>
  openPayouts === 0 && missingProofs === 0 && !reportOutdated;
