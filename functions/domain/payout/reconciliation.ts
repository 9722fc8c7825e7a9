import type { OrchestratorSettings } from '../settings.ts';
import type { Rail } from './payout.ts';

export interface RailLeft {
  readonly rail: Rail;
  /** 0: the pages are read, and the rows that they did not show are asked about. Absent: none is read. */
  readonly page?: number;
}

/** One comparison of an ended batch with the provider's lists, to be made some days after its end. */
export interface Reconciliation {
  readonly batchId: string;
  /** The batch's `statusSince` at that end, ISO 8601 UTC. One that ended again has another one due. */
  readonly endedAt: string;
  readonly dueAt: string;
  /** From 0: which of the days. */
  readonly round: number;
  /** By rail, the page on which the batch's disbursements begin: nothing comes before what a list has. */
  readonly firstPages?: Readonly<Partial<Record<Rail, number>>>;
  /** Where it goes on that ran out of time, or was not answered. */
  readonly cursor?: {
    /** What is left of each rail that is not wholly compared. */
    readonly rails: readonly RailLeft[];
    /** Rows that were compared: see createRowSet. */
    readonly seen: string;
  };
}

const dayMs = 86_400_000;

/** When a batch that ended then is compared for the n-th time, from 0; undefined: not any more. */
export const reconcileAt = (
  endedAt: string,
  round: number,
  { reconcileAfterDays }: Pick<OrchestratorSettings, 'reconcileAfterDays'>,
): string | undefined => {
  const days = reconcileAfterDays[round];
  return days === undefined ? undefined : new Date(Date.parse(endedAt) + days * dayMs).toISOString();
};
