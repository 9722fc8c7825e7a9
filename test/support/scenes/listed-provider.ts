import type * as z from 'zod';
import { ProviderRefused, ProviderUnavailable } from '../../../functions/domain/errors.ts';
import type { Rail } from '../../../functions/domain/payout/payout.ts';
import type { ObservedStatus } from '../../../functions/domain/payout/payout-status.ts';
import type { Clock } from '../../../functions/ports/environment.ts';
import type { Disbursement, PaymentProvider } from '../../../functions/ports/provider.ts';
import { statusLists } from '../../../functions/provider/disbursement-records.ts';
import { providerTraits } from '../../../functions/provider/settings.ts';

/** The provider's word for a status, on both rails. */
export const wordOf = (status: ObservedStatus): string => (status === 'on_hold' ? 'need_check' : status);

/** Times are in ISO 8601 with milliseconds and Z, so the order of their text is the order of time. */
const compareTimes = (one = '', other = ''): number => (one < other ? -1 : Number(one > other));

/**
 * A provider in memory behind the reads of Follow: lists with order, filter and pages, lookups, searches, proofs. It records
 * its requests. `ways` switches on behavior that no document rules out.
 */
export const createListedProvider = (clock: Clock, given: z.input<ReturnType<typeof providerTraits>> = {}) => {
  const traits = providerTraits().parse(given);
  const kept: Disbursement[] = [];
  const proofs = new Map<string, Uint8Array>();
  /** Ways in which a provider may fall short of its document. */
  const ways = {
    ignoresSort: false,
    ignoresStatus: false,
    keepsUpdatedAt: false,
    /** True when it has no lists, contrary to its traits. */
    lacksLists: false,
    /** True when a request fails, by kind and subject. The subject of a list is its status, or `all`. */
    fails: (_what: 'list' | 'look_up' | 'search' | 'proof', _about: string): boolean => false,
  };
  const asked = {
    /** `changed all 1`: order, status and page. */
    lists: [] as string[],
    lookUps: [] as string[],
    searches: [] as string[],
    proofs: [] as string[],
  };
  const now = (): string => new Date(clock()).toISOString();

  const add = (disbursement: Disbursement): Disbursement => {
    const made = { createdAt: now(), updatedAt: now(), ...disbursement };
    kept.push(made);
    return made;
  };

  /** Sets the status of the disbursements with these references, or of all. */
  const settle = (status: ObservedStatus, ...references: readonly string[]): void => {
    for (const [index, one] of kept.entries()) {
      if (references.length > 0 && !references.includes(one.reference ?? '')) continue;
      const updatedAt = ways.keepsUpdatedAt ? (one.updatedAt ?? now()) : now();
      kept[index] = { ...one, status, providerStatus: wordOf(status), updatedAt };
    }
  };

  let isFoundLacking = false;
  const outage = (what: 'list' | 'look_up' | 'search' | 'proof', about: string): void => {
    if (ways.fails(what, about)) throw new ProviderUnavailable(`${what}: status_503`);
  };

  const provider: Pick<
    PaymentProvider,
    | 'account'
    | 'traits'
    | 'pageSize'
    | 'lookUp'
    | 'listByReference'
    | 'listDisbursements'
    | 'statusLists'
    | 'downloadProof'
  > = {
    account: 'listed',
    traits,
    pageSize: () => (isFoundLacking ? 0 : traits.pageLimit),
    statusLists,
    lookUp: async (rail: Rail, idOrReference) => {
      asked.lookUps.push(idOrReference);
      outage('look_up', idOrReference);
      const disbursement = kept.find(
        (one) => one.rail === rail && (one.disbursementId === idOrReference || one.reference === idOrReference),
      );
      return disbursement === undefined ? { kind: 'absent' } : { kind: 'found', disbursement };
    },
    listByReference: async (rail, reference) => {
      if (rail === 'fiat') return undefined;
      asked.searches.push(reference);
      outage('search', reference);
      return kept.filter((one) => one.reference === reference);
    },
    listDisbursements: async ({ rail, order, status, page }) => {
      const limit = traits.pageLimit;
      asked.lists.push(`${order} ${status ?? 'all'} ${page}`);
      isFoundLacking ||= ways.lacksLists;
      if (isFoundLacking) throw new ProviderRefused('list: status_404');
      outage('list', status ?? 'all');
      const of = kept.filter(
        (one) => one.rail === rail && (status === undefined || ways.ignoresStatus || one.providerStatus === status),
      );
      const byCreation = of.toSorted((one, other) => compareTimes(one.createdAt, other.createdAt));
      const sorted = {
        created: byCreation,
        newest: byCreation.toReversed(),
        changed: of.toSorted((one, other) => compareTimes(other.updatedAt, one.updatedAt)),
      }[ways.ignoresSort ? 'created' : order];
      const disbursements = sorted.slice((page - 1) * limit, page * limit);
      return { disbursements, unreadable: 0, page, totalPages: Math.max(1, Math.ceil(of.length / limit)) };
    },
    downloadProof: async (disbursementId) => {
      asked.proofs.push(disbursementId);
      outage('proof', disbursementId);
      return proofs.get(disbursementId);
    },
  };

  return {
    provider,
    ways,
    asked,
    kept,
    add,
    settle,
    proofs,
    /** Clears the recorded requests. */
    forgetAsked: (): void => {
      for (const list of Object.values(asked)) list.length = 0;
    },
  };
};
