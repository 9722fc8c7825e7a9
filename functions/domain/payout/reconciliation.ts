import * as z from 'zod';
import type { Batch } from '../batch/batch.ts';
import { createRowSet } from '../batch/row-set.ts';
import { dayMs, hourMs } from '../durations.ts';
import { counter, record } from '../records.ts';
import type { OrchestratorSettings } from '../settings.ts';
import { rail } from './payout.ts';

const storedRailLeft = record(() => ({
  rail: rail(),
  /**
   * Next page to read, from 1. 0: all pages are read, and the rows missing from them are looked up. Absent: nothing is read yet.
   */
  page: counter().exactOptional(),
}));
export type RailLeft = z.infer<ReturnType<typeof storedRailLeft>>;

/** Where to continue when time ran out, or a request was not answered. */
const storedCursor = record(() => ({
  /** The rails that are not fully compared, with their next page. None when the batch only has to be reported anew. */
  rails: z.array(storedRailLeft()).readonly(),
  /** Rows already compared: see createRowSet. */
  seen: z.string(),
}));

/** One comparison of an ended batch with the provider's lists, due some days after its end. */
export const storedReconciliation = record(() => ({
  batchId: z.string(),
  /** The batch's `statusSince` at that end, ISO 8601 UTC. A batch that ends again gets another comparison. */
  endedAt: z.string(),
  dueAt: z.string(),
  /** Index into the setting `reconcileAfterDays`, from 0. */
  round: counter(),
  /** By rail, the list page on which the batch's disbursements begin. Nothing is inserted before existing records. */
  firstPages: z.partialRecord(rail(), z.int().positive()).readonly().exactOptional(),
  cursor: storedCursor().exactOptional(),
}));
export type Reconciliation = z.infer<ReturnType<typeof storedReconciliation>>;

/** Returns when a batch that ended at `endedAt` is compared for the n-th time, from 0. Undefined when no comparison is left. */
export const reconcileAt = (
  endedAt: string,
  round: number,
  { reconcileAfterDays }: Pick<OrchestratorSettings, 'reconcileAfterDays'>,
): string | undefined => {
  const days = reconcileAfterDays[round];
  return days === undefined ? undefined : new Date(Date.parse(endedAt) + days * dayMs).toISOString();
};

/** The clocks of two functions may differ, and a write may be repeated for some seconds. */
const leastWaitMs = 60_000;

/**
 * Returns a reconciliation that has nothing left to compare, and none follows it. All that it does is to have an ended batch reported
 * anew, if its report is outdated. It is due at the next full hour that is at least a minute away: changes of one hour share a
 * report, and each is recorded before it begins.
 */
export const newReportDue = (
  { batchId, statusSince: endedAt }: Pick<Batch, 'batchId' | 'statusSince'>,
  nowMs: number,
  { reconcileAfterDays }: Pick<OrchestratorSettings, 'reconcileAfterDays'>,
): Reconciliation => ({
  batchId,
  endedAt,
  dueAt: new Date(Math.ceil((nowMs + leastWaitMs) / hourMs) * hourMs).toISOString(),
  round: reconcileAfterDays.length,
  cursor: { rails: [], seen: createRowSet(0).toText() },
});
