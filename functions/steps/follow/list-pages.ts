import { ProviderUnavailable } from '../../domain/errors.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import type { Payout, Rail } from '../../domain/payout.ts';
import { payoutStatusIs } from '../../domain/payout-status.ts';
import { apply } from '../../payouts/apply.ts';
import { follow } from '../../payouts/decide.ts';
import { weigh } from '../../payouts/evidence.ts';
import type { Disbursement, DisbursementPage } from '../../ports/provider.ts';
import type { ShownPayouts } from './find-shown.ts';
import type { FollowDependencies, Sweep } from './sweep.ts';

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
  readonly payouts: ShownPayouts;
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
    const evidence = weigh(payout, shown.get(payout.reference) ?? []);
    // Asked of how it stands when it is written: what was read of it may be old.
    const applied = await apply(dependencies, payout, (now) => (isLookedUp(now) ? undefined : follow(evidence)(now)));
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
  { dependencies: { provider, settings }, rail, sweep }: RailSweep,
  order: 'created' | 'changed',
  status: string | undefined,
  page: number,
): Promise<DisbursementPage> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await provider.listDisbursements({ rail, order, status, page, limit: settings.providerPageLimit });
    } catch (error) {
      if (!(error instanceof ProviderUnavailable) || tries >= mostTries || !sweep.hasTime()) throw error;
    }
  }
};
