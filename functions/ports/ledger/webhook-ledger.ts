/** A webhook as it arrived. */
export interface ArrivedWebhook {
  /** Hex SHA-256 of the body. */
  readonly hash: string;
  readonly body: string;
  /** ISO 8601 UTC. */
  readonly receivedAt: string;
  /** The sender's id of the message, where a signature vouches for it: only then does a repetition count as one. */
  readonly signedId?: string;
}

export type BeginLookup =
  /** The caller asks the provider now; nobody else does within the window. */
  | { readonly kind: 'begun'; readonly askedAt: string }
  /** A look-up that began after the hint had come was finished: what the hint told of is recorded. */
  | { readonly kind: 'covered' }
  /** A look-up that began after the hint had come, at `askedAt`, is not finished; it covers the hint once it is. */
  | { readonly kind: 'under_way'; readonly askedAt: string; readonly until: string }
  /** Another look-up began less than the window ago; from `until` (ISO 8601 UTC) on there may be one more. */
  | { readonly kind: 'closed'; readonly until: string };

/** What the provider is asked about because of a webhook: a payout, or what an id of the provider's is of. */
export type LookupSubject = { readonly reference: string } | { readonly id: string };

export interface WebhookLedger {
  /**
   * Keeps the body once, under its SHA-256, and when it came last, for 30 days; each arrival that is written goes through the
   * table's stream. False when there is nothing new: the same signed message came before, or the same body now or later.
   */
  storeWebhook(webhook: ArrivedWebhook): Promise<boolean>;
  /**
   * Leave to ask the provider because of a hint: one conditional write, so that one look-up of a subject at most begins in any
   * `windowSeconds`. A finished one alone covers hints: one that died is made again.
   */
  beginLookup(
    subject: LookupSubject,
    hint: { readonly receivedAt: string; readonly windowSeconds: number },
  ): Promise<BeginLookup>;
  /** What the look-up that began at `askedAt` found is recorded. `reference`: of the payout that an id proved to be of. */
  finishLookup(subject: LookupSubject, askedAt: string, reference?: string): Promise<void>;
  /** The reference that the look-up of an id was finished with. Kept for 15 days. */
  findReferenceOf(id: string): Promise<string | undefined>;
}
