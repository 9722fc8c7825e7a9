import { describe, expect, it } from 'vitest';
import { breaks } from '../payout-files/breaks.ts';
import { checkCorrected, checkFile, fileOf } from '../payout-files/check-file.ts';
import { faults } from '../payout-files/faults.ts';
import type { Format } from '../payout-files/written.ts';

const seeds = Array.from({ length: 400 }, (_, index) => index + 1);
const files = seeds.map(fileOf);

describe('400 generated payout files', () => {
  it.each(['reject', 'skip'] as const)(
    'end under %s: every damaged row is named, no good row is blamed, and each good row is paid once',
    async (invalidRows) => {
      const wrong: string[] = [];
      for (const file of files) wrong.push(...(await checkFile(file, invalidRows)));
      expect(wrong).toEqual([]);
    },
  );

  it('can be corrected, and are then paid to the last row', async () => {
    const checked: { readonly format: Format; readonly wrong: readonly string[] }[] = [];
    for (const file of files) {
      const wrong = await checkCorrected(file);
      if (wrong !== undefined) checked.push({ format: file.style.format, wrong });
    }
    expect(checked.flatMap(({ wrong }) => wrong)).toEqual([]);
    const corrected = Map.groupBy(checked, ({ format }) => format);
    expect(corrected.get('csv')?.length).toBeGreaterThan(20);
    expect(corrected.get('xlsx')?.length).toBeGreaterThan(10);
  });

  it('have every kind of damage', () => {
    const drawn = files.flatMap(({ rows }) => rows.map(({ fault }) => fault));
    expect(faults.filter((fault) => !drawn.includes(fault))).toEqual([]);
    const broken = files.map((file) => file.broken);
    expect(breaks.filter((one) => !broken.includes(one))).toEqual([]);
  });

  it('are the same in each run of a seed', () => {
    expect(seeds.map((seed) => fileOf(seed).bytes)).toEqual(files.map(({ bytes }) => bytes));
  });
});
