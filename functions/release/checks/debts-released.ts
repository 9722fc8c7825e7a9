import type { Check } from './check.ts';

/** Other batches that were released, and owe some of the same debts: each would pay these again. */
export const debtsReleased: Check = ({ sharers }) =>
  sharers.flatMap(({ batchId, release }) =>
    release === undefined
      ? []
      : [
          {
            code: 'debts_released',
            message:
              `Batch ${batchId} owes some of the same debts, and was released at ${release.at}. ` +
              'The repeated-debts.csv of the batch that was planned later names the rows.',
            rows: 0,
            against: batchId,
            mayBeReleased: true,
          },
        ],
  );
