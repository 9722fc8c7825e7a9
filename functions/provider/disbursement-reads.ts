import type * as z from 'zod';
import { InvariantBroken, ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import { given } from '../domain/given.ts';
import { Money } from '../domain/money/money.ts';
import { hashDestination } from '../domain/payout/destination.ts';
import { otherSpelling, usualSpelling } from '../domain/payout/wallet-spelling.ts';
import type { Log } from '../ports/environment.ts';
import type { DestinationSearch, Disbursement, PaymentProvider } from '../ports/provider.ts';
import { otherRecord } from '../ports/provider.ts';
import type { pageOf } from './client/page.ts';
import type { PaymentServiceClient } from './client/payment-service-client.ts';
import { disbursementsOn } from './client/payment-service-client.ts';
import type { DisbursementRecord } from './disbursement-records.ts';
import { disbursementOf } from './disbursement-records.ts';
import type { PageSizes } from './page-sizes.ts';
import { containsPhrase, dataOrThrow, isLacking, isTransient, refusesCredentials } from './refusal.ts';
import type { ProviderTraits } from './settings.ts';
import { isAddressable } from './transport/transport.ts';

export interface DisbursementDependencies {
  readonly client: PaymentServiceClient;
  readonly log: Pick<Log, 'warn'>;
  readonly traits: Pick<ProviderTraits, 'words'>;
  readonly sizes: PageSizes;
}

/** The error of a read that may succeed later. `cause` is the code, and the message names the endpoint too. */
const unavailable = (endpoint: string, cause: string) => new ProviderUnavailable(`${endpoint}: ${cause}`, { cause });

type ListQuery = Parameters<PaymentProvider['listDisbursements']>[0];

/** The document's names of sort orders. */
const sorts = { created: 'createdAt', newest: '-createdAt', changed: '-updatedAt' } as const;

type RecordPage = z.infer<ReturnType<typeof pageOf<z.ZodType<DisbursementRecord>>>>;

/** The document's default. Searches use it when the provider has no lists. */
const usualPage = 10;
/** A search by reference, or by address and amount, finds one record or very few. */
const mostSearchPages = 10;

type Search = Pick<
  Parameters<PaymentServiceClient['cryptoDisbursements']['list']>[0],
  'reference' | 'receiverAddress' | 'amount'
>;

/** The spellings under which the service may have stored an address. It may compare text although they mean the same. */
const spellingsOf = (walletAddress: string): ReadonlySet<string> => {
  const other = otherSpelling(walletAddress) ?? walletAddress;
  return new Set([walletAddress, usualSpelling(walletAddress), other]);
};

const isAsMuch = (one: Money, other: Money): boolean => Money.of(one.amount, other.currency).equals(other);

/** The port's lookups, lists and searches. */
export const createDisbursementReads = ({ client, log, traits, sizes }: DisbursementDependencies) => {
  /**
   * Looks up one disbursement. Only a 404 with a phrase of the trait `words.absent` proves absence. The document shows
   * `Crypto disbursement not found` for a crypto lookup, none for a fiat lookup, and `Disbursement not found` for a fiat proof.
   * Any other 404 may be about a client or an account. Reading it as absence would let the payout be submitted again.
   *
   * Any other failure is an answer too (`unknown`), so that one failed lookup does not stop the others.
   *
   * @throws ProviderRefused on 401 and 403: every request fails until a person acts
   */
  const lookUp: PaymentProvider['lookUp'] = async (rail, idOrReference, urgency) => {
    if (!isAddressable(idOrReference)) return { kind: 'unknown', cause: 'id_not_addressable' };
    const answer = await disbursementsOn(client, rail).find(idOrReference, urgency);
    switch (answer.kind) {
      case 'succeeded': {
        const disbursement = disbursementOf(log, answer.data);
        const isAsked = [disbursement.disbursementId, disbursement.reference].includes(idOrReference);
        return isAsked ? { kind: 'found', disbursement } : { kind: 'unknown', cause: otherRecord };
      }
      case 'refused':
        if (answer.statusCode === 404 && containsPhrase(traits.words.absent, answer.message)) return { kind: 'absent' };
        if (refusesCredentials(answer)) return dataOrThrow(`GET /v1/disbursement/${rail}/:id`, answer);
        return { kind: 'unknown', cause: `status_${answer.statusCode}` };
      case 'not_sent':
      case 'unknown': {
        // One unreadable record says nothing about settings.
        const isMisconfigured = (answer.cause !== 'data_unreadable' && !isTransient(answer)) || undefined;
        return { kind: 'unknown', cause: answer.cause, ...given({ isMisconfigured }) };
      }
    }
  };

  /** Reads one page, and records the page size that the answer shows. */
  const readPage = async ({ rail, ...query }: ListQuery): Promise<RecordPage> => {
    const endpoint = `GET /v1/disbursement/${rail}`;
    if (sizes.of(rail) === 0) throw new ProviderRefused(`${endpoint}: no_lists`, { cause: 'no_lists' });
    const paging = {
      sort: sorts[query.order],
      page: query.page,
      limit: sizes.asked,
      ...given({ status: query.status }),
    };
    const answer = await disbursementsOn(client, rail).list(paging, given({ isSpare: query.isSpare }));
    if (isLacking(answer)) sizes.record(rail, 0);
    const page = dataOrThrow<RecordPage>(endpoint, answer);
    sizes.record(rail, page.limit === 0 ? undefined : page.limit);
    return page;
  };

  /**
   * Reads one page of a list. A record that does not match the document is left out and counted in the log. Follow asks
   * individually about each payout that no page shows.
   */
  const listDisbursements: PaymentProvider['listDisbursements'] = async (query) => {
    const { page, totalPages, docs } = await readPage(query);
    // A service that ignores the page number would make us read its first page forever.
    if (page !== query.page) throw unavailable(`GET /v1/disbursement/${query.rail}`, 'other_page');
    const disbursements = docs.flatMap((record) => (record === null ? [] : disbursementOf(log, record)));
    const unreadable = docs.length - disbursements.length;
    if (unreadable > 0) log.warn('provider.records_unreadable', { rail: query.rail, page, unreadable });
    return { disbursements, unreadable, page, totalPages };
  };

  /**
   * Every crypto disbursement that matches a search.
   *
   * @throws ProviderUnavailable also when a record is unreadable or missing, another page comes than was asked for, or the search
   * does not end, because then the result may be incomplete
   */
  const search = async (query: Search): Promise<readonly Disbursement[]> => {
    const endpoint = 'GET /v1/disbursement/crypto';
    const found: Disbursement[] = [];
    for (let asked = 1; asked <= mostSearchPages; asked += 1) {
      const paging = { sort: 'createdAt', page: asked, limit: sizes.asked || usualPage };
      const answer = await client.cryptoDisbursements.list({ ...query, ...paging });
      const { docs, page, totalPages, totalDocs = 0 } = dataOrThrow(endpoint, answer);
      if (page !== asked) throw unavailable(endpoint, 'other_page');
      for (const record of docs) {
        if (record === null) throw unavailable(endpoint, 'records_unreadable');
        found.push(disbursementOf(log, record));
      }
      if (asked < totalPages) continue;
      // A record that its pages leave out may be the one that is searched.
      if (found.length < totalDocs) throw unavailable(endpoint, 'records_missing');
      return found;
    }
    throw unavailable(endpoint, 'search_too_long');
  };

  /** Every crypto disbursement with this reference. The service may match parts of references, so only exact matches are kept. */
  const listByReference: PaymentProvider['listByReference'] = async (rail, reference) =>
    rail === 'crypto' ? (await search({ reference })).filter((found) => found.reference === reference) : undefined;

  /**
   * Every crypto disbursement of this amount to this address. Other records that the service's search returns are dropped, but
   * not those of another currency: the service may write the same one differently.
   */
  const listByDestination: DestinationSearch = async ({ recipient, amount }) => {
    if (recipient.kind !== 'wallet') throw new InvariantBroken('a crypto payout without a wallet');
    const hash = hashDestination(recipient);
    const found = new Map<string, Disbursement>();
    for (const receiverAddress of spellingsOf(recipient.walletAddress))
      for (const one of await search({ receiverAddress, amount: amount.amount }))
        if (isAsMuch(one.amount, amount) && (one.destinationHash ?? hash) === hash) found.set(one.disbursementId, one);
    return [...found.values()];
  };

  const destinationSearch: PaymentProvider['destinationSearch'] = (rail) =>
    rail === 'crypto' ? listByDestination : undefined;

  return { lookUp, listDisbursements, listByReference, destinationSearch };
};
