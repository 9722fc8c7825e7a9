import { inParallel } from '../../domain/in-parallel.ts';
import type { Payout, Rail } from '../../domain/payout.ts';
import { payoutStatusesThat, payoutStatusIs } from '../../domain/payout-status.ts';
import type { PayoutId } from '../../ports/payout-ledger.ts';
import type { Sweep, SweepDependencies } from './sweep.ts';
import { chunksWith } from './sweep.ts';

/**
 * Payouts that cost as much to find singly as their chunk does whole: half a read unit for the reference and half a one for the
 * payout, against 98 payouts of half a KB at 8 KB a unit.
 */
const chunkCosts = 6;
/** Payouts kept at most: some 40 MB. */
const mostKept = 50_000;
/** Chunks read at once. */
const chunksAtOnce = 8;

/** What stands can change under a sweep: a stale word of these would hide what a page shows. */
const mayBeKept = ({ status }: Payout): boolean => status !== 'ready' && !payoutStatusIs(status, 'isInDoubt');

/** Payouts of the batch by what a page shows, for one rail and one sweep. */
export interface ShownPayouts {
  /** In no order. They may be old: good for a conditional write, and no more. */
  readonly find: (references: readonly string[]) => Promise<readonly Payout[]>;
  /** As this sweep has left it. */
  readonly keep: (payout: Payout) => void;
}

/**
 * Finds payouts singly until that has cost as much as reading their chunk whole, or as reading all that is open: what is read whole
 * serves the pages after it too.
 */
export const createShownPayouts = (
  { ledger, settings }: Pick<SweepDependencies, 'ledger' | 'settings'>,
  sweep: Sweep,
  rail: Rail,
): ShownPayouts => {
  const { batchId } = sweep;
  const kept = new Map<string, Payout>();
  const wholly = new Set<number>();
  /** Payouts that were looked up so far, and of them those of each chunk. */
  let lookedUp = 0;
  const lookedUpOf = new Map<number, number>();

  const readWhole = async (chunks: readonly number[]): Promise<void> => {
    if (kept.size + chunks.length * settings.payoutsPerCall > mostKept) return;
    for (const chunk of chunks) wholly.add(chunk);
    await inParallel(chunks, chunksAtOnce, async (chunk) => {
      for (const payout of await ledger.getPayoutsOf(batchId, chunk))
        if (mayBeKept(payout)) kept.set(payout.reference, payout);
    });
  };

  const isWorthIt = (chunk: number, shown: number): boolean => {
    const sum = (lookedUpOf.get(chunk) ?? 0) + shown;
    lookedUpOf.set(chunk, sum);
    return sum >= chunkCosts && !wholly.has(chunk);
  };

  const lookUp = async (references: readonly string[]): Promise<readonly Payout[]> => {
    const holders = await ledger.findReferences(references, { mayBeOld: true });
    const own = [...holders].filter(([, holder]) => holder.batchId === batchId);
    const byChunk = Map.groupBy(own, ([, { chunk }]) => chunk);
    await readWhole([...byChunk].filter(([chunk, of]) => isWorthIt(chunk, of.length)).map(([chunk]) => chunk));
    const singly: readonly PayoutId[] = own.filter(([reference]) => !kept.has(reference)).map(([, id]) => id);
    return singly.length === 0 ? [] : await ledger.getPayouts(singly);
  };

  return {
    find: async (references) => {
      const isUnknown = (reference: string): boolean => !kept.has(reference);
      const open = chunksWith(sweep, ...payoutStatusesThat('isWithProvider'))
        .filter((record) => record.rail === rail && !wholly.has(record.chunk))
        .map(({ chunk }) => chunk);
      lookedUp += references.filter(isUnknown).length;
      if (open.length * chunkCosts <= lookedUp) await readWhole(open);
      const unknown = references.filter(isUnknown);
      const found = unknown.length === 0 ? [] : await lookUp(unknown);
      return [...found, ...references.flatMap((reference) => kept.get(reference) ?? [])];
    },
    keep: (payout) => {
      if (kept.has(payout.reference)) kept.set(payout.reference, payout);
    },
  };
};
