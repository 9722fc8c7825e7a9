/** Kinds of requests with separate limits: requests that change something, and reads. */
export const requestKinds = ['post', 'read'] as const;
export type RequestKind = (typeof requestKinds)[number];

/**
 * Everything that takes turns. Registering a chunk takes one too, at the rate of POSTs, although it sends nothing to the
 * provider.
 */
export type TurnKind = RequestKind | 'register';

/**
 * `later`: nothing is reserved. Ask again after `waitMs`. Callers of one batch that wait for a POST or a
 * registration get different waits, so that they do not collide.
 */
export type Turn = { readonly kind: 'now' } | { readonly kind: 'later'; readonly waitMs: number };

export interface TurnRequest {
  /** The batch whose share a POST uses. Reads use the share of their function instance. */
  readonly batchId?: string;
  /** 10,000 or more lets a batch that got little use its precedence, even at one request every five seconds. */
  readonly withinMs: number;
  /** True to take only spare capacity: for proofs, ids in webhooks, and comparisons of ended batches. */
  readonly isSpare?: boolean;
}

/** The result of one request, as far as it affects the pace. */
export type PaceAnswer =
  /** The provider answered, even with a refusal. */
  | { readonly kind: 'answered' }
  /** 429: too many requests. */
  | { readonly kind: 'throttled'; readonly retryAfterMs?: number }
  /** A timeout, a reset, no connection, a 5xx. */
  | { readonly kind: 'unanswered' };

/** The state of one kind of request, for operators. */
export interface PaceState {
  readonly kind: RequestKind;
  /** The configured requests per second. 0 sets no limit. */
  readonly limitPerSecond: number;
  /** The current requests per second. Below the limit after the provider throttled us, or left requests unanswered. */
  readonly perSecond: number;
  /** Milliseconds until all requests that have a turn are made. */
  readonly queuedMs: number;
  /** ISO 8601 UTC. Present while the provider has asked us to send nothing. */
  readonly blockedUntil?: string;
}

/** The provider's rate limit, shared by all batches and functions. With a limit of 0 every turn is immediate. */
export interface Pace {
  /**
   * Waits for the turn to make one request or register one chunk, if it comes within `withinMs`. Use the turn immediately.
   *
   * @throws the SDK's errors when the ledger is unavailable
   */
  turn(kind: TurnKind, request: TurnRequest): Promise<Turn>;
  /**
   * Waits until a pause that the provider demanded is over, if it ends within `withinMs`. Takes no turn. Returns true when there
   * was such a pause, and false when there was none or it is longer.
   *
   * @throws the SDK's errors when the ledger is unavailable
   */
  waitOutPause(kind: RequestKind, withinMs: number): Promise<boolean>;
  /** Reports the result of a request. Never throws, and takes at most a second. */
  report(kind: RequestKind, answer: PaceAnswer): Promise<void>;
  /** Returns both kinds of request, POSTs first. */
  state(): Promise<readonly PaceState[]>;
}
