import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import type { Rail } from '../domain/payout.ts';
import { clocksDifferMs } from '../domain/polling.ts';
import type { Disbursement, DisbursementPage, PaymentProvider } from '../ports/provider.ts';

/** Whether the page shows everything that was made from a time on: it has all there is, or goes back beyond that time in order. */
const reachesBack = ({ disbursements, totalPages }: DisbursementPage, from: string): boolean => {
  const times = disbursements.map(({ createdAt = '' }) => createdAt);
  const isSorted = times.every((time, index) => time !== '' && time <= (times[index - 1] ?? time));
  return totalPages <= 1 || (isSorted && (times.at(-1) ?? from) < from);
};

/**
 * The references, in lower case, that a rail's list shows of what was made since a time: one question for many payouts. Undefined where its
 * newest page does not surely show all of it. Never throws for what the provider or the network does.
 *
 * @param since ISO 8601 UTC, by our clock
 * @param limit records that a page may have
 */
export const referencesMadeSince = async (
  provider: Pick<PaymentProvider, 'listDisbursements'>,
  rail: Rail,
  since: string,
  limit: number,
): Promise<ReadonlySet<string> | undefined> => {
  const from = new Date(Date.parse(since) - clocksDifferMs).toISOString();
  const isUnnamed = ({ reference, createdAt = from }: Disbursement): boolean =>
    reference === undefined && createdAt >= from;
  try {
    const page = await provider.listDisbursements({ rail, order: 'newest', page: 1, limit });
    const isClear = page.unreadable === 0 && !page.disbursements.some(isUnnamed) && reachesBack(page, from);
    return isClear ? new Set(page.disbursements.map(({ reference = '' }) => reference.toLowerCase())) : undefined;
  } catch (error) {
    if (error instanceof ProviderRefused || error instanceof ProviderUnavailable) return undefined;
    throw error;
  }
};
