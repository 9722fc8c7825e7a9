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
  /** Three numbers an entry, in one place of memory: the hash, and the row. Row 0 marks a free one, as rows count from 1. */
  #entries = new Uint32Array(3 * firstCapacity);

  /** The row in which the reference stood before; undefined, and remembered as of this row, when it is new. */
  firstRowOf(reference: string, row: number): number | undefined {
    if (6 * this.#size >= this.#entries.length) this.#grow();
    const [a, b] = hash(reference);
    const at = this.#placeOf(a, b);
    const first = this.#entries[at + 2] ?? 0;
    if (first !== 0) return first;
    this.#put(at, a, b, row);
    this.#size += 1;
    return undefined;
  }

  /** Where the hash stands, or the free entry where it would. */
  #placeOf(a: number, b: number): number {
    const entries = this.#entries;
    let at = 3 * (a & (entries.length / 3 - 1));
    while (entries[at + 2] !== 0 && (entries[at] !== a || entries[at + 1] !== b)) at = (at + 3) % entries.length;
    return at;
  }

  #put(at: number, a: number, b: number, row: number): void {
    this.#entries[at] = a;
    this.#entries[at + 1] = b;
    this.#entries[at + 2] = row;
  }

  #grow(): void {
    const old = this.#entries;
    this.#entries = new Uint32Array(2 * old.length);
    for (let at = 0; at < old.length; at += 3) {
      const [a = 0, b = 0, row = 0] = [old[at], old[at + 1], old[at + 2]];
      if (row !== 0) this.#put(this.#placeOf(a, b), a, b, row);
    }
  }
}
