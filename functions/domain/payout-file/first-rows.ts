/** Numbers of an entry, in one place of memory: the hash, and the row. Row 0 marks a free one, as rows count from 1. */
const entrySize = 3;

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
  readonly #entries: Uint32Array;

  /** At most half of the entries are used, and their number is a power of 2. Memory that no row uses is never touched. */
  constructor(maxRows: number) {
    this.#entries = new Uint32Array(entrySize * 2 ** Math.ceil(Math.log2(2 * maxRows)));
  }

  /** The row in which the reference stood before; undefined, and remembered as of this row, when it is new. */
  firstRowOf(reference: string, row: number): number | undefined {
    const entries = this.#entries;
    const [a, b] = hash(reference);
    let at = entrySize * (a & (entries.length / entrySize - 1));
    while (entries[at + 2] !== 0 && (entries[at] !== a || entries[at + 1] !== b))
      at = (at + entrySize) % entries.length;
    const first = entries[at + 2];
    if (first !== 0) return first;
    entries[at] = a;
    entries[at + 1] = b;
    entries[at + 2] = row;
    return undefined;
  }
}
