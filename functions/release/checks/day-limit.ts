import type { Money } from '../../domain/money/money.ts';
import { moneyIn } from '../../domain/money/money-by-currency.ts';
import type { Check } from './check.ts';
import { beyond } from './check.ts';

/**
 * The most that a day may pay without approval. The total of the day is in the message but not in the hash. Otherwise each
 * released batch would void the approvals of all that wait.
 */
export const dayLimit: Check = (checked) => {
  // A released batch counted when it was released first.
  if (checked.batch.release !== undefined) return undefined;
  const before = (currency: string): Money => moneyIn(checked.releasedToday, currency);
  const describe = (paid: Money, limit: Money) => ({
    code: 'day_limit',
    message:
      `The batch pays ${paid.amount} ${paid.currency}. Today ${before(paid.currency).amount} is released already, and a day may pay ` +
      `${limit.amount} without approval.`,
    mayBeReleased: true,
  });
  return beyond(checked, 'maxDayAmount', describe, before);
};
