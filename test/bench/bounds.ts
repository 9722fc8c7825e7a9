/** A number that a measure may not exceed: what users were promised. */
export interface Bound {
  readonly key: string;
  readonly what: string;
  readonly most: number;
}

export const bounds = [
  { key: 'planVsBareParse', what: 'planning a file, times a bare csv-parse of it', most: 4 },
  { key: 'planPeakMb', what: 'peak memory of planning, MB', most: 512 },
  { key: 'transitionsPer1000', what: 'state transitions, per 1,000 payouts', most: 200 },
  { key: 'providerRequestsPer1000', what: 'provider requests besides proofs, per 1,000 payouts', most: 150 },
  { key: 'usdPer1000', what: 'USD by the AWS price list, per 1,000 payouts', most: 0.05 },
  { key: 'listLastVsFirst', what: 'last page of 100,000 disbursements, times the first', most: 5 },
  { key: 'filteredListLastVsFirst', what: 'the same of the completed ones', most: 5 },
  { key: 'searchedListLastVsFirst', what: 'the same of completed ones of one amount, last changed first', most: 5 },
] as const satisfies readonly Bound[];

export interface Judged extends Bound {
  readonly measured: number;
  readonly met: boolean;
}

/** The bounds on what was measured; bounds on parts that were not run are left out. */
export const judge = (measured: Readonly<Record<string, unknown>>): readonly Judged[] =>
  bounds.flatMap((bound) => {
    const value = measured[bound.key];
    return typeof value === 'number' ? [{ ...bound, measured: value, met: value <= bound.most }] : [];
  });
