import type { Money } from '../../domain/money/money.ts';
import { moneyIn } from '../../domain/money/money.ts';
import type { Check } from './check.ts';
import { beyond } from './check.ts';

/**
 * A day pays no more than this by itself. What the day has released is told and not approved: else each batch that is released
 * would void the approvals of all that wait.
 */
export const dayLimit: Check = ({ batch, plan, settings, releasedToday }) => {
  // It counted when it was released first.
  if (batch.release !== undefined) return [];
  const before = (currency: string): Money => moneyIn(releasedToday, currency);
  return beyond(plan, settings.maxDayAmount, before).map(({ paid, limit }) => ({
    code: 'day_limit',
    message:
      `The batch pays ${paid.amount} ${paid.currency}. Today has released ${before(paid.currency).amount}, of ${limit.amount} that a day may pay ` +
      'without approval.',
    rows: 0,
    against: `maxDayAmount ${limit.amount} ${limit.currency}`,
    mayBeReleased: true,
  }));
};
