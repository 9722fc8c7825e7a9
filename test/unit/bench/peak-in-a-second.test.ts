import { describe, expect, it } from 'vitest';
import { PeakInASecond } from '../../bench/scale/peak-in-a-second.ts';

const peakOf = (...amounts: readonly (readonly [number, number])[]): number => {
  const peak = new PeakInASecond();
  for (const [atMs, units] of amounts) peak.add(atMs, units);
  return peak.most;
};

describe('the busiest second', () => {
  it.each([
    ['nothing added is nothing', [], 0],
    [
      'units in one second add up',
      [
        [0, 1],
        [0, 2],
        [999, 4],
      ],
      7,
    ],
    [
      'a second ends before the next begins',
      [
        [0, 4],
        [1000, 2],
      ],
      4,
    ],
    [
      'a second begins anywhere',
      [
        [0, 1],
        [900, 4],
        [1899, 4],
        [1900, 8],
      ],
      12,
    ],
    [
      'a quiet time forgets nothing of the peak',
      [
        [0, 9],
        [60_000, 1],
      ],
      9,
    ],
  ] as const)('%s', (_name, amounts, most) => {
    expect(peakOf(...amounts)).toBe(most);
  });
});
