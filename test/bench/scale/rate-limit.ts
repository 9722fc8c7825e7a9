/** A limit as gateways have it: a bucket that holds one second's requests. */
export class RateLimit {
  readonly #perSecond: number;
  #left: number;
  #asOfMs = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond;
  }

  /** Whether one more request is taken. */
  takes(nowMs: number): boolean {
    this.#left = Math.min(this.#perSecond, this.#left + ((nowMs - this.#asOfMs) * this.#perSecond) / 1000);
    this.#asOfMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
