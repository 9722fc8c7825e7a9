import type { Usage } from '../../../infra/local/costs/price-list.ts';
import { costOf, totalUsd } from '../../../infra/local/costs/price-list.ts';
import type { WorkflowUsage } from '../../../infra/local/costs/workflow-usage.ts';
import type { MeteredUse } from './usage-meter.ts';

/** Counted use per 1,000 payouts. */
export interface PerThousand {
  readonly transitionsPer1000: number;
  /** Besides transfer proofs. */
  readonly providerRequestsPer1000: number;
  readonly proofRequestsPer1000: number;
  readonly ledgerWritesPer1000: number;
  readonly writeUnitsPer1000: number;
  readonly readUnitsPer1000: number;
  readonly invocationsPer1000: number;
  readonly lambdaMsPer1000: number;
  readonly s3WritesPer1000: number;
  readonly s3ReadsPer1000: number;
  readonly usdPer1000: number;
}

const rounded = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals;

/** Scales a run's use to 1,000 payouts and prices it with the price list of the demo. */
export const perThousand = (payouts: number, workflow: WorkflowUsage, metered: MeteredUse): PerThousand => {
  // Each request to an API of one's own also invokes a function.
  const lambdaRequests = workflow.lambdaRequests + metered.apiRequests;
  const usage: Usage = {
    stateTransitions: workflow.stateTransitions,
    lambdaRequests,
    lambdaMbMs: workflow.lambdaMbMs,
    tableWriteUnits: metered.writeUnits,
    tableReadUnits: metered.readUnits,
    s3Writes: metered.s3Writes,
    s3Reads: metered.s3Reads,
    apiRequests: metered.apiRequests,
  };
  const scaled = (count: number): number => rounded((count * 1000) / payouts, 1);
  return {
    transitionsPer1000: scaled(workflow.stateTransitions),
    providerRequestsPer1000: scaled(metered.providerRequests),
    proofRequestsPer1000: scaled(metered.proofRequests),
    ledgerWritesPer1000: scaled(metered.writes),
    writeUnitsPer1000: scaled(metered.writeUnits),
    readUnitsPer1000: scaled(metered.readUnits),
    invocationsPer1000: scaled(lambdaRequests),
    lambdaMsPer1000: Math.round((workflow.lambdaMs * 1000) / payouts),
    s3WritesPer1000: scaled(metered.s3Writes),
    s3ReadsPer1000: scaled(metered.s3Reads),
    usdPer1000: rounded((Number(totalUsd(costOf(usage))) * 1000) / payouts, 6),
  };
};
