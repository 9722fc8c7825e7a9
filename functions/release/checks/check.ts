import type { Batch, Finding } from '../../domain/batch.ts';
import { compareAmounts } from '../../domain/money.ts';
import type { PlanSummary } from '../../domain/plan.ts';
import { amountsOf } from '../../domain/release.ts';
import type { OrchestratorSettings } from '../../domain/settings.ts';

/** Another batch that owes some of the same debts. */
export type Sharer = Pick<Batch, 'batchId' | 'status' | 'release' | 'report'>;

/** What a batch is held against before it is released. */
export interface CheckedBatch {
  readonly batch: Pick<Batch, 'release'>;
  readonly plan: PlanSummary;
  readonly settings: Pick<OrchestratorSettings, 'maxBatchAmount' | 'maxDayAmount' | 'approvalAbove'>;
  readonly sharers: readonly Sharer[];
  /** What this day has released so far, by currency: exact decimals without fees. */
  readonly releasedToday: ReadonlyMap<string, string>;
}

/** Looks for one thing, and reads nothing: what it needs of the ledger is read before. */
export type Check = (of: CheckedBatch) => readonly Finding[];

/** The currencies of a batch that have a limit and pay more than it. */
export const beyond = (
  plan: PlanSummary,
  limits: Readonly<Record<string, string>>,
  paid: (currency: string, amount: string) => string = (_, amount) => amount,
) =>
  [...amountsOf(plan)].flatMap(([currency, amount]) => {
    const limit = limits[currency];
    const isBeyond = limit !== undefined && compareAmounts(paid(currency, amount), limit) > 0;
    return isBeyond ? [{ currency, amount, limit }] : [];
  });
