import type { PlannedConversion } from '../domain/batch/batch.ts';
import type { ChunkFile, PlannedPayout, Recipient } from '../domain/batch/chunk-file.ts';
import type { Money } from '../domain/money/money.ts';
import type { MoneyByCurrency } from '../domain/money/money-by-currency.ts';
import type { Rail } from '../domain/payout/payout.ts';
import type { ObservedStatus } from '../domain/payout/payout-status.ts';

/** A way to pay out, with its limits and fee as money in its currency. */
export interface PaymentMethod {
  readonly rail: Rail;
  /** `IDR`, or `usdt-tron`. */
  readonly currency: string;
  /** Fiat: the bank code. Crypto: the currency itself. */
  readonly code: string;
  readonly name: string;
  readonly minAmount: Money;
  readonly maxAmount: Money;
  readonly feeFlat: Money;
  /** Percent of the amount: `0.5` is half a percent. */
  readonly feePercentage: string;
}

/** The provider's record of a payout, in our words. */
export interface Disbursement {
  readonly disbursementId: string;
  /** Absent when it was created without one. */
  readonly reference?: string;
  readonly rail: Rail;
  readonly amount: Money;
  /** In the currency of the amount. */
  readonly fee?: Money;
  readonly status: ObservedStatus;
  /** The provider's own word for the status. */
  readonly providerStatus: string;
  /** The provider's own reason for a status that needs one, with the recipient's data removed. Not for logs. */
  readonly statusText?: string;
  /** SHA-256 of the destination, as hashDestination makes it for a row. Absent when the response omits the destination. */
  readonly destinationHash?: string;
  /** The one that older payouts to the same destination may have: see formerHash. */
  readonly formerHash?: string;
  /** The provider's own times. */
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** A POST that created nothing, or whose outcome is unknown, by the rules of the submit protocol. */
export type CallFailure =
  /** The connection never opened, so nothing can have been created. */
  | { readonly kind: 'not_sent'; readonly cause: string }
  /**
   * The service's own statement that this call made nothing, such as a well-formed 400. The message is safe for ledger and logs:
   * personal data is masked, and its length is limited. `isTaken`: the whole message says that the reference already exists, and we
   * may have created it. `isBalanceTooLow`: the balance is too low. The rows are not at fault, and wait for money.
   */
  | { readonly kind: 'rejected'; readonly message: string; readonly isTaken?: true; readonly isBalanceTooLow?: true }
  /**
   * 401 or 403: no more calls until a person has acted. Without `madeNothing`, a gateway may have refused the response on its way
   * back.
   */
  | { readonly kind: 'halted'; readonly madeNothing?: true }
  /** Everything else: timeout, reset, 5xx, 429, unreadable or contradictory body. `cause` is a code like `status_503`. */
  | { readonly kind: 'unknown'; readonly cause: string };

/** The response to one POST that creates disbursements. The caller checks whether they match the request. */
export type SubmitAnswer = { readonly kind: 'answered'; readonly disbursements: readonly Disbursement[] } | CallFailure;

/** Cause of a lookup whose response has neither the requested id nor the requested reference. */
export const otherRecord = 'other_record';

/** The response to a lookup by id or reference. */
export type Lookup =
  | { readonly kind: 'found'; readonly disbursement: Disbursement }
  /** The provider's own statement that it has none, such as a JSON body that itself says 404. Nothing less proves absence. */
  | { readonly kind: 'absent' }
  /** `isMisconfigured`: the likely cause is a setting, such as a secret or the provider's address. */
  | { readonly kind: 'unknown'; readonly cause: string; readonly isMisconfigured?: true };

/** What a provider promises about the payouts of one rail. Without a promise, the safest value applies. */
export interface RailTraits {
  /**
   * Hours from its first use for which the provider refuses a used reference. 0: it promises nothing. Then no payout that may
   * exist is submitted again, and a lookup by reference alone proves no absence.
   */
  readonly referenceUniqueHours: number | 'forever';
  /** Hours for which lookups may hide a payout that was made. Until then a person's word that it is absent proves nothing. */
  readonly hiddenHours: number;
  /** True when the provider gives transfer proofs. Only proofs of bank transfers are archived: see domain/payout/proofs.ts. */
  readonly hasProofs: boolean;
}

/** What a provider supports or promises, as far as the orchestrator relies on it. */
export interface ProviderTraits {
  /** Most payouts in one call, at most 98. */
  readonly payoutsPerCall: number;
  readonly rails: Readonly<Record<Rail, RailTraits>>;
}

/** True when a used reference of the rail can be used again, now or later. Then a lookup may show only one of several. */
export const isReusable = ({ rails }: Pick<ProviderTraits, 'rails'>, rail: Rail): boolean =>
  rails[rail].referenceUniqueHours !== 'forever';

export interface DisbursementPage {
  readonly disbursements: readonly Disbursement[];
  /** Number of records on the page that do not match the documentation. They are left out. */
  readonly unreadable: number;
  /** From 1. */
  readonly page: number;
  readonly totalPages: number;
}

/** The result of a conversion, as the provider promises it for a limited time. */
export interface Quote extends PlannedConversion {
  readonly quoteId: string;
}

/** The amount that must arrive, and the currency to convert from. */
export interface WantedQuote {
  readonly inputCurrency: string;
  readonly output: Money;
}

export type QuoteAnswer =
  | { readonly kind: 'quoted'; readonly quote: Quote }
  /** `isLacking`: the provider never makes such a conversion. */
  | { readonly kind: 'refused'; readonly message: string; readonly isLacking?: true };

export type ConvertAnswer =
  | ({ readonly kind: 'converted'; readonly convertId: string } & Pick<Quote, 'input' | 'output' | 'fee'>)
  | CallFailure;

/**
 * Returns every disbursement of this amount to this recipient, whatever its reference. Includes those whose destination the
 * provider does not show.
 */
export type DestinationSearch = (
  wanted: Pick<Disbursement, 'amount'> & { readonly recipient: Recipient },
) => Promise<readonly Disbursement[]>;

/**
 * The payment service as the steps need it. A provider must guarantee the following, so that nothing is paid twice or lost:
 *
 * 1. A payout carries our reference, and is found by it. `absent` is returned only when it is proven.
 * 2. Every failed POST is one of the kinds of CallFailure. `not_sent`, `rejected` and `madeNothing` are returned only when they
 *    are proven.
 * 3. A reference is used once for as long as the rail's traits promise. The searches by reference and by destination
 *    return everything there is.
 * 4. Amounts are exact decimals with their currency in both directions. A final word becomes an end, and lookups show it when the
 *    provider takes it back, as for a transfer that is returned. An unknown status becomes `pending`.
 * 5. Lists have pages from 1. They may be late, unordered or unfiltered. They may be missing (`pageSize` is 0): then each payout
 *    is looked up singly. Lists that refuse an order count as missing.
 * 6. Each read waits for its turn in the provider's rate limit, and reports what became of it: see ports/pace.ts.
 * 7. A record returns a reference as it was sent. In another letter case it counts as someone else's.
 *
 * A provider may lack the following, with these consequences:
 *
 * - calls of several payouts (`traits.payoutsPerCall`): each row is its own call;
 * - lists (`pageSize` is 0): each payout is looked up in each sweep, and after the batch's end;
 * - conversions (`refused`, `isLacking`): a batch short of money awaits funds, and says that nothing is converted;
 * - proofs (`hasProofs` of each rail): the batch says so, and waits for none;
 * - a rail (no methods): a file with a row of it is refused, so no payout of that rail exists;
 * - fee estimates that it should have (NoFeeEstimate): a batch pauses before anything is paid, and says so;
 * - a search by reference (`listByReference` returns undefined), but only where a lookup shows everything under a reference;
 * - a search by destination (`destinationSearch` returns undefined), but only where a lookup by reference finds every payout. An
 *   adapter that can give neither throws ProviderRefused. Then no payout of the rail can be settled as not paid.
 *
 * Reads throw ProviderUnavailable (outage, 5xx, 429, timeout: worth a retry) or ProviderRefused (401, 403, or a 4xx that a
 * retry cannot fix). The error's `cause` is a code. `lookUp` throws only ProviderRefused, for 401 and 403: every other failure is
 * its answer `unknown`. Calls that move money never throw for a failure of the provider or the network. They return it.
 */
export interface PaymentProvider {
  /** Names the merchant's account that pays. Its answers prove nothing about the payouts of another account. */
  readonly account: string;
  readonly traits: ProviderTraits;
  listPaymentMethods(rail: Rail): Promise<readonly PaymentMethod[]>;
  readBalances(): Promise<MoneyByCurrency>;
  /** Estimates the fee of one payout, in the same currency. Undefined on a rail whose fees follow from the payment methods. */
  estimateFee(rail: Rail, amount: Money): Promise<Money | undefined>;
  quoteConversion(request: WantedQuote): Promise<QuoteAnswer>;
  /** POSTs once. */
  convert(quote: Quote): Promise<ConvertAnswer>;
  /** Builds the body that the call will POST, so that it can be hashed before the claim. Deterministic. */
  composeSubmission(chunk: Pick<ChunkFile, 'rail' | 'currency'>, payouts: readonly PlannedPayout[]): string;
  /** POSTs once: own socket, no retry, no redirect. `body` comes from composeSubmission. */
  submit(rail: Rail, body: string): Promise<SubmitAnswer>;
  /** With `isSpare` it uses only spare capacity of the provider's limit. */
  lookUp(rail: Rail, idOrReference: string, urgency?: { readonly isSpare?: true }): Promise<Lookup>;
  /** Returns records per page of a rail's lists, by the last response. 0: there are no lists, and each payout is looked up. */
  pageSize(rail: Rail): number;
  /** Returns the provider's words for the statuses of open or ended disbursements. Each status has its own list. */
  statusLists(rail: Rail, kind: 'open' | 'ended'): readonly string[];
  /**
   * Lists all disbursements of a rail, or those in one status. `created` is oldest first, `newest` the reverse, and `changed` has
   * the latest change first. With `isSpare` it uses only spare capacity of the provider's limit.
   */
  listDisbursements(query: {
    readonly rail: Rail;
    readonly order: 'created' | 'newest' | 'changed';
    readonly status?: string | undefined;
    readonly page: number;
    readonly isSpare?: true;
  }): Promise<DisbursementPage>;
  /** Returns every disbursement with this reference. Undefined when a lookup shows them all. */
  listByReference(rail: Rail, reference: string): Promise<readonly Disbursement[] | undefined>;
  /** The search that a lookup by reference needs beside it. Undefined when a lookup finds every payout of the rail. */
  destinationSearch(rail: Rail): DestinationSearch | undefined;
  /** Returns the proof of a completed bank transfer. Undefined when the provider has none (yet). */
  downloadProof(disbursementId: string): Promise<Uint8Array | undefined>;
}
