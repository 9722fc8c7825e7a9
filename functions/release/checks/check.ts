import type { Batch, Finding } from '../../domain/batch/batch.ts';
import type { PlanSummary, UnpaidElsewhere } from '../../domain/batch/plan.ts';
import { paidBy } from '../../domain/batch/release.ts';
import { Money } from '../../domain/money/money.ts';
import type { MoneyByCurrency } from '../../domain/money/money-by-currency.ts';
import type { OrchestratorSettings } from '../../domain/settings.ts';

/** Another batch that owes some of the same debts. */
export type Sharer = Pick<Batch, 'batchId' | 'status' | 'release' | 'report'>;

/** The input of the checks: a batch, and everything it is compared with before its release. */
export interface CheckedBatch {
  readonly batch: Pick<Batch, 'release'>;
  readonly plan: PlanSummary;
  readonly settings: Pick<OrchestratorSettings, 'maxBatchAmount' | 'maxDayAmount' | 'approvalAbove'>;
  readonly sharers: readonly Sharer[];
  /** Those of `unpaidElsewhere` that may have been contradicted since the plan or the last release, with their new counts. */
  readonly contradictedSince: readonly UnpaidElsewhere[];
  /** Amounts that batches released today have in total, without fees. */
  readonly releasedToday: MoneyByCurrency;
  readonly nowMs: number;
}

/** Looks for one problem, perhaps in several currencies. Pure: its input is read from the ledger beforehand. */
export type Check = (checked: CheckedBatch) => Finding | readonly Finding[] | undefined;

/**
 * Finds the currencies in which a batch pays more than a setting allows.
 *
 * @param before amount that already counts toward the limit
 */
export const beyond = (
  { plan, settings }: CheckedBatch,
  setting: keyof CheckedBatch['settings'],
  describe: (paid: Money, limit: Money) => Pick<Finding, 'code' | 'message' | 'mayBeReleased'>,
  before: (currency: string) => Money = Money.zero,
): readonly Finding[] =>
  [...paidBy(plan).values()].flatMap((paid) => {
    const { currency } = paid;
    const text = settings[setting][currency];
    if (text === undefined) return [];
    const limit = Money.of(text, currency);
    if (!paid.plus(before(currency)).isMoreThan(limit)) return [];
    return [{ ...describe(paid, limit), rows: 0, against: `${setting} ${limit.amount} ${currency}` }];
  });
