import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FirstRows } from '../../../../functions/domain/payout-file/first-rows.ts';
import { drawsAll } from '../../../support/fast-loop.ts';

/** A quoted field may contain line breaks. */
const lineOf = (row: number): number => 3 * row;

const placeOf = (row: number) => ({ row, line: lineOf(row) });

const firstLinesOf = (references: readonly string[]): (number | undefined)[] => {
  const rows = new FirstRows(Math.max(1, references.length));
  const given = references.map((reference, index) => ({ reference, ...placeOf(index + 1) }));
  // In parts, as they come, with repetitions within a part.
  return [...rows.firstLinesOf(given.slice(0, 7)), ...rows.firstLinesOf(given.slice(7))];
};

describe('FirstRows', () => {
  it('finds the first line of each reference, like a Map of lower-case keys, and none without a reference', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 3000 }), (references) => {
        const map = new Map<string, number>();
        const expected = references.map((reference, index) => {
          const small = reference.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
          if (small === '') return undefined;
          const first = map.get(small);
          if (first === undefined) map.set(small, index + 1);
          return first === undefined ? undefined : lineOf(first);
        });
        expect(firstLinesOf(references)).toEqual(expected);
      }),
    );
  });

  it.runIf(drawsAll).each([
    ['counted up', (n: number) => `salary-2026-11-${n}`],
    ['counted up with zeros', (n: number) => String(n).padStart(12, '0')],
    ['of one letter each', (n: number) => `${'a'.repeat(n % 60)}${n}`],
  ])('never confuses two of a million references %s', (_name, referenceOf) => {
    const rows = new FirstRows(1_000_000);
    let repeated = 0;
    for (let from = 1; from <= 1_000_000; from += 1000) {
      const block = Array.from({ length: 1000 }, (_, index) => ({
        reference: referenceOf(from + index),
        ...placeOf(from + index),
      }));
      repeated += rows.firstLinesOf(block).filter((first) => first !== undefined).length;
    }
    expect(repeated).toBe(0);
    expect(rows.firstLinesOf([{ reference: referenceOf(500_000), ...placeOf(1_000_001) }])).toEqual([lineOf(500_000)]);
  });
});
