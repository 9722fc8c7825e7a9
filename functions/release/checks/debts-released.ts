import type { Batch } from '../../domain/batch/batch.ts';
import { isBatchEnd } from '../../domain/batch/batch-status.ts';
import { plural } from '../../domain/money/format-money.ts';
import type { Check, Sharer } from './check.ts';

/** Maximum batches that the finding names. The newest come first, so that each further one changes the finding. */
const maxNamed = 20;

/** A batch that ended without a report registered nothing, so it paid nothing. */
const mayHavePaid = (sharer: Sharer): sharer is Sharer & { readonly release: NonNullable<Batch['release']> } =>
  sharer.release !== undefined && !(isBatchEnd(sharer.status) && sharer.report === undefined);

/** Finds other released batches that owe some of the same debts, and would pay them again. */
export const debtsReleased: Check = ({ batch, sharers }) => {
  const { release: own } = batch;
  const released = sharers
    .filter(mayHavePaid)
    // Once this batch is released, only earlier releases count: later ones were warned about it.
    .filter(({ release }) => own === undefined || release.at < own.at)
    .toSorted((a, b) => b.release.at.localeCompare(a.release.at));
  const [newest, ...others] = released;
  if (newest === undefined) return undefined;
  const more = others.length === 0 ? '' : ` ${others.length} more ${plural(others.length, 'does', 'do')} too.`;
  return {
    code: 'debts_released',
    message:
      `Batch ${newest.batchId} owes some of the same debts, and was released at ${newest.release.at}.${more} ` +
      'The repeated-debts.csv of the batch that was planned later lists the rows.',
    rows: 0,
    against: released
      .slice(0, maxNamed)
      .map(({ batchId }) => batchId)
      .join(' '),
    mayBeReleased: true,
  };
};
