import { ProviderUnavailable } from '../domain/errors.ts';
import { inParallel } from '../domain/in-parallel.ts';
import { observePayout } from '../domain/observe-payout.ts';
import type { Payout } from '../domain/payout.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { Log } from '../ports/environment.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import type { Disbursement, DisbursementPage, PaymentProvider } from '../ports/provider.ts';
import type { ReadPage } from './find-page.ts';
import { findPage } from './find-page.ts';
import { straysOf } from './observe-strays.ts';

export interface ObserveChunkDependencies {
  readonly ledger: Pick<PayoutLedger, 'movePayout' | 'recordContradiction'>;
  readonly provider: Pick<PaymentProvider, 'listDisbursements' | 'lookUp'>;
  readonly settings: Pick<OrchestratorSettings, 'providerPageLimit'>;
  readonly log: Log;
}

/** Where the chunk's disbursements stand in the provider's list, as far as is known. */
export interface Whereabouts {
  /** Page of the first of them, from the last poll. */
  readonly page?: number;
  /** The provider's creation timestamp of the first of them. */
  readonly since?: string;
}

/**
 * Asks the provider about payouts of one chunk and brings each to what it says. The disbursements of a chunk stand
 * together in the list, so a page or two tell about all of them; what the pages did not show is asked for singly.
 * Returns the page the first of them was on. Throws what the provider throws, after writing down what was learned.
 *
 * What the same pages show of the chunk's other payouts, and of second disbursements under the reference of any, is
 * written down as well: see observe-strays.ts. Nothing more is asked for it.
 *
 * @param chunk all payouts of the chunk, those asked about among them
 */
export const observeChunk = async (
  dependencies: ObserveChunkDependencies,
  payouts: readonly Payout[],
  whereabouts: Whereabouts,
  chunk: readonly Payout[],
): Promise<number | undefined> => {
  const { ledger, provider, settings, log } = dependencies;
  const [first] = payouts;
  if (first === undefined) return whereabouts.page;
  const { rail, currency } = first;
  const readPage = remembering((page) =>
    provider.listDisbursements({ rail, currency, page, limit: settings.providerPageLimit }),
  );
  const wanted = new Map(payouts.map((payout) => [payout.disbursementId ?? payout.reference, payout]));
  const seen = new Map<Payout, Disbursement>();
  const strays = straysOf(chunk, wanted);
  const look = (page: DisbursementPage): boolean => {
    strays.look(page);
    const here = page.disbursements.flatMap((disbursement) => {
      const payout = wanted.get(disbursement.disbursementId);
      return payout === undefined ? [] : [{ payout, disbursement }];
    });
    for (const { payout, disbursement } of here) seen.set(payout, disbursement);
    return here.length > 0;
  };

  const page = await startingPage(readPage, whereabouts);
  const foundOn =
    page === undefined
      ? undefined
      : await readOn(readPage, page, pagesToRead(payouts, settings), look, () => seen.size === payouts.length);
  await inParallel(seen, 16, async ([payout, disbursement]) => {
    await observePayout({ ledger, log }, payout, disbursement);
  });
  await strays.record({ ledger, log });
  const unseen = payouts.filter((payout) => !seen.has(payout));
  await inParallel(unseen, 8, (payout) => observeSingly(dependencies, payout));
  return foundOn ?? page;
};

/** The pages a chunk can spread over when it was created alone, and one more for what others created in between. */
const pagesToRead = (payouts: readonly Payout[], { providerPageLimit }: ObserveChunkDependencies['settings']): number =>
  Math.ceil(payouts.length / providerPageLimit) + 2;

const startingPage = async (readPage: ReadPage, { page, since }: Whereabouts): Promise<number | undefined> =>
  page ?? (since === undefined ? undefined : await findPage(readPage, since));

/** Reads on from a page until everything was seen; returns the first page that showed something. */
const readOn = async (
  readPage: ReadPage,
  from: number,
  pages: number,
  look: (page: DisbursementPage) => boolean,
  isEnough: () => boolean,
): Promise<number | undefined> => {
  let foundOn: number | undefined;
  for (let page = from; page < from + pages && !isEnough(); page += 1) {
    const read = await readPage(page);
    if (look(read)) foundOn ??= page;
    if (page >= read.totalPages) break;
  }
  return foundOn;
};

const remembering = (readPage: ReadPage): ReadPage => {
  const pages = new Map<number, Promise<DisbursementPage>>();
  return (page) => {
    const remembered = pages.get(page) ?? readPage(page);
    pages.set(page, remembered);
    return remembered;
  };
};

const observeSingly = async ({ ledger, provider, log }: ObserveChunkDependencies, payout: Payout): Promise<void> => {
  const { batchId, chunk, row } = payout;
  const lookup = await provider.lookUp(payout.rail, payout.disbursementId ?? payout.reference);
  switch (lookup.kind) {
    case 'found':
      await observePayout({ ledger, log }, payout, lookup.disbursement);
      return;
    case 'absent':
      // The provider acknowledged it before: a lookup that lags proves nothing, the next poll asks again.
      log.warn('payout.not_shown', { batchId, chunk, row });
      return;
    case 'unknown':
      throw new ProviderUnavailable(`lookup: ${lookup.cause}`);
  }
};
