import type { OrchestratorSettings } from '../settings.ts';
import type { Rail } from './payout.ts';

export interface RailLeft {
  readonly rail: Rail;
  /**
   * Next page to read, from 1. 0: all pages are read, and the rows missing from them are looked up. Absent: nothing is read yet.
   */
  readonly page?: number;
}

/** One comparison of an ended batch with the provider's lists, due some days after its end. */
export interface Reconciliation {
  readonly batchId: string;
  /** The batch's `statusSince` at that end, ISO 8601 UTC. A batch that ends again gets another comparison. */
  readonly endedAt: string;
  readonly dueAt: string;
  /** Index into the setting `reconcileAfterDays`, from 0. */
  readonly round: number;
  /** By rail, the list page on which the batch's disbursements begin. Nothing is inserted before existing records. */
  readonly firstPages?: Readonly<Partial<Record<Rail, number>>>;
  /** Where to continue when time ran out, or a request was not answered. */
  readonly cursor?: {
    /** The rails that are not fully compared, with their next page. */
    readonly rails: readonly RailLeft[];
    /** Rows already compared: see createRowSet. */
    readonly seen: string;
  };
}

const dayMs = 86_400_000;

/** Returns when a batch that ended at `endedAt` is compared for the n-th time, from 0. Undefined when no comparison is left. */
export const reconcileAt = (
  endedAt: string,
  round: number,
  { reconcileAfterDays }: Pick<OrchestratorSettings, 'reconcileAfterDays'>,
): string | undefined => {
  const days = reconcileAfterDays[round];
  return days === undefined ? undefined : new Date(Date.parse(endedAt) + days * dayMs).toISOString();
};
