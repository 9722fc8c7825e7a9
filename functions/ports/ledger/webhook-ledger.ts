/** A webhook as it arrived. */
export interface ArrivedWebhook {
  /** Hex SHA-256 of the body. */
  readonly hash: string;
  readonly body: string;
  /** ISO 8601 UTC. */
  readonly receivedAt: string;
  /** The sender's message id, when a signature covers it. Only then does a repetition count as one. */
  readonly signedId?: string;
}

export type BeginLookup =
  /** The caller asks the provider now. Nobody else does within the window. */
  | { readonly kind: 'begun'; readonly askedAt: string }
  /** A lookup that began after the hint arrived has finished, so the hint's change is recorded. */
  | { readonly kind: 'covered' }
  /** A lookup that began after the hint arrived, at `askedAt`, is still running. It covers the hint when it finishes. */
  | { readonly kind: 'under_way'; readonly askedAt: string; readonly until: string }
  /** Another lookup began less than the window ago. The next one may begin at `until` (ISO 8601 UTC). */
  | { readonly kind: 'closed'; readonly until: string };

/** The subject of a lookup caused by a webhook: a payout, or one of the provider's ids. */
export type LookupSubject = { readonly reference: string } | { readonly id: string };

export interface WebhookLedger {
  /**
   * Stores the body once, under its SHA-256, and when it last arrived, for 30 days. Each written arrival goes through the table's
   * stream. False when nothing is new: the same signed message arrived before, or the same body arrived at this time or later.
   */
  storeWebhook(webhook: ArrivedWebhook): Promise<boolean>;
  /**
   * Asks permission to query the provider for a hint, in one conditional write. At most one lookup per subject begins in any
   * `windowSeconds`. Only a finished lookup covers hints: one that died is repeated.
   */
  beginLookup(
    subject: LookupSubject,
    hint: { readonly receivedAt: string; readonly windowSeconds: number },
  ): Promise<BeginLookup>;
  /**
   * Records that the lookup that began at `askedAt` finished and its result is stored. `reference`: the payout to which an id
   * belongs.
   */
  finishLookup(subject: LookupSubject, askedAt: string, reference?: string): Promise<void>;
  /** Returns the reference found by the lookup of an id. Kept for 15 days. */
  findReferenceOf(id: string): Promise<string | undefined>;
}
