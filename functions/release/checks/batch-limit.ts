import type { Check } from './check.ts';
import { beyond } from './check.ts';

/** One batch pays no more than this. Who needs more splits the file, or changes the setting. */
export const batchLimit: Check = ({ plan, settings }) =>
  beyond(plan, settings.maxBatchAmount).map(({ paid, limit }) => ({
    code: 'batch_limit',
    message: `The batch pays ${paid.amount} ${paid.currency}; one batch may pay ${limit.amount}.`,
    rows: 0,
    against: `maxBatchAmount ${limit.amount} ${limit.currency}`,
    mayBeReleased: false,
  }));
