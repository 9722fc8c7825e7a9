import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import type { Payout } from '../domain/payout.ts';
import { clocksDifferMs } from '../domain/polling.ts';
import type { Disbursement, PaymentProvider } from '../ports/provider.ts';

/** Payouts for each page that may be read in their stead. */
const payoutsPerPage = 10;

/** Whether records are in order, newest first. Equal times throughout may be those of a list in any order. */
const areNewestFirst = (times: readonly string[]): boolean =>
  times.every((time, index) => time !== '' && time <= (times[index - 1] ?? time)) && times[0] !== times.at(-1);

/**
 * The references, in lower case, of everything that was made since a time on the rail of these payouts, as its list has it: a few
 * questions instead of one about each. Undefined where the list is too long for that, is not in order or tells too little. A list
 * may be behind: by itself it proves nothing.
 */
const listMadeSince = async (
  provider: Pick<PaymentProvider, 'listDisbursements'>,
  { rail, count }: { readonly rail: Payout['rail']; readonly count: number },
  from: string,
  limit: number,
): Promise<ReadonlySet<string> | undefined> => {
  const isUnnamed = ({ reference, createdAt = from }: Disbursement): boolean =>
    reference === undefined && createdAt >= from;
  const references = new Set<string>();
  for (let page = 1; page <= Math.max(1, count / payoutsPerPage); page += 1) {
    const { disbursements, unreadable, totalPages } = await provider.listDisbursements({
      rail,
      order: 'newest',
      page,
      limit,
    });
    if (unreadable > 0 || disbursements.some(isUnnamed)) return undefined;
    for (const { reference = '' } of disbursements) references.add(reference.toLowerCase());
    if (totalPages <= 1) return references;
    const times = disbursements.map(({ createdAt = '' }) => createdAt);
    if (!areNewestFirst(times)) return undefined;
    if (page >= totalPages || (times.at(-1) ?? from) < from) return references;
  }
  return undefined;
};

/**
 * Which of these payouts, of one call, a provider surely made nothing of since a time: none, where that takes a look at each. The list
 * tells of all of them, and a look at the first shows a call that was made whole, which a list that is behind hides. Never throws for
 * what the provider or the network does.
 *
 * @param since ISO 8601 UTC, by our clock
 * @param limit records that a page of the list may have
 */
export const unmadeSince = async (
  provider: Pick<PaymentProvider, 'listDisbursements' | 'lookUp'>,
  payouts: readonly Payout[],
  since: string,
  limit: number,
): Promise<readonly Payout[]> => {
  const [first] = payouts;
  if (first === undefined) return [];
  const { rail, reference } = first;
  const from = new Date(Date.parse(since) - clocksDifferMs).toISOString();
  try {
    const made = await listMadeSince(provider, { rail, count: payouts.length }, from, limit);
    if (made === undefined || (await provider.lookUp(rail, reference)).kind !== 'absent') return [];
    return payouts.filter((payout) => !made.has(payout.reference.toLowerCase()));
  } catch (error) {
    if (error instanceof ProviderRefused || error instanceof ProviderUnavailable) return [];
    throw error;
  }
};
