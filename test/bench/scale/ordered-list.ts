/**
 * Records at numbered places, some of which are removed again. Reading a page costs as much as the page, whatever the number of
 * records. A Fenwick tree over the places.
 */
export class OrderedList<Record> {
  #places: (Record | undefined)[] = [];
  #sums = new Int32Array(1025);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param place from 0. An existing record is replaced */
  put(place: number, record: Record): void {
    while (place >= this.#sums.length - 1) this.#grow();
    if (this.#places[place] === undefined) this.#add(place, 1);
    this.#places[place] = record;
  }

  remove(place: number): void {
    if (this.#places[place] === undefined) return;
    this.#places[place] = undefined;
    this.#add(place, -1);
  }

  /** A page of the remaining records. Pages count from 1. */
  page(page: number, limit: number, lastFirst: boolean): readonly Record[] {
    const found: Record[] = [];
    const skipped = (page - 1) * limit;
    for (let rank = skipped; rank < Math.min(this.#size, skipped + limit); rank += 1) {
      const record = this.#places[this.#placeOf(lastFirst ? this.#size - rank : rank + 1)];
      if (record !== undefined) found.push(record);
    }
    return found;
  }

  #add(place: number, change: 1 | -1): void {
    this.#size += change;
    for (let at = place + 1; at < this.#sums.length; at += at & -at) this.#sums[at] = (this.#sums[at] ?? 0) + change;
  }

  /** The place of the record with this rank, from 1. */
  #placeOf(rank: number): number {
    let at = 0;
    let left = rank;
    for (let step = this.#sums.length - 1; step > 0; step >>= 1) {
      const sum = this.#sums[at + step];
      if (sum === undefined || sum >= left) continue;
      at += step;
      left -= sum;
    }
    return at;
  }

  /** Doubles the places. Their number stays a power of two: the last sum is the total, and so is half of the new ones. */
  #grow(): void {
    const old = this.#sums;
    this.#sums = new Int32Array((old.length - 1) * 2 + 1);
    this.#sums.set(old);
    this.#sums[this.#sums.length - 1] = this.#size;
  }
}
