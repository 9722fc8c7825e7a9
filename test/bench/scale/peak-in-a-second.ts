const windowMs = 1000;

/** The maximum number of units within any one second, wherever it begins. Units must be added in order of time. */
export class PeakInASecond {
  readonly #added: { readonly atMs: number; readonly units: number }[] = [];
  #first = 0;
  #sum = 0;
  #most = 0;

  get most(): number {
    return this.#most;
  }

  add(atMs: number, units: number): void {
    this.#added.push({ atMs, units });
    this.#sum += units;
    for (let oldest = this.#added[this.#first]; oldest !== undefined && oldest.atMs <= atMs - windowMs; ) {
      this.#sum -= oldest.units;
      this.#first += 1;
      oldest = this.#added[this.#first];
    }
    this.#most = Math.max(this.#most, this.#sum);
  }
}
