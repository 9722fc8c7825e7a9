import type { Batch } from '../../domain/batch/batch.ts';
import { isBatchEnd } from '../../domain/batch/batch-status.ts';
import type { Check, Sharer } from './check.ts';

/** Most batches that are named: the newest, so that each further one changes what is found. */
const mostNamed = 20;

interface Released extends Sharer {
  readonly release: NonNullable<Batch['release']>;
}

/** One that ended without a report ended before anything was registered: it paid nothing. */
const mayHavePaid = (sharer: Sharer): sharer is Released =>
  sharer.release !== undefined && !(isBatchEnd(sharer.status) && sharer.report === undefined);

/** Other batches that were released, and owe some of the same debts: each would pay these again. */
export const debtsReleased: Check = ({ batch, sharers }) => {
  const { release: own } = batch;
  const released = sharers
    .filter(mayHavePaid)
    // What was released after this batch was told of it.
    .filter(({ release }) => own === undefined || release.at < own.at)
    .toSorted((a, b) => b.release.at.localeCompare(a.release.at));
  const [newest, ...others] = released;
  if (newest === undefined) return [];
  const more = others.length === 0 ? '' : ` So do ${others.length} more.`;
  return [
    {
      code: 'debts_released',
      message:
        `Batch ${newest.batchId} owes some of the same debts, and was released at ${newest.release.at}.${more} ` +
        'The repeated-debts.csv of whichever was planned later names rows that repeat.',
      rows: 0,
      against: released
        .slice(0, mostNamed)
        .map(({ batchId }) => batchId)
        .join(' '),
      mayBeReleased: true,
    },
  ];
};
