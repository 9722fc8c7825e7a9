import type { CurrencyPlan } from '../batch.ts';
import type { ChunkFile, PlannedPayout } from '../chunk.ts';
import { fromMinorUnits } from '../money.ts';
import type { ValidRow } from './check-row.ts';
import type { CurrencyTerms } from './currency-terms.ts';

/** Counts and sums in minor units. */
interface Sums {
  count: number;
  amount: bigint;
  fee: bigint;
}

interface Group {
  readonly terms: CurrencyTerms;
  readonly methods: Map<string, Sums>;
  largest: bigint;
  payouts: PlannedPayout[];
}

const noSums = (): Sums => ({ count: 0, amount: 0n, fee: 0n });

const totalOf = (all: Iterable<Sums>): Sums => {
  const total = noSums();
  for (const { count, amount, fee } of all) {
    total.count += count;
    total.amount += amount;
    total.fee += fee;
  }
  return total;
};

const sumsText = ({ count, amount, fee }: Sums, decimals: number) => ({
  count,
  amount: fromMinorUnits(amount, decimals),
  fee: fromMinorUnits(fee, decimals),
});

const currencyPlan = ({ terms, methods, largest }: Group): CurrencyPlan => ({
  rail: terms.rail,
  currency: terms.currency,
  ...sumsText(totalOf(methods.values()), terms.decimals),
  largestAmount: fromMinorUnits(largest, terms.decimals),
  methods:
    terms.rail === 'crypto'
      ? []
      : [...methods].map(([method, sums]) => ({ method, ...sumsText(sums, terms.decimals) })),
});

/**
 * Groups valid rows by currency (which tells the rail) into chunks of `payoutsPerCall`, numbered from 1 in the order in
 * which they fill up, and adds the plan up as it goes. The same rows in the same order make the same chunks.
 */
export const chunkSplitter = (batchId: string, payoutsPerCall: number) => {
  const groups = new Map<string, Group>();
  let chunks = 0;

  const groupOf = (terms: CurrencyTerms): Group => {
    const known = groups.get(terms.currency);
    if (known !== undefined) return known;
    const group: Group = { terms, methods: new Map(), largest: 0n, payouts: [] };
    groups.set(terms.currency, group);
    return group;
  };

  const closeChunk = (group: Group): ChunkFile => {
    const { payouts } = group;
    group.payouts = [];
    chunks++;
    return { batchId, chunk: chunks, rail: group.terms.rail, currency: group.terms.currency, payouts };
  };

  return {
    /** The chunk that is full with this row, if one is. */
    add: (row: ValidRow): ChunkFile | undefined => {
      const group = groupOf(row.terms);
      const sums = group.methods.get(row.method) ?? noSums();
      if (sums.count === 0) group.methods.set(row.method, sums);
      sums.count++;
      sums.amount += row.amountMinor;
      sums.fee += row.feeMinor;
      if (row.amountMinor > group.largest) group.largest = row.amountMinor;
      group.payouts.push(row.payout);
      return group.payouts.length === payoutsPerCall ? closeChunk(group) : undefined;
    },
    /** The chunks that are not full, when no row follows. */
    rest: (): readonly ChunkFile[] => [...groups.values()].filter(({ payouts }) => payouts.length > 0).map(closeChunk),
    chunks: (): number => chunks,
    currencies: (): readonly CurrencyPlan[] => [...groups.values()].map(currencyPlan),
  };
};
