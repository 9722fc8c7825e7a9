import type { PlannedConversion } from '../domain/batch/batch.ts';
import type { ChunkFile, PlannedPayout } from '../domain/batch/chunk-file.ts';
import type { Money, MoneyByCurrency } from '../domain/money/money.ts';
import type { Rail } from '../domain/payout/payout.ts';
import type { ObservedStatus } from '../domain/payout/payout-status.ts';

/** A way to pay out, with its limits and fee, which are money of its currency. */
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

/** What the provider knows of a payout, in our words. */
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
  /** Why, of a status that needs a reason, in the provider's own words; cleaned of what it tells of the recipient. Not for logs. */
  readonly statusText?: string;
  /** SHA-256 of the destination, made as hashDestination makes it from a row; absent when the answer does not tell it. */
  readonly destinationHash?: string;
  /** The provider's own times. */
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** One POST came to nothing, or nobody knows what it came to, by the rules of the submit protocol. */
export type CallFailure =
  /** The connection never opened: nothing can have been created. */
  | { readonly kind: 'not_sent'; readonly cause: string }
  /**
   * A well-formed 400 of the service. The message is fit for ledger and log: personal data is masked in it, and it is cut.
   * `isTaken`: the whole of it said that something with the reference is there already, perhaps made by us.
   * `isBalanceTooLow`: the money is short, and the rows are not at fault: they wait for it.
   */
  | { readonly kind: 'rejected'; readonly message: string; readonly isTaken?: true; readonly isBalanceTooLow?: true }
  /** 401 or 403: nobody may call until a person has acted. Without `madeNothing` a gateway may have refused it on the way back. */
  | { readonly kind: 'halted'; readonly madeNothing?: true }
  /** Everything else: timeout, reset, 5xx, 429, unreadable or contradictory body. `cause` is a code like `status_503`. */
  | { readonly kind: 'unknown'; readonly cause: string };

/** The answer to one POST that creates disbursements. Whether these match what was sent is the caller's to judge. */
export type SubmitAnswer = { readonly kind: 'answered'; readonly disbursements: readonly Disbursement[] } | CallFailure;

/** The cause of a lookup that was answered with a record of neither the id nor the reference asked for. */
export const otherRecord = 'other_record';

/** The answer to a lookup by id or reference. */
export type Lookup =
  | { readonly kind: 'found'; readonly disbursement: Disbursement }
  /** A JSON body of the service saying 404: nothing less proves absence. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly cause: string };

/** What a provider chose or promises, as far as the orchestrator acts on it. What is not promised counts as it costs least. */
export interface ProviderTraits {
  /** Payouts that one call may carry, at most 98. */
  readonly payoutsPerCall: number;
  /** Hours from its first use for which a fiat reference is not taken again. 0: nobody promises it. */
  readonly fiatReferenceUniqueHours: number | 'forever';
  /** Whether it gives proofs of bank transfers. Where it gives none, none is asked for, and none is missing. */
  readonly hasProofs: boolean;
  /** Hours for which a look-up may hide what was made: until then a person's word that it is absent proves nothing. */
  readonly hiddenHours: Readonly<Record<Rail, number>>;
}

export interface DisbursementPage {
  readonly disbursements: readonly Disbursement[];
  /** Records of the page that are not as documented, and are left out. */
  readonly unreadable: number;
  /** From 1. */
  readonly page: number;
  readonly totalPages: number;
}

/** What a conversion would bring, as the provider promises it for a while. */
export interface Quote extends PlannedConversion {
  readonly quoteId: string;
}

/** What is to arrive, and what it is converted from. */
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
 * The payment service as the steps need it. What a provider must have, so that nothing is paid twice or lost:
 *
 * 1. A payout carries our reference, and is found by it. `absent` is said only where it is proof.
 * 2. What a POST came to is one of the kinds of CallFailure: `not_sent`, `rejected` and `madeNothing` only where they are proven.
 * 3. A fiat reference is used once for as long as `traits` say. Crypto counts as not unique, so `listByReference` and
 *    `listByDestination` show all there is.
 * 4. Amounts come and go as exact decimals with their currency, and statuses have ends that stay. An unknown status is `pending`.
 * 5. Lists have pages from 1. They may be late, unordered or unfiltered, or not there (`pageSize`): each payout is then asked
 *    about singly. Lists that refuse an order count as not there.
 * 6. A record tells a reference as it was sent. One in another letter case is taken for somebody else's.
 *
 * What it may lack, and what becomes of it:
 *
 * - calls of several payouts (`traits.payoutsPerCall`): each row is a call;
 * - lists (`pageSize` is 0): each payout is asked about in each sweep, and after the batch's end;
 * - conversions (`refused`, `isLacking`): a batch that is short awaits funds, and says that nothing is converted;
 * - proofs (`traits.hasProofs`): the batch says so, and waits for none;
 * - a rail (no methods): a row of it is refused with its file;
 * - estimates of crypto fees (NoFeeEstimate): a batch with wallets pauses before anything is paid, and says so;
 * - a search by address (`listByDestination` throws ProviderRefused): nobody settles a crypto payout as not paid.
 *
 * Reads throw ProviderUnavailable (outage, 5xx, 429, timeout: worth another
 * try) or ProviderRefused (401, 403, or a 4xx a retry cannot mend); calls that move money never throw for what the
 * provider or the network did: they answer.
 */
export interface PaymentProvider {
  readonly traits: ProviderTraits;
  listPaymentMethods(rail: Rail): Promise<readonly PaymentMethod[]>;
  readBalances(): Promise<MoneyByCurrency>;
  /** The fee of one payout of so much of a token, in the token. */
  estimateCryptoFee(amount: Money): Promise<Money>;
  quoteConversion(request: WantedQuote): Promise<QuoteAnswer>;
  /** POSTs once. */
  convert(quote: Quote): Promise<ConvertAnswer>;
  /** The body the call would POST, to hash before the claim. Deterministic. */
  composeSubmission(chunk: Pick<ChunkFile, 'rail' | 'currency'>, payouts: readonly PlannedPayout[]): string;
  /** POSTs once: own socket, no retry, no redirect. `body` is what composeSubmission made. */
  submit(rail: Rail, body: string): Promise<SubmitAnswer>;
  /** With `isSpare` it takes only what the provider's limit leaves. */
  lookUp(rail: Rail, idOrReference: string, urgency?: { readonly isSpare?: true }): Promise<Lookup>;
  /** Records on a page of a rail's lists, as far as is known: as last answered. 0: it has none, and each payout is asked about. */
  pageSize(rail: Rail): number;
  /** The provider's words for the statuses of disbursements that have ended, or have not: each is a list of its own. */
  statusLists(rail: Rail, kind: 'open' | 'ended'): readonly string[];
  /**
   * All of a rail, or of one status. `created` has the oldest first, `newest` the same the other way round, `changed` what
   * changed last first. With `isSpare` it takes only what the provider's limit leaves.
   */
  listDisbursements(query: {
    readonly rail: Rail;
    readonly order: 'created' | 'newest' | 'changed';
    readonly status?: string | undefined;
    readonly page: number;
    readonly isSpare?: true;
  }): Promise<DisbursementPage>;
  /** Crypto only: every disbursement with this reference, since the provider lets one be used twice. */
  listByReference(reference: string): Promise<readonly Disbursement[]>;
  /**
   * Crypto only: every disbursement of this amount to this address, whatever its reference, and also those of which the provider
   * does not tell the address.
   */
  listByDestination(
    wanted: Pick<Disbursement, 'amount'> & { readonly walletAddress: string },
  ): Promise<readonly Disbursement[]>;
  /** The proof of a completed bank transfer; undefined when the provider has none (yet). */
  downloadProof(disbursementId: string): Promise<Uint8Array | undefined>;
}
