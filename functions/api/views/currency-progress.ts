import type { Batch } from '../../domain/batch/batch.ts';
import type { CurrencyPlan } from '../../domain/batch/plan.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import { compareFees } from '../../domain/money/fees.ts';
import { Money } from '../../domain/money/money.ts';
import { talliesInText } from '../../domain/money/money-records.ts';
import type { Tallies } from '../../domain/money/tally.ts';
import { sumIn, sumTallies } from '../../domain/money/tally.ts';
import type { PayoutStatus } from '../../domain/payout/payout-status.ts';
import { payoutStatuses } from '../../domain/payout/payout-status.ts';
import type { OrchestratorSettings } from '../../domain/settings.ts';
import type { CurrencyProgress } from '../schemas/batch.ts';

/**
 * The status that planned but unregistered payouts count as. They wait to be submitted, or are canceled with the batch. Undefined
 * for a preview or a refused file, which only plans them.
 */
const unregisteredStatus = (batch: Batch): PayoutStatus | undefined => {
  if (batch.status === 'canceled') return 'canceled';
  if (batch.mode === 'preview' || batch.status === 'validation_failed') return undefined;
  return 'ready';
};

const withUnregistered = (batch: Batch, planned: CurrencyPlan, registered: Tallies): Tallies => {
  const status = unregisteredStatus(batch);
  const { currency } = planned;
  const sum = sumIn(currency, registered, payoutStatuses);
  const count = planned.count - sum.count;
  if (status === undefined || count <= 0) return registered;
  const missing = { count, amount: planned.amount.minus(sum.amount), fee: Money.zero(currency) };
  return { ...registered, [status]: sumTallies(currency, [sumIn(currency, registered, [status]), missing]) };
};

/** Progress of the payouts of each rail and currency: registered ones, and planned ones beyond those. */
export const describeCurrencies = (
  batch: Batch,
  progress: Pick<Progress, 'currencies'>,
  settings: Pick<OrchestratorSettings, 'feeTolerancePercent'>,
): CurrencyProgress[] => {
  const fees = compareFees(batch, progress, settings);
  return (batch.plan?.currencies ?? []).map((planned) => {
    const isSame = (other: { readonly rail: string; readonly currency: string }) =>
      other.rail === planned.rail && other.currency === planned.currency;
    const registered = progress.currencies.find(isSame)?.tallies ?? {};
    const {
      estimated = planned.fee,
      charged = Money.zero(planned.currency),
      isBeyond = false,
    } = fees.find(isSame) ?? {};
    return {
      rail: planned.rail,
      currency: planned.currency,
      planned: { count: planned.count, amount: planned.amount.amount },
      statuses: talliesInText(withUnregistered(batch, planned, registered)),
      feeEstimated: estimated.amount,
      feeActual: charged.amount,
      feeBeyondEstimate: isBeyond,
    };
  });
};

/** Payouts by status over all currencies. Counts can be added up across currencies; sums cannot. */
export const countByStatus = (currencies: readonly CurrencyProgress[]): Partial<Record<PayoutStatus, number>> => {
  const counts: Partial<Record<PayoutStatus, number>> = {};
  for (const { statuses } of currencies) {
    for (const status of payoutStatuses) {
      const tally = statuses[status];
      if (tally) counts[status] = (counts[status] ?? 0) + tally.count;
    }
  }
  return counts;
};
