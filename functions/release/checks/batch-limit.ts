import type { Check } from './check.ts';
import { beyond } from './check.ts';

/** One batch pays no more than this. Who needs more splits the file, or changes the setting. */
export const batchLimit: Check = ({ plan, settings }) =>
  beyond(plan, settings.maxBatchAmount).map(({ currency, amount, limit }) => ({
    code: 'batch_limit',
    message: `The batch pays ${amount} ${currency}; one batch may pay ${limit}.`,
    rows: 0,
    against: `maxBatchAmount ${limit} ${currency}`,
    mayBeReleased: false,
  }));
