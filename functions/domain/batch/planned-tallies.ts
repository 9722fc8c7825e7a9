import { Money } from '../money/money.ts';
import type { Tallies } from '../money/tally.ts';
import { sumIn, sumTallies } from '../money/tally.ts';
import type { PayoutStatus } from '../payout/payout-status.ts';
import { payoutStatuses } from '../payout/payout-status.ts';
import type { Batch } from './batch.ts';
import type { CurrencyPlan } from './plan.ts';
import type { Progress } from './progress.ts';

/**
 * The status that planned but unregistered payouts count as. They wait to be submitted, or are canceled with the batch. Undefined
 * for a preview or a refused batch, which only plans them.
 */
const unregisteredStatus = ({ status, mode }: Pick<Batch, 'status' | 'mode'>): PayoutStatus | undefined => {
  if (status === 'canceled') return 'canceled';
  if (mode === 'preview' || status === 'validation_failed') return undefined;
  return 'ready';
};

/** Payouts of a planned rail and currency by status: registered ones, and planned ones beyond those. */
export const talliesOfPlanned = (
  batch: Pick<Batch, 'status' | 'mode'>,
  planned: CurrencyPlan,
  { currencies }: Pick<Progress, 'currencies'>,
): Tallies => {
  const { rail, currency } = planned;
  const registered = currencies.find((one) => one.rail === rail && one.currency === currency)?.tallies ?? {};
  const status = unregisteredStatus(batch);
  const sum = sumIn(currency, registered, payoutStatuses);
  const count = planned.count - sum.count;
  if (status === undefined || count <= 0) return registered;
  const missing = { count, amount: planned.amount.minus(sum.amount), fee: Money.zero(currency) };
  return { ...registered, [status]: sumTallies(currency, [sumIn(currency, registered, [status]), missing]) };
};
