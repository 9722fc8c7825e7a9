import type { ChunkFile, PlannedPayout } from '../batch/chunk-file.ts';
import type { CurrencyPlan } from '../batch/plan.ts';
import { given } from '../given.ts';
import { Money } from '../money/money.ts';
import { sumTallies } from '../money/tally.ts';
import type { ValidRow } from './check-row.ts';
import type { CurrencyTerms } from './currency-terms.ts';

/** Count, and sums in minor units. */
const newSums = () => ({ count: 0, amount: 0n, fee: 0n });

const newGroup = (terms: CurrencyTerms) => ({
  terms,
  methods: new Map<string, ReturnType<typeof newSums>>(),
  largest: 0n,
  payouts: [] as PlannedPayout[],
});
type Group = ReturnType<typeof newGroup>;

/** The usual result of `add`: no chunk is complete. */
const none: readonly ChunkFile[] = [];

const currencyPlan = ({ terms, methods, largest }: Group): CurrencyPlan => {
  const { rail, currency, decimals } = terms;
  const money = (minor: bigint): Money => Money.fromMinorUnits(minor, currency, decimals);
  const sums = [...methods].map(([method, { count, amount, fee }]) => ({
    method,
    count,
    amount: money(amount),
    fee: money(fee),
  }));
  return {
    rail,
    currency,
    ...sumTallies(currency, sums),
    largestAmount: money(largest),
    methods: rail === 'crypto' ? [] : sums,
  };
};

/**
 * Groups valid rows by currency, which determines the rail, into chunks of `payoutsPerCall`. Chunks are numbered from 1
 * in the order in which they fill up. Adds up the plan on the way. The first `canary` rows get chunks of their own,
 * before all others. The same rows in the same order make the same chunks.
 */
export const chunkSplitter = (batchId: string, payoutsPerCall: number, canary = 0) => {
  const groups = new Map<string, Group>();
  let chunks = 0;
  let rows = 0;
  let canaryChunks = 0;

  const groupOf = (terms: CurrencyTerms): Group => {
    const known = groups.get(terms.currency);
    if (known !== undefined) return known;
    const group = newGroup(terms);
    groups.set(terms.currency, group);
    return group;
  };

  const closeChunk = (group: Group): ChunkFile => {
    const { payouts } = group;
    group.payouts = [];
    chunks++;
    return { batchId, chunk: chunks, rail: group.terms.rail, currency: group.terms.currency, payouts };
  };

  const closeAll = (): readonly ChunkFile[] =>
    [...groups.values()].filter(({ payouts }) => payouts.length > 0).map(closeChunk);

  return {
    /** Adds a row. Returns the chunks that it fills, or that the canary's end closes. */
    add: (row: ValidRow): readonly ChunkFile[] => {
      const group = groupOf(row.terms);
      const sums = group.methods.get(row.method) ?? newSums();
      if (sums.count === 0) group.methods.set(row.method, sums);
      sums.count++;
      sums.amount += row.amountMinor;
      sums.fee += row.feeMinor;
      if (row.amountMinor > group.largest) group.largest = row.amountMinor;
      group.payouts.push(row.payout);
      rows++;
      if (rows === canary) {
        const closed = closeAll();
        canaryChunks = chunks;
        return closed;
      }
      return group.payouts.length === payoutsPerCall ? [closeChunk(group)] : none;
    },
    /** Closes the chunks that are not full, after the last row. */
    rest: closeAll,
    /** What was added up, once all chunks are closed. `canaryChunks` is absent when no row follows the canary. */
    sums: () => ({
      chunks,
      ...given({ canaryChunks: canaryChunks > 0 && canaryChunks < chunks ? canaryChunks : undefined }),
      currencies: [...groups.values()].map(currencyPlan),
    }),
  };
};
