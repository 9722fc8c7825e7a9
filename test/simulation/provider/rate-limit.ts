import type { ServiceAnswer } from './answer.ts';

/** The provider's rate limit, and how it refuses excess requests. */
export interface RateTerms {
  readonly postsPerSecond: number;
  readonly readsPerSecond: number;
  readonly retryAfterSeconds: number;
  /** Where the 429 appears: in the status line, in the body, or in both. `gateway` answers without a body of the service. */
  readonly shownIn: 'http' | 'body' | 'both' | 'gateway';
}

const windowMs = 1000;

/** Admits this many requests in any second, with separate limits for reads and POSTs. Refused requests are not processed. */
export class RateLimit {
  readonly #terms: RateTerms;
  /** When the latest requests were admitted. */
  readonly #passed = new Map<boolean, number[]>();

  constructor(terms: RateTerms) {
    this.#terms = terms;
  }

  /** The answer to an excess request. Undefined when the request is admitted. */
  refuse(isPost: boolean, now: number): ServiceAnswer | undefined {
    const { postsPerSecond, readsPerSecond } = this.#terms;
    const recent = (this.#passed.get(isPost) ?? []).filter((at) => now - at < windowMs);
    this.#passed.set(isPost, recent);
    if (recent.length >= (isPost ? postsPerSecond : readsPerSecond)) return this.#refusal();
    recent.push(now);
    return undefined;
  }

  #refusal(): ServiceAnswer {
    const { shownIn, retryAfterSeconds } = this.#terms;
    const body = { ...(shownIn === 'http' ? {} : { statusCode: 429 }), message: 'Too many requests' };
    return {
      status: shownIn === 'body' ? 200 : 429,
      body: shownIn === 'gateway' ? Buffer.from('<html><body>429 Too Many Requests</body></html>') : body,
      headers: { 'retry-after': String(retryAfterSeconds) },
    };
  }
}
