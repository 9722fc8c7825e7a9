/** The maximum of a measure, as promised to users. */
export interface Bound {
  readonly key: string;
  readonly what: string;
  readonly most: number;
}

export const bounds = [
  { key: 'planVsBareParse', what: 'planning a file, relative to a bare csv-parse', most: 1.8 },
  { key: 'planPeakMb', what: 'peak memory of planning, MB', most: 320 },
  // MEASURES.md explains the two ratios.
  { key: 'stepInitVsBare', what: 'start of a step, relative to a bare handler bundled alike', most: 2.1 },
  { key: 'planInitVsBare', what: 'the same for PlanBatch', most: 2.1 },
  { key: 'stepInitVsDefaults', what: 'start of a step, relative to a bare handler with default bundling', most: 1.3 },
  { key: 'planInitVsDefaults', what: 'the same for PlanBatch', most: 1.3 },
  { key: 'transitionsPer1000', what: 'state transitions, per 1,000 payouts', most: 70 },
  { key: 'providerRequestsPer1000', what: 'provider requests besides proofs, per 1,000 payouts', most: 50 },
  { key: 'usdPer1000', what: 'USD by the AWS price list, per 1,000 payouts', most: 0.013 },
  { key: 'statusReadUnits', what: 'read units of a status request, 10,205 chunks', most: 500 },
  { key: 'statusReadUnitsAgain', what: 'the same, repeated within five seconds', most: 10 },
  { key: 'scale.sentBy', what: 'last row sent, relative to the time of all POSTs at the limit', most: 1.1 },
  {
    key: 'scale.lateBy',
    what: '99th percentile of status delay, relative to the longest wait between sweeps',
    most: 1.2,
  },
  { key: 'scale.heldUpBy', what: 'rows delayed by other rows', most: 0 },
  { key: 'scale.smallBatchSeconds', what: 'seconds until 100 rows are sent beside the 100,000', most: 10 },
  { key: 'scale.peakWritesPerSecond', what: 'write units of the ledger in the busiest second', most: 13_000 },
  { key: 'scale.readsPer1000', what: 'reads of the provider besides proofs, per 1,000 payouts', most: 40 },
  { key: 'scale.usdPer1000', what: 'USD by the AWS price list, per 1,000 of the 100,000', most: 0.015 },
  { key: 'scale.usdPerHeldDay', what: 'USD to follow held payouts for one more day', most: 0.03 },
  { key: 'listLastVsFirst', what: 'last page of 100,000 disbursements, relative to the first', most: 5 },
  { key: 'filteredListLastVsFirst', what: 'the same for completed ones', most: 5 },
  { key: 'searchedListLastVsFirst', what: 'the same for completed ones with one amount, last changed first', most: 5 },
] as const satisfies readonly Bound[];

export interface Judged extends Bound {
  readonly measured: number;
  readonly met: boolean;
}

/** Compares results with their bounds. Bounds of parts that were not run are omitted. */
export const judge = (measured: Readonly<Record<string, unknown>>): readonly Judged[] =>
  bounds.flatMap((bound) => {
    const value = measured[bound.key];
    return typeof value === 'number' ? [{ ...bound, measured: value, met: value <= bound.most }] : [];
  });
