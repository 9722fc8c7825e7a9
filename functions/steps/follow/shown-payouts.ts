import { inParallel } from '../../domain/in-parallel.ts';
import type { Payout, Rail } from '../../domain/payout/payout.ts';
import { payoutStatusIs } from '../../domain/payout/payout-status.ts';
import type { Run } from './sweep.ts';
import { chunksAtOnce, openChunks } from './sweep.ts';

/**
 * The number of single lookups that cost as much as reading their whole chunk. A lookup costs half a read unit for the
 * reference and half for the payout. A chunk has 98 payouts of half a KB, at 8 KB per unit.
 */
const lookupsPerChunkRead = 6;
/** Maximum payouts kept in memory: some 40 MB. */
const maxKept = 50_000;

/**
 * True for statuses that are safe to cache. The others can change during a sweep, and an outdated copy would hide what a page
 * shows.
 */
const mayBeKept = ({ status }: Payout): boolean => status !== 'ready' && !payoutStatusIs(status, 'isInDoubt');

/**
 * Finds the payouts that pages show, for one rail and one sweep. Looks them up singly until that has cost as much as reading
 * their whole chunk, or all open chunks. Chunks that are read whole also serve the following pages.
 */
export const createShownPayouts = (
  { ledger, provider, sweep }: Pick<Run, 'ledger' | 'provider' | 'sweep'>,
  rail: Rail,
) => {
  const { batchId } = sweep;
  const kept = new Map<string, Payout>();
  const wholly = new Set<number>();
  /** References looked up so far, and how many of each chunk's payouts that found. */
  let lookedUp = 0;
  const foundIn = new Map<number, number>();

  const readWhole = async (chunks: readonly number[]): Promise<void> => {
    const unread = [...new Set(chunks)].filter((chunk) => !wholly.has(chunk));
    if (kept.size + unread.length * provider.traits.payoutsPerCall > maxKept) return;
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
    await readWhole(
      own.map(([, { chunk }]) => chunk).filter((chunk) => (foundIn.get(chunk) ?? 0) >= lookupsPerChunkRead),
    );
    const ids = own.filter(([reference]) => !kept.has(reference)).map(([, id]) => id);
    return ledger.getPayouts(ids, { mayBeOld: true });
  };

  return {
    /** Unordered, and possibly outdated: use them only for conditional writes. */
    find: async (references: readonly string[]): Promise<readonly Payout[]> => {
      const unknown = () => references.filter((reference) => !kept.has(reference));
      const open = openChunks({ sweep, rail })
        .map(({ chunk }) => chunk)
        .filter((chunk) => !wholly.has(chunk));
      lookedUp += unknown().length;
      if (open.length * lookupsPerChunkRead <= lookedUp) await readWhole(open);
      const found = await findUnknown(unknown());
      return [...found, ...references.flatMap((reference) => kept.get(reference) ?? [])];
    },
    /** Updates a cached payout after this sweep has written it. */
    keep: (payout: Payout): void => {
      if (kept.has(payout.reference)) kept.set(payout.reference, payout);
    },
  };
};
