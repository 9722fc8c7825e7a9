const firstCapital = 65;
const lastCapital = 90;
const capitalToSmall = 32;

/**
 * A 64-bit hash of texts, as two 32-bit numbers. Two multiplicative hashes over the same characters are mixed at the
 * end (the shape of cyrb53 and MurmurHash3's finalizer). ASCII capitals count as lower case, as in the ledger's keys.
 *
 * One instance serves all rows: `a` and `b` are valid until the next `begin`.
 */
export class TextHash {
  a = 0;
  b = 0;

  begin(): this {
    this.a = 0xdeadbeef;
    this.b = 0x41c6ce57;
    return this;
  }

  /** Adds one text. Boundaries count: `ab` and `c` hash differently from `a` and `bc`. */
  add(text: string): this {
    let { a, b } = this;
    for (let index = 0; index < text.length; index += 1) {
      const read = text.charCodeAt(index);
      const character = read >= firstCapital && read <= lastCapital ? read + capitalToSmall : read;
      a = Math.imul(a ^ character, 2654435761);
      b = Math.imul(b ^ character, 1597334677);
    }
    this.a = Math.imul(a ^ 0xffff, 2654435761);
    this.b = Math.imul(b ^ 0xffff, 1597334677);
    return this;
  }

  end(): this {
    const { a, b } = this;
    const mixed = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    this.b = (Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(mixed ^ (mixed >>> 13), 3266489909)) >>> 0;
    this.a = mixed >>> 0;
    return this;
  }
}
