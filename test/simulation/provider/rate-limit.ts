import type { ServiceAnswer } from './answer.ts';

/** How much the provider lets itself be asked, and how it refuses what is more. */
export interface RateTerms {
  readonly postsPerSecond: number;
  readonly readsPerSecond: number;
  readonly retryAfterSeconds: number;
  /** Where it says 429: in the status line, in the body, or in both; or a gateway says it without a body of the service. */
  readonly says: 'http' | 'body' | 'both' | 'gateway';
}

const windowMs = 1000;

/** Lets so many requests through in any second, reads and POSTs apart. What it refuses is not worked on. */
export class RateLimit {
  readonly #terms: RateTerms;
  /** When the last of them were let through. */
  readonly #passed = new Map<boolean, number[]>();

  constructor(terms: RateTerms) {
    this.#terms = terms;
  }

  /** What a request that is one too many is answered; undefined for one that may pass. */
  refuse(isPost: boolean, now: number): ServiceAnswer | undefined {
    const { postsPerSecond, readsPerSecond } = this.#terms;
    const recent = (this.#passed.get(isPost) ?? []).filter((at) => now - at < windowMs);
    this.#passed.set(isPost, recent);
    if (recent.length >= (isPost ? postsPerSecond : readsPerSecond)) return this.#refusal();
    recent.push(now);
    return undefined;
  }

  #refusal(): ServiceAnswer {
    const { says, retryAfterSeconds } = this.#terms;
    const body = { ...(says === 'http' ? {} : { statusCode: 429 }), message: 'Too many requests' };
    return {
      status: says === 'body' ? 200 : 429,
      body: says === 'gateway' ? Buffer.from('<html><body>429 Too Many Requests</body></html>') : body,
      headers: { 'retry-after': String(retryAfterSeconds) },
    };
  }
}
