import type { Batch } from '../batch/batch.ts';
import type { RetryCount } from '../batch/plan.ts';
import { mayPay } from '../report/corrections.ts';

/** A batch that retries payouts of an earlier one. */
export interface TriedAgain extends Pick<Batch, 'batchId' | 'status'> {
  /** Number of those payouts in its plan. Other batches may retry the same ones. */
  readonly payouts: number;
  /** Number of those it has paid, by its last report. No other batch has paid these. */
  readonly paid: number;
}

const countOf = (batchId: string, counts: readonly RetryCount[] = []): number =>
  counts.find((one) => one.batchId === batchId)?.payouts ?? 0;

/**
 * Returns what other batches do with this batch's unpaid payouts.
 *
 * @param retries the batches in its `retriedBy`. Those that ended before they registered a payout are left out.
 */
export const triedAgainOf = ({ batchId }: Pick<Batch, 'batchId'>, retries: readonly Batch[]): readonly TriedAgain[] =>
  retries.filter(mayPay).map((retry) => ({
    batchId: retry.batchId,
    status: retry.status,
    payouts: countOf(batchId, retry.plan?.retries),
    paid: countOf(batchId, retry.report?.retriesPaid),
  }));

/**
 * Counts payouts of a batch that other batches have paid since. Payouts that are only being retried do not count: a retry may be
 * refused, be canceled or fail, and two may retry the same payout.
 */
export const paidSince = (triedAgain: readonly Pick<TriedAgain, 'paid'>[] = []): number =>
  triedAgain.reduce((sum, { paid }) => sum + paid, 0);

/** True when other batches have paid as many payouts as this batch left unpaid. */
export const areAllPaidSince = (unpaid: number, triedAgain?: readonly Pick<TriedAgain, 'paid'>[]): boolean =>
  unpaid > 0 && paidSince(triedAgain) >= unpaid;
