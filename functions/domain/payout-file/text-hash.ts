const firstCapital = 65;
const lastCapital = 90;
const capitalToSmall = 32;

/**
 * The code of a small letter for a capital of ASCII, any other code as it is. Both differences are negative for a capital alone, and
 * `>>>` moves their sign bit to 32. A condition would often be predicted wrongly: references mix capitals and digits.
 */
const smallLetter = (code: number): number =>
  code | ((((firstCapital - 1 - code) & (code - lastCapital - 1)) >>> 26) & capitalToSmall);

/**
 * A 64-bit hash of texts, as two signed 32-bit numbers. Two multiplicative hashes over the same characters are mixed at the
 * end (the shape of cyrb53 and MurmurHash3's finalizer). ASCII capitals count as lower case, as in the ledger's keys.
 *
 * One instance serves all rows: `a` and `b` are valid until the next `begin`.
 */
export class TextHash {
  a = 0;
  b = 0;

  begin(): this {
    this.a = 0xdeadbeef | 0;
    this.b = 0x41c6ce57;
    return this;
  }

  /** Adds one text. Boundaries count: `ab` and `c` hash differently from `a` and `bc`. */
  add(text: string): this {
    let { a, b } = this;
    for (let index = 0; index < text.length; index += 1) {
      const character = smallLetter(text.charCodeAt(index));
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
    this.b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(mixed ^ (mixed >>> 13), 3266489909);
    this.a = mixed;
    return this;
  }
}
