import { inParallel } from '../../domain/in-parallel.ts';
import type { Payout, Rail } from '../../domain/payout/payout.ts';
import { payoutStatusIs } from '../../domain/payout/payout-status.ts';
import { apply } from '../../payouts/apply.ts';
import { followNews } from '../../payouts/decide-by-evidence.ts';
import { weigh } from '../../payouts/evidence.ts';
import type { Disbursement } from '../../ports/provider.ts';
import type { createShownPayouts } from './shown-payouts.ts';
import type { Run } from './sweep.ts';
import { writesAtOnce } from './sweep.ts';

const mostWrites = 16;

/**
 * True for a payout without a disbursement of its own that is looked up by other rules, or left to a person. A page may show
 * only one of several disbursements.
 */
const isLookedUp = ({ status, disbursementId }: Payout): boolean =>
  payoutStatusIs(status, 'isInDoubt') || (status === 'quarantined' && disbursementId === undefined);

/** True when a contradiction may be recorded and not counted: a sweep may have died between the two. */
const isContradictedSince = ({ contradictions, updatedAt }: Payout, sweptAt = ''): boolean =>
  contradictions !== undefined && updatedAt >= sweptAt;

/** One rail in one sweep. */
export interface RailSweep extends Run {
  readonly rail: Rail;
  /** The provider's time before which no change concerns the batch, ISO 8601 UTC. */
  readonly began: string;
  readonly payouts: ReturnType<typeof createShownPayouts>;
  /** True once a page has shown a payout in doubt. It may no longer be in doubt at the next sweep. */
  hasShownDoubt: boolean;
}

/**
 * Records what a list's page shows about the batch's payouts, in any status. It may also show a change after an end, or a
 * second disbursement with the same reference. Ignores other systems' payouts. Returns the payouts that the page shows to be
 * with the provider.
 */
export const takePage = async (
  railSweep: RailSweep,
  disbursements: readonly Disbursement[],
): Promise<readonly Payout[]> => {
  const { sweep, payouts } = railSweep;
  const shown = Map.groupBy(disbursements, ({ reference = '' }) => reference);
  shown.delete('');
  if (shown.size === 0) return [];
  const withProvider: Payout[] = [];
  const found = await payouts.find([...shown.keys()]);
  await inParallel(found, writesAtOnce(sweep, mostWrites), async (payout) => {
    const own = shown.get(payout.reference);
    // Another system's reference that differs only in letter case.
    if (own === undefined) return;
    const evidence = weigh(payout, own);
    // Checks the payout's latest state at the write, because the one that was read may be outdated.
    const applied = await apply(railSweep, payout, (now) => (isLookedUp(now) ? undefined : followNews(evidence)(now)));
    railSweep.hasShownDoubt ||= isLookedUp(applied.payout);
    payouts.keep(applied.payout);
    if (evidence.kind === 'fits' && payoutStatusIs(applied.payout.status, 'isWithProvider'))
      withProvider.push(applied.payout);
    if (applied.hasChanged || isContradictedSince(applied.payout, sweep.kept.sweptAt)) sweep.touched.add(payout.chunk);
  });
  return withProvider;
};
