import type { Batch } from './batch.ts';
import { mayPay } from './corrections.ts';

/** A batch that tries payouts of an earlier one again, or has, and how many. */
export interface TriedAgain extends Pick<Batch, 'batchId' | 'status'> {
  readonly payouts: number;
}

/** What becomes of the payouts that a batch's retry file has. */
export interface Retrying {
  /** Rows of the retry file. */
  readonly rows: number;
  /** Oldest first. One that was refused, rejected or canceled before it paid tries nothing again. */
  readonly triedAgain: readonly TriedAgain[];
}

/**
 * What becomes of a batch's payouts that may be tried again; undefined where it has no retry file.
 *
 * @param retries batches of its `retriedBy`
 */
export const retryingOf = (
  { batchId, report }: Pick<Batch, 'batchId' | 'report'>,
  retries: readonly Batch[],
): Retrying | undefined => {
  if (report?.retryRows === undefined) return undefined;
  const triedAgain = retries.filter(mayPay).map((retry) => ({
    batchId: retry.batchId,
    status: retry.status,
    payouts: retry.plan?.retries?.find((one) => one.batchId === batchId)?.payouts ?? 0,
  }));
  return { rows: report.retryRows, triedAgain };
};

/** Whether every payout that may be tried again is tried again, so that it is the later batches that somebody may have to look at. */
export const isAllTriedAgain = ({ rows, triedAgain }: Retrying): boolean =>
  triedAgain.reduce((sum, { payouts }) => sum + payouts, 0) >= rows;
