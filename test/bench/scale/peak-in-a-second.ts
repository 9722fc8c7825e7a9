const windowMs = 1000;

/** The most of something in any one second, wherever that second begins. Told in order of time. */
export class PeakInASecond {
  readonly #told: { readonly atMs: number; readonly units: number }[] = [];
  #first = 0;
  #sum = 0;
  #most = 0;

  get most(): number {
    return this.#most;
  }

  tell(atMs: number, units: number): void {
    this.#told.push({ atMs, units });
    this.#sum += units;
    for (let oldest = this.#told[this.#first]; oldest !== undefined && oldest.atMs <= atMs - windowMs; ) {
      this.#sum -= oldest.units;
      this.#first += 1;
      oldest = this.#told[this.#first];
    }
    this.#most = Math.max(this.#most, this.#sum);
  }
}
