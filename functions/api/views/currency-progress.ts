import type { Batch } from '../../domain/batch/batch.ts';
import { talliesOfPlanned } from '../../domain/batch/planned-tallies.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import { givenBy } from '../../domain/given.ts';
import { compareFees } from '../../domain/money/fees.ts';
import { Money } from '../../domain/money/money.ts';
import { talliesInText } from '../../domain/money/money-records.ts';
import type { PayoutStatus } from '../../domain/payout/payout-status.ts';
import { payoutStatuses } from '../../domain/payout/payout-status.ts';
import type { OrchestratorSettings } from '../../domain/settings.ts';
import type { CurrencyProgress } from '../schemas/batch.ts';

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
    const {
      estimated = planned.fee,
      charged = Money.zero(planned.currency),
      isBeyond = false,
    } = fees.find(isSame) ?? {};
    return {
      rail: planned.rail,
      currency: planned.currency,
      planned: { count: planned.count, amount: planned.amount.amount },
      statuses: talliesInText(talliesOfPlanned(batch, planned, progress)),
      feeEstimated: estimated.amount,
      feeActual: charged.amount,
      feeBeyondEstimate: isBeyond,
    };
  });
};

/** Payouts by status over all currencies. Counts can be added up across currencies; sums cannot. */
export const countByStatus = (currencies: readonly CurrencyProgress[]): Partial<Record<PayoutStatus, number>> =>
  givenBy(payoutStatuses, (status) => {
    const counts = currencies.flatMap(({ statuses }) => statuses[status]?.count ?? []);
    return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count);
  });
