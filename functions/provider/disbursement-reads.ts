import { hashDestination } from '../domain/batch/chunk.ts';
import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import type { Rail } from '../domain/payout/payout.ts';
import type { Log } from '../ports/environment.ts';
import type { Disbursement, DisbursementPage, Lookup, PaymentProvider } from '../ports/provider.ts';
import { otherRecord } from '../ports/provider.ts';
import type { PaymentServiceClient } from './client/payment-service-client.ts';
import { disbursementOfCrypto, disbursementOfFiat } from './disbursement-records.ts';
import type { PageSizes } from './page-sizes.ts';
import { containsPhrase, dataOrThrow, isLacking } from './refusal.ts';
import type { ServiceAnswer } from './service-answer.ts';
import type { ProviderTraits } from './settings.ts';
import type { Urgency } from './transport/transport.ts';
import { isAddressable } from './transport/transport.ts';

interface Dependencies {
  readonly client: PaymentServiceClient;
  readonly log: Pick<Log, 'warn'>;
  readonly traits: Pick<ProviderTraits, 'words'>;
  readonly sizes: PageSizes;
}

type ListQuery = Parameters<PaymentProvider['listDisbursements']>[0];

const findOne = async (
  { client, log }: Dependencies,
  rail: Rail,
  idOrReference: string,
  urgency: Urgency,
): Promise<ServiceAnswer<Disbursement>> => {
  switch (rail) {
    case 'fiat': {
      const answer = await client.fiatDisbursements.find(idOrReference, urgency);
      return answer.kind === 'succeeded' ? { ...answer, data: disbursementOfFiat(log, answer.data) } : answer;
    }
    case 'crypto': {
      const answer = await client.cryptoDisbursements.find(idOrReference, urgency);
      return answer.kind === 'succeeded' ? { ...answer, data: disbursementOfCrypto(log, answer.data) } : answer;
    }
  }
};

/**
 * Looks one disbursement up. The document's words where nothing matches are `Crypto disbursement not found`; of a fiat look-up
 * they are not shown, of its proof they are `Disbursement not found`. Any other 404 may be about something else (a client, an
 * account), and would let the payout be submitted again.
 *
 * An outage is an answer too (`unknown`), so that one bad look-up of many does not cost the others.
 *
 * @throws ProviderRefused on 401 and 403: nobody gets further until a person has acted
 */
export const lookUp = async (
  dependencies: Dependencies,
  rail: Rail,
  idOrReference: string,
  urgency: Urgency,
): Promise<Lookup> => {
  if (!isAddressable(idOrReference)) return { kind: 'unknown', cause: 'id_not_addressable' };
  const answer = await findOne(dependencies, rail, idOrReference, urgency);
  switch (answer.kind) {
    case 'succeeded': {
      const { disbursementId, reference } = answer.data;
      const asked = disbursementId === idOrReference || reference === idOrReference;
      return asked ? { kind: 'found', disbursement: answer.data } : { kind: 'unknown', cause: otherRecord };
    }
    case 'refused':
      if (answer.statusCode === 404 && containsPhrase(dependencies.traits.words.absent, answer.message))
        return { kind: 'absent' };
      if (answer.statusCode === 401 || answer.statusCode === 403) {
        return dataOrThrow(`GET /v1/disbursement/${rail}/:id`, answer);
      }
      return { kind: 'unknown', cause: `status_${answer.statusCode}` };
    case 'not_sent':
    case 'unknown':
      return { kind: 'unknown', cause: answer.cause };
  }
};

interface ReadPage {
  readonly page: number;
  readonly totalPages: number;
  /** Null where a record is not as documented. */
  readonly disbursements: readonly (Disbursement | null)[];
}

/** The document's words for an order. */
const sorts = { created: 'createdAt', newest: '-createdAt', changed: '-updatedAt' } as const;

/** The page, of which what it says of its size is heard. */
const heard = <Page extends { readonly docs: readonly unknown[]; readonly limit?: number | undefined }>(
  sizes: PageSizes,
  rail: Rail,
  answer: ServiceAnswer<Page>,
): Page => {
  if (isLacking(answer)) sizes.hear(rail, 0);
  const page = dataOrThrow(`GET /v1/disbursement/${rail}`, answer);
  sizes.hear(rail, page.limit === 0 ? undefined : page.limit);
  return page;
};

const readPage = async ({ client, log, sizes }: Dependencies, query: ListQuery): Promise<ReadPage> => {
  if (sizes.of(query.rail) === 0) throw new ProviderRefused(`GET /v1/disbursement/${query.rail}: no_lists`);
  const paging = {
    sort: sorts[query.order],
    page: query.page,
    limit: sizes.asked,
    ...(query.status && { status: query.status }),
  };
  const urgency: Urgency = query.isSpare ? { isSpare: true } : {};
  switch (query.rail) {
    case 'fiat': {
      const answer = await client.fiatDisbursements.list(paging, urgency);
      const { docs, page, totalPages } = heard(sizes, query.rail, answer);
      return { page, totalPages, disbursements: docs.map((record) => record && disbursementOfFiat(log, record)) };
    }
    case 'crypto': {
      const answer = await client.cryptoDisbursements.list(paging, urgency);
      const { docs, page, totalPages } = heard(sizes, query.rail, answer);
      return { page, totalPages, disbursements: docs.map((record) => record && disbursementOfCrypto(log, record)) };
    }
  }
};

/**
 * One page of a list. A record that is not as documented is left out and counted in the log. Follow asks singly about
 * each payout that no page shows.
 */
export const listDisbursements = async (dependencies: Dependencies, query: ListQuery): Promise<DisbursementPage> => {
  const { page, totalPages, disbursements } = await readPage(dependencies, query);
  // A service that ignored the page number would have us read its first page for ever.
  if (page !== query.page) throw new ProviderUnavailable(`GET /v1/disbursement/${query.rail}: other_page`);
  const readable = disbursements.filter((disbursement) => disbursement !== null);
  const unreadable = disbursements.length - readable.length;
  if (unreadable > 0) dependencies.log.warn('provider.records_unreadable', { rail: query.rail, page, unreadable });
  return { disbursements: readable, unreadable, page, totalPages };
};

/** The document's own, where pages are of no use otherwise. */
const usualPage = 10;
/** A search by reference, or by address and amount, finds one record, or very few. */
const mostSearchPages = 10;

type Search = Pick<
  Parameters<PaymentServiceClient['cryptoDisbursements']['list']>[0],
  'reference' | 'receiverAddress' | 'amount'
>;

/**
 * Every crypto disbursement that a search shows.
 *
 * @throws ProviderUnavailable also when a record is unreadable or the search does not end: "no more than these" is not proven
 */
const search = async ({ client, log, sizes }: Dependencies, query: Search): Promise<readonly Disbursement[]> => {
  const endpoint = 'GET /v1/disbursement/crypto';
  const found: Disbursement[] = [];
  for (let asked = 1; asked <= mostSearchPages; asked += 1) {
    const paging = { sort: 'createdAt', page: asked, limit: sizes.asked || usualPage };
    const { docs, page, totalPages } = dataOrThrow(
      endpoint,
      await client.cryptoDisbursements.list({ ...query, ...paging }),
    );
    if (page !== asked) throw new ProviderUnavailable(`${endpoint}: other_page`);
    for (const record of docs) {
      if (record === null) throw new ProviderUnavailable(`${endpoint}: records_unreadable`);
      found.push(disbursementOfCrypto(log, record));
    }
    if (asked >= totalPages) return found;
  }
  throw new ProviderUnavailable(`${endpoint}: search_too_long`);
};

/** Every crypto disbursement of one reference. The service's search may match parts of references: only the exact ones count. */
export const listByReference = async (
  dependencies: Dependencies,
  reference: string,
): Promise<readonly Disbursement[]> =>
  (await search(dependencies, { reference })).filter((found) => found.reference === reference);

/** How the service may have written an address down: it may compare texts, where letter case means nothing. */
const spellingsOf = (walletAddress: string): readonly string[] =>
  /^0x[0-9a-f]{40}$/i.test(walletAddress)
    ? [...new Set([walletAddress, walletAddress.toLowerCase()])]
    : [walletAddress];

/** Every crypto disbursement of an amount to an address. What the service's search shows beside them does not count. */
export const listByDestination: (
  dependencies: Dependencies,
  wanted: Parameters<PaymentProvider['listByDestination']>[0],
) => Promise<readonly Disbursement[]> = async (dependencies, { walletAddress, amount }) => {
  const hash = hashDestination({ kind: 'wallet', walletAddress });
  const found = new Map<string, Disbursement>();
  for (const receiverAddress of spellingsOf(walletAddress))
    for (const one of await search(dependencies, { receiverAddress, amount: amount.amount }))
      if (one.amount.equals(amount) && (one.destinationHash ?? hash) === hash) found.set(one.disbursementId, one);
  return [...found.values()];
};
