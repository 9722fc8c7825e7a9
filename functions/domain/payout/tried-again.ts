import type { Batch } from '../batch/batch.ts';
import type { RetryCount } from '../batch/plan.ts';
import { mayPay } from '../report/corrections.ts';

/** A batch that tries payouts of an earlier one again. */
export interface TriedAgain extends Pick<Batch, 'batchId' | 'status'> {
  /** How many of them its plan has. Others may try the same ones. */
  readonly payouts: number;
  /** How many of them it has paid, by its last report. No other batch has paid these. */
  readonly paid: number;
}

const countOf = (batchId: string, counts: readonly RetryCount[] = []): number =>
  counts.find((one) => one.batchId === batchId)?.payouts ?? 0;

/**
 * What becomes elsewhere of a batch's payouts that paid nobody.
 *
 * @param retries batches of its `retriedBy`. One that was refused or rejected tries nothing.
 */
export const triedAgainOf = ({ batchId }: Pick<Batch, 'batchId'>, retries: readonly Batch[]): readonly TriedAgain[] =>
  retries.filter(mayPay).map((retry) => ({
    batchId: retry.batchId,
    status: retry.status,
    payouts: countOf(batchId, retry.plan?.retries),
    paid: countOf(batchId, retry.report?.retriesPaid),
  }));

/**
 * How many payouts of a batch others have paid since. Those that are only tried again are not counted: a retry may be refused,
 * canceled, or fail, and two may try the same payout.
 */
export const paidSince = (triedAgain: readonly Pick<TriedAgain, 'paid'>[] = []): number =>
  triedAgain.reduce((sum, { paid }) => sum + paid, 0);

/** Whether others have paid as many payouts as this batch did not. */
export const areAllPaidSince = (unpaid: number, triedAgain?: readonly Pick<TriedAgain, 'paid'>[]): boolean =>
  unpaid > 0 && paidSince(triedAgain) >= unpaid;
