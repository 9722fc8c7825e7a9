/** Entries of the first table; it doubles when it is half full. */
const firstCapacity = 1 << 10;

/**
 * 64 bits of a reference, as two numbers of 32: two multiplicative hashes over the same characters, mixed into each
 * other at the end (the shape of cyrb53 and MurmurHash3's finalizer).
 */
const hash = (reference: string): readonly [number, number] => {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < reference.length; index += 1) {
    const character = reference.charCodeAt(index);
    a = Math.imul(a ^ character, 2654435761);
    b = Math.imul(b ^ character, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a >>> 0, b >>> 0];
};

/**
 * Remembers the row in which each reference stood first, in 12 bytes an entry: a Map of a million strings is several
 * times as large, and planning must fit into half a gigabyte. References are told apart by 64 bits of hash; in a file of
 * a million rows two different ones look alike with a chance of 1 in 37 million, and then the file is refused by name
 * and row, never paid wrongly.
 */
export class FirstRows {
  #size = 0;
  #hashes = new Uint32Array(2 * firstCapacity);
  /** 0 marks a free place: rows count from 1. */
  #rows = new Uint32Array(firstCapacity);

  /** The row in which the reference stood before; undefined, and remembered as of this row, when it is new. */
  firstRowOf(reference: string, row: number): number | undefined {
    if (2 * this.#size >= this.#rows.length) this.#grow();
    const [a, b] = hash(reference);
    const place = this.#placeOf(a, b);
    const first = this.#rows[place] ?? 0;
    if (first !== 0) return first;
    this.#put(place, a, b, row);
    this.#size += 1;
    return undefined;
  }

  /** Where the hash stands, or the free place where it would. */
  #placeOf(a: number, b: number): number {
    const mask = this.#rows.length - 1;
    let place = a & mask;
    while (this.#rows[place] !== 0 && (this.#hashes[2 * place] !== a || this.#hashes[2 * place + 1] !== b)) {
      place = (place + 1) & mask;
    }
    return place;
  }

  #put(place: number, a: number, b: number, row: number): void {
    this.#hashes[2 * place] = a;
    this.#hashes[2 * place + 1] = b;
    this.#rows[place] = row;
  }

  #grow(): void {
    const [hashes, rows] = [this.#hashes, this.#rows];
    this.#hashes = new Uint32Array(2 * hashes.length);
    this.#rows = new Uint32Array(2 * rows.length);
    for (const [place, row] of rows.entries()) {
      if (row === 0) continue;
      const a = hashes[2 * place] ?? 0;
      const b = hashes[2 * place + 1] ?? 0;
      this.#put(this.#placeOf(a, b), a, b, row);
    }
  }
}
