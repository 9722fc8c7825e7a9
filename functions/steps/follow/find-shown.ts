import { inParallel } from '../../domain/in-parallel.ts';
import type { Payout, Rail } from '../../domain/payout.ts';
import { payoutStatusIs } from '../../domain/payout-status.ts';
import type { FollowDependencies, Sweep } from './sweep.ts';
import { chunksAtOnce, openChunks } from './sweep.ts';

/**
 * Payouts that cost as much to find singly as their chunk does whole: half a read unit for the reference and half a one for the
 * payout, against 98 payouts of half a KB at 8 KB a unit.
 */
const chunkCosts = 6;
/** Payouts kept at most: some 40 MB. */
const mostKept = 50_000;

/** What stands can change under a sweep: a stale word of these would hide what a page shows. */
const mayBeKept = ({ status }: Payout): boolean => status !== 'ready' && !payoutStatusIs(status, 'isInDoubt');

/** Payouts of the batch by what a page shows, for one rail and one sweep. */
export type ShownPayouts = ReturnType<typeof createShownPayouts>;

/**
 * Finds payouts singly until that has cost as much as reading their chunk whole, or as reading all that is open: what is read whole
 * serves the pages after it too.
 */
export const createShownPayouts = (
  { ledger, settings }: Pick<FollowDependencies, 'ledger' | 'settings'>,
  sweep: Sweep,
  rail: Rail,
) => {
  const { batchId } = sweep;
  const kept = new Map<string, Payout>();
  const wholly = new Set<number>();
  /** References that were looked up so far, and payouts of each chunk that were found by them. */
  let lookedUp = 0;
  const foundIn = new Map<number, number>();

  const readWhole = async (chunks: readonly number[]): Promise<void> => {
    const unread = [...new Set(chunks)].filter((chunk) => !wholly.has(chunk));
    if (kept.size + unread.length * settings.payoutsPerCall > mostKept) return;
    await inParallel(unread, chunksAtOnce, async (chunk) => {
      wholly.add(chunk);
      for (const payout of await ledger.getPayoutsOf(batchId, chunk))
        if (mayBeKept(payout)) kept.set(payout.reference, payout);
    });
  };

  const findUnknown = async (references: readonly string[]): Promise<readonly Payout[]> => {
    const holders = await ledger.findReferences(references, { mayBeOld: true });
    const own = [...holders].filter(([, holder]) => holder.batchId === batchId);
    for (const [, { chunk }] of own) foundIn.set(chunk, (foundIn.get(chunk) ?? 0) + 1);
    await readWhole(own.map(([, { chunk }]) => chunk).filter((chunk) => (foundIn.get(chunk) ?? 0) >= chunkCosts));
    return ledger.getPayouts(own.filter(([reference]) => !kept.has(reference)).map(([, id]) => id));
  };

  return {
    /** In no order. They may be old: good for a conditional write, and no more. */
    find: async (references: readonly string[]): Promise<readonly Payout[]> => {
      const unknown = () => references.filter((reference) => !kept.has(reference));
      const open = openChunks({ sweep, rail })
        .map(({ chunk }) => chunk)
        .filter((chunk) => !wholly.has(chunk));
      lookedUp += unknown().length;
      if (open.length * chunkCosts <= lookedUp) await readWhole(open);
      const found = await findUnknown(unknown());
      return [...found, ...references.flatMap((reference) => kept.get(reference) ?? [])];
    },
    /** As this sweep has left it. */
    keep: (payout: Payout): void => {
      if (kept.has(payout.reference)) kept.set(payout.reference, payout);
    },
  };
};
