/** What is paced apart: requests that change something, and reads. */
export const requestKinds = ['post', 'read'] as const;
export type RequestKind = (typeof requestKinds)[number];

/** What takes turns: also to register a chunk, which asks the provider nothing. As many may a second as may POST. */
export type TurnKind = RequestKind | 'register';

/** `later`: nothing is reserved. Ask again after `waitMs`: siblings are told different times, so that they do not meet. */
export type Turn = { readonly kind: 'now' } | { readonly kind: 'later'; readonly waitMs: number };

export interface TurnRequest {
  /** Whose share a POST counts to. Reads count to the function's instance that makes them. */
  readonly batchId?: string;
  /** 10,000 or more lets a batch that had little use its precedence even at one request in two seconds. */
  readonly withinMs: number;
  /** Takes only what nobody else asks for: proofs, ids in webhooks. */
  readonly isSpare?: boolean;
}

/** What became of one request, as far as the pace is concerned. */
export type PaceAnswer =
  /** The provider answered, be it a refusal. */
  | { readonly kind: 'answered' }
  /** 429: too many requests. */
  | { readonly kind: 'throttled'; readonly retryAfterMs?: number }
  /** A timeout, a reset, no connection, a 5xx. */
  | { readonly kind: 'unanswered' };

/** How one kind of request stands, for operators. */
export interface PaceState {
  readonly kind: RequestKind;
  /** Requests a second by the settings; 0 sets no limit. */
  readonly limitPerSecond: number;
  /** Requests a second at present: less than the limit after the provider slowed us down. */
  readonly perSecond: number;
  /** Milliseconds from now until all requests that have their turn are made. */
  readonly queuedMs: number;
  /** ISO 8601 UTC, while the provider asked us to make none. */
  readonly blockedUntil?: string;
}

/** The provider's rate limit, for all batches and functions together. With a limit of 0 each turn is now. */
export interface Pace {
  /**
   * Waits for the turn to make one request, or register one chunk, when it comes within `withinMs`. It is used at once.
   *
   * @throws the SDK's errors for an outage of the ledger
   */
  turn(kind: TurnKind, request: TurnRequest): Promise<Turn>;
  /** Tells what came of a request. Never throws, and takes a second at most. */
  report(kind: RequestKind, answer: PaceAnswer): Promise<void>;
  /** Both kinds of request, POSTs first. */
  state(): Promise<readonly PaceState[]>;
}
