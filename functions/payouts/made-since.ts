import { unlessProviderFails } from '../domain/errors.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { clocksDifferMs } from '../domain/payout/polling.ts';
import type { Disbursement, PaymentProvider } from '../ports/provider.ts';
import { areNewestFirst } from './read-page.ts';

/** Maximum pages of the list. A busy account fills more than these within the minutes by which clocks may differ. */
const maxPages = 3;

interface MadeSince {
  readonly provider: Pick<PaymentProvider, 'listDisbursements' | 'lookUp' | 'pageSize'>;
  /** ISO 8601 UTC, by our clock. */
  readonly since: string;
  /** Returns true while there is time for one more request. */
  readonly hasTime: () => boolean;
}

/**
 * Lists the references, in lower case, of everything made on a rail since then. Undefined when the list is too long, out of
 * order, or incomplete. A list may lag behind, so it proves nothing by itself.
 */
const listMade = async (
  { provider, since, hasTime }: MadeSince,
  rail: Payout['rail'],
): Promise<ReadonlySet<string> | undefined> => {
  const from = new Date(Date.parse(since) - clocksDifferMs).toISOString();
  const isUnnamed = ({ reference, createdAt = from }: Disbursement): boolean =>
    reference === undefined && createdAt >= from;
  const references = new Set<string>();
  for (let page = 1; page <= maxPages && hasTime(); page += 1) {
    const query = { rail, order: 'newest', page } as const;
    const { disbursements, unreadable, totalPages } = await provider.listDisbursements(query);
    if (unreadable > 0 || disbursements.some(isUnnamed)) return undefined;
    for (const { reference = '' } of disbursements) references.add(reference.toLowerCase());
    if (totalPages <= 1) return references;
    const times = disbursements.map(({ createdAt = '' }) => createdAt);
    // If all times are equal, the list may be in any order.
    if (!areNewestFirst(times) || times[0] === times.at(-1)) return undefined;
    if (page >= totalPages || (times.at(-1) ?? from) < from) return references;
  }
  return undefined;
};

/**
 * Returns those payouts of one call for which the provider made nothing since then. Empty when only single lookups could decide
 * that. Also looks up the first payout, which reveals a whole call that a lagging list hides. Never throws for errors of the
 * provider or the network.
 */
export const unmadeSince = async (search: MadeSince, payouts: readonly Payout[]): Promise<readonly Payout[]> => {
  const [first] = payouts;
  if (first === undefined || search.provider.pageSize(first.rail) === 0) return [];
  const made = await listMade(search, first.rail).catch(unlessProviderFails);
  if (made === undefined || !search.hasTime()) return [];
  const found = await search.provider.lookUp(first.rail, first.reference).catch(unlessProviderFails);
  return found?.kind === 'absent' ? payouts.filter(({ reference }) => !made.has(reference.toLowerCase())) : [];
};
