/** A token bucket that holds one second's requests, as in gateways. */
export class RateLimit {
  readonly #perSecond: number;
  #left: number;
  #asOfMs = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond;
  }

  /** True when one more request is accepted. */
  takes(nowMs: number): boolean {
    this.#left = Math.min(this.#perSecond, this.#left + ((nowMs - this.#asOfMs) * this.#perSecond) / 1000);
    this.#asOfMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
