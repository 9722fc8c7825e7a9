import type { Batch, Finding } from '../../domain/batch/batch.ts';
import type { PlanSummary } from '../../domain/batch/plan.ts';
import { paidBy } from '../../domain/batch/release.ts';
import type { MoneyByCurrency } from '../../domain/money/money.ts';
import { Money } from '../../domain/money/money.ts';
import type { OrchestratorSettings } from '../../domain/settings.ts';

/** Another batch that owes some of the same debts. */
export type Sharer = Pick<Batch, 'batchId' | 'status' | 'release' | 'report'>;

/** What a batch is held against before it is released. */
export interface CheckedBatch {
  readonly batch: Pick<Batch, 'release'>;
  readonly plan: PlanSummary;
  readonly settings: Pick<OrchestratorSettings, 'maxBatchAmount' | 'maxDayAmount' | 'approvalAbove'>;
  readonly sharers: readonly Sharer[];
  /** What this day has released so far, without fees. */
  readonly releasedToday: MoneyByCurrency;
}

/** Looks for one thing, and reads nothing: what it needs of the ledger is read before. */
export type Check = (of: CheckedBatch) => readonly Finding[];

/**
 * What a batch pays of the currencies that have a limit, where it is more than that.
 *
 * @param limits amounts by currency, as the settings have them
 * @param before what counts towards the limit beside what the batch pays
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
