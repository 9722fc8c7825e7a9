import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { clocksDifferMs } from '../domain/payout/polling.ts';
import type { Disbursement, PaymentProvider } from '../ports/provider.ts';

/** Pages of the list that are read at most: in the minutes by which clocks differ a busy account fills more. */
const mostPages = 3;

/** Whether records are in order, newest first. Equal times throughout may be those of a list in any order. */
const areNewestFirst = (times: readonly string[]): boolean =>
  times.every((time, index) => time !== '' && time <= (times[index - 1] ?? time)) && times[0] !== times.at(-1);

export interface MadeSince {
  readonly provider: Pick<PaymentProvider, 'listDisbursements' | 'lookUp' | 'pageSize'>;
  /** ISO 8601 UTC, by our clock. */
  readonly since: string;
  /** Whether there is time for one more question. */
  readonly hasTime: () => boolean;
}

/**
 * The references, in lower case, of everything that was made on a rail since then, as its list has it. Undefined where that is too
 * long, is not in order or tells too little. A list may be behind: by itself it proves nothing.
 */
const listMade = async (
  { provider, since, hasTime }: MadeSince,
  rail: Payout['rail'],
): Promise<ReadonlySet<string> | undefined> => {
  const from = new Date(Date.parse(since) - clocksDifferMs).toISOString();
  const isUnnamed = ({ reference, createdAt = from }: Disbursement): boolean =>
    reference === undefined && createdAt >= from;
  const references = new Set<string>();
  for (let page = 1; page <= mostPages && hasTime(); page += 1) {
    const query = { rail, order: 'newest', page } as const;
    const { disbursements, unreadable, totalPages } = await provider.listDisbursements(query);
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
 * Those payouts of one call of which the provider made nothing since then. Empty when only single looks could tell. A look at the
 * first shows a call that was made whole, which a list that is behind hides. Never throws for what the provider or the network does.
 */
export const unmadeSince = async (of: MadeSince, payouts: readonly Payout[]): Promise<readonly Payout[]> => {
  const [first] = payouts;
  if (first === undefined || of.provider.pageSize(first.rail) === 0) return [];
  try {
    const made = await listMade(of, first.rail);
    if (made === undefined || !of.hasTime()) return [];
    if ((await of.provider.lookUp(first.rail, first.reference)).kind !== 'absent') return [];
    return payouts.filter(({ reference }) => !made.has(reference.toLowerCase()));
  } catch (error) {
    if (error instanceof ProviderRefused || error instanceof ProviderUnavailable) return [];
    throw error;
  }
};
