import type { Check } from './check.ts';
import { beyond } from './check.ts';

/** The most that one batch may pay. To pay more, split the file or change the setting. */
export const batchLimit: Check = (checked) =>
  beyond(checked, 'maxBatchAmount', (paid, limit) => ({
    code: 'batch_limit',
    message: `The batch pays ${paid.amount} ${paid.currency}; one batch may pay at most ${limit.amount}. Split the file, or change maxBatchAmount.`,
    mayBeReleased: false,
  }));
