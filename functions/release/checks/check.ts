import type { Batch, Finding } from '../../domain/batch/batch.ts';
import type { PlanSummary } from '../../domain/batch/plan.ts';
import { paidBy } from '../../domain/batch/release.ts';
import type { MoneyByCurrency } from '../../domain/money/money.ts';
import { Money } from '../../domain/money/money.ts';
import type { OrchestratorSettings } from '../../domain/settings.ts';

/** Another batch that owes some of the same debts. */
export type Sharer = Pick<Batch, 'batchId' | 'status' | 'release' | 'report'>;

/** The input of the checks: a batch, and everything it is compared with before its release. */
export interface CheckedBatch {
  readonly batch: Pick<Batch, 'release'>;
  readonly plan: PlanSummary;
  readonly settings: Pick<OrchestratorSettings, 'maxBatchAmount' | 'maxDayAmount' | 'approvalAbove'>;
  readonly sharers: readonly Sharer[];
  /** Amounts that batches released today have in total, without fees. */
  readonly releasedToday: MoneyByCurrency;
}

/** Looks for one problem. Pure: its input is read from the ledger beforehand. */
export type Check = (checked: CheckedBatch) => readonly Finding[];

/**
 * Returns the currencies in which a batch pays more than the limit.
 *
 * @param limits amounts by currency, as in the settings
 * @param before amount that already counts towards the limit
 */
export const beyond = (
  plan: PlanSummary,
  limits: Readonly<Record<string, string>>,
  before: (currency: string) => Money = Money.zero,
) =>
  [...paidBy(plan).values()].flatMap((paid) => {
    const { currency } = paid;
    const text = limits[currency];
    if (text === undefined) return [];
    const limit = Money.of(text, currency);
    return paid.plus(before(currency)).isMoreThan(limit) ? [{ paid, limit }] : [];
  });
