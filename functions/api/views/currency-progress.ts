import type { Batch } from '../../domain/batch/batch.ts';
import { talliesOfPlanned } from '../../domain/batch/planned-tallies.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import { givenBy } from '../../domain/given.ts';
import { compareFeesOf } from '../../domain/money/fees.ts';
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
): CurrencyProgress[] =>
  (batch.plan?.currencies ?? []).map((planned) => {
    const { rail, currency, count, amount } = planned;
    const { estimated, charged, isBeyond } = compareFeesOf(planned, batch, progress, settings);
    return {
      rail,
      currency,
      planned: { count, amount: amount.amount },
      statuses: talliesInText(talliesOfPlanned(batch, planned, progress)),
      feeEstimated: estimated.amount,
      feeActual: charged.amount,
      feeBeyondEstimate: isBeyond,
    };
  });

/** Payouts by status over all currencies. Counts can be added up across currencies; sums cannot. */
export const countByStatus = (currencies: readonly CurrencyProgress[]): Partial<Record<PayoutStatus, number>> =>
  givenBy(payoutStatuses, (status) => {
    const counts = currencies.flatMap(({ statuses }) => statuses[status]?.count ?? []);
    return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count);
  });
