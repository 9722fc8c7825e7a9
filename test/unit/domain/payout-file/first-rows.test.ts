import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FirstRows } from '../../../../functions/domain/payout-file/first-rows.ts';

const firstRowsOf = (references: readonly string[]): (number | undefined)[] => {
  const rows = new FirstRows(Math.max(1, references.length));
  return references.map((reference, index) => rows.firstRowOf(reference, index + 1));
};

describe('FirstRows', () => {
  it('tells the first row of each reference, as a Map of small letters would', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 3000 }), (references) => {
        const map = new Map<string, number>();
        const expected = references.map((reference, index) => {
          const small = reference.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
          const first = map.get(small);
          if (first === undefined) map.set(small, index + 1);
          return first;
        });
        expect(firstRowsOf(references)).toEqual(expected);
      }),
    );
  });

  it.each([
    ['counted up', (n: number) => `salary-2026-11-${n}`],
    ['counted up with zeros', (n: number) => String(n).padStart(12, '0')],
    ['of one letter each', (n: number) => `${'a'.repeat(n % 60)}${n}`],
  ])('takes no two of a million references %s for one', (_name, referenceOf) => {
    const rows = new FirstRows(1_000_000);
    let repeated = 0;
    for (let n = 1; n <= 1_000_000; n += 1) if (rows.firstRowOf(referenceOf(n), n) !== undefined) repeated += 1;
    expect(repeated).toBe(0);
    expect(rows.firstRowOf(referenceOf(500_000), 1_000_001)).toBe(500_000);
  });
});
