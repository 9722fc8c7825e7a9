import type { FileRow } from './fields.ts';
import { TextHash } from './text-hash.ts';

/** An entry holds a row in its lower bits (there are at most 1,000,000 rows) and bits of the hash in the rest. 0 is free. */
const rowBits = 20;
const rowMask = 2 ** rowBits - 1;

/**
 * Remembers the line where each reference appears first, in 20 bytes per row. A Map of a million strings is several times
 * as large, and planning must fit into half a gigabyte.
 *
 * References are compared by a 64-bit hash. In a file of a million rows, two different ones collide with a chance of 1
 * in 37 million. The file is then refused, with the row named. It is never paid wrongly.
 *
 * Hashes are stored in the order of the rows. Only the small table of entries is accessed at random.
 */
export class FirstRows {
  readonly #entries: Uint32Array;
  readonly #hashes: Uint32Array;
  /** By row. */
  readonly #lines: Uint32Array;
  readonly #hash = new TextHash();

  /** At most half of the entries are used, and their number is a power of 2. Memory that no row uses is never touched. */
  constructor(maxRows: number) {
    this.#entries = new Uint32Array(2 ** Math.ceil(Math.log2(2 * maxRows)));
    this.#hashes = new Uint32Array(2 * (maxRows + 1));
    this.#lines = new Uint32Array(maxRows + 1);
  }

  /**
   * Returns the first line of each reference that appeared before. Registers new references and returns undefined for
   * them, and for empty ones. Hashes all first, then looks all up, so that the random memory accesses overlap.
   */
  firstLinesOf(rows: readonly Pick<FileRow, 'reference' | 'row' | 'line'>[]): readonly (number | undefined)[] {
    const hashes = new Uint32Array(2 * rows.length);
    let end = 0;
    for (const { reference } of rows) {
      const { a, b } = this.#hash.begin().add(reference).end();
      hashes[end] = a;
      hashes[end + 1] = b;
      end += 2;
    }
    return rows.map(({ reference, row, line }, index) => {
      if (reference === '') return undefined;
      const first = this.#enter(hashes[2 * index] ?? 0, hashes[2 * index + 1] ?? 0, row);
      if (first !== undefined) return this.#lines[first];
      this.#lines[row] = line;
      return undefined;
    });
  }

  #enter(a: number, b: number, row: number): number | undefined {
    const entries = this.#entries;
    const hashes = this.#hashes;
    const last = entries.length - 1;
    for (let at = a & last; ; at = (at + 1) & last) {
      const entry = entries[at] ?? 0;
      if (entry === 0) {
        entries[at] = ((b & ~rowMask) | row) >>> 0;
        hashes[2 * row] = a;
        hashes[2 * row + 1] = b;
        return undefined;
      }
      const first = entry & rowMask;
      if (((entry ^ b) & ~rowMask) === 0 && hashes[2 * first] === a && hashes[2 * first + 1] === b) return first;
    }
  }
}
