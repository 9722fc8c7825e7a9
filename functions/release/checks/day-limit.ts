import { addAmounts } from '../../domain/money.ts';
import type { Check } from './check.ts';
import { beyond } from './check.ts';

/**
 * A day pays no more than this by itself. What the day has released is told and not approved: else each batch that is released
 * would void the approvals of all that wait.
 */
export const dayLimit: Check = ({ batch, plan, settings, releasedToday }) => {
  // It counted when it was released first.
  if (batch.release !== undefined) return [];
  const before = (currency: string): string => releasedToday.get(currency) ?? '0';
  const sum = (currency: string, amount: string): string => addAmounts(before(currency), amount);
  return beyond(plan, settings.maxDayAmount, sum).map(({ currency, amount, limit }) => ({
    code: 'day_limit',
    message:
      `The batch pays ${amount} ${currency}. Today has released ${before(currency)}, of ${limit} that a day may pay ` +
      'without approval.',
    rows: 0,
    against: `maxDayAmount ${limit} ${currency}`,
    mayBeReleased: true,
  }));
};
