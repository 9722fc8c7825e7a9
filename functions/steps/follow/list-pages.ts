import { ProviderUnavailable } from '../../domain/errors.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import type { Payout, Rail } from '../../domain/payout/payout.ts';
import { payoutStatusIs } from '../../domain/payout/payout-status.ts';
import { apply } from '../../payouts/apply.ts';
import { followNews } from '../../payouts/decide.ts';
import { weigh } from '../../payouts/evidence.ts';
import type { Disbursement, DisbursementPage } from '../../ports/provider.ts';
import type { FollowDependencies, Sweep } from './sweep.ts';
import { chunksAtOnce, openChunks } from './sweep.ts';

/** Times that a page is asked for in one sweep. */
const mostTries = 3;
const writesAtOnce = 16;

/** One page may show one of several disbursements: what has none of its own is looked up by its own rules, or is a person's to settle. */
const isLookedUp = ({ status, disbursementId }: Payout): boolean =>
  payoutStatusIs(status, 'isInDoubt') || (status === 'quarantined' && disbursementId === undefined);

/** One rail in one sweep. */
export interface RailSweep {
  readonly dependencies: FollowDependencies;
  readonly sweep: Sweep;
  readonly rail: Rail;
  /** The provider's time before which no change concerns the batch, ISO 8601 UTC. */
  readonly began: string;
  readonly payouts: ReturnType<typeof createShownPayouts>;
  /** Whether a page showed a payout in doubt: it may be in doubt no longer when the next sweep reads. */
  hasShownDoubt: boolean;
}

/**
 * Writes down what a page of a list shows of the batch's payouts, whatever their status: a changed word after an end and a second
 * disbursement under a reference are there too. What a page shows of others is theirs. Answers the payouts that the page shows
 * to be with the provider.
 */
export const takePage = async (of: RailSweep, disbursements: readonly Disbursement[]): Promise<readonly Payout[]> => {
  const { dependencies, sweep, payouts } = of;
  const shown = Map.groupBy(disbursements, ({ reference = '' }) => reference);
  shown.delete('');
  if (shown.size === 0) return [];
  const standing: Payout[] = [];
  await inParallel(await payouts.find([...shown.keys()]), writesAtOnce, async (payout) => {
    const own = shown.get(payout.reference);
    // Another system's, whose reference differs in letter case.
    if (own === undefined) return;
    const evidence = weigh(payout, own);
    // Asked of how it stands when it is written: what was read of it may be old.
    const applied = await apply(dependencies, payout, (now) =>
      isLookedUp(now) ? undefined : followNews(evidence)(now),
    );
    of.hasShownDoubt ||= isLookedUp(applied.payout);
    payouts.keep(applied.payout);
    if (evidence.kind === 'fits' && payoutStatusIs(applied.payout.status, 'isWithProvider'))
      standing.push(applied.payout);
    if (applied.hasChanged) sweep.touched.add(payout.chunk);
  });
  return standing;
};

/**
 * Reads a page, again where it is not answered: what the pages before it showed would be read anew in the next sweep, and a
 * provider that takes a few requests at once would never come to the last one. Each try waits for its turn.
 */
export const readPage = async (
  { dependencies: { provider }, rail, sweep }: RailSweep,
  order: 'created' | 'changed',
  status: string | undefined,
  page: number,
): Promise<DisbursementPage> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await provider.listDisbursements({ rail, order, status, page });
    } catch (error) {
      if (!(error instanceof ProviderUnavailable) || tries >= mostTries || !sweep.hasTime()) throw error;
    }
  }
};

/**
 * Payouts that cost as much to find singly as their chunk does whole: half a read unit for the reference and half a one for the
 * payout, against 98 payouts of half a KB at 8 KB a unit.
 */
const chunkCosts = 6;
/** Payouts kept at most: some 40 MB. */
const mostKept = 50_000;

/** What stands can change under a sweep: a stale word of these would hide what a page shows. */
const mayBeKept = ({ status }: Payout): boolean => status !== 'ready' && !payoutStatusIs(status, 'isInDoubt');

/**
 * Finds the payouts that pages show, for one rail and one sweep: singly until that has cost as much as reading their chunk
 * whole, or as reading all that is open. What is read whole serves the pages after it too.
 */
export const createShownPayouts = (
  { ledger, provider }: Pick<FollowDependencies, 'ledger' | 'provider'>,
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
    if (kept.size + unread.length * provider.traits.payoutsPerCall > mostKept) return;
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
    const ids = own.filter(([reference]) => !kept.has(reference)).map(([, id]) => id);
    return ledger.getPayouts(ids, { mayBeOld: true });
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
