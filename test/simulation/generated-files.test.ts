import { describe, expect, it } from 'vitest';
import { breaks } from '../payout-files/breaks.ts';
import { checkCorrected, checkFile, fileOf } from '../payout-files/check-file.ts';
import { faults } from '../payout-files/faults.ts';
import type { Format } from '../payout-files/write-rows.ts';

type File = ReturnType<typeof fileOf>;

const damageIn = ({ rows, broken }: File) => new Set([broken, ...rows.map(({ fault }) => fault)]);

const missingIn = (files: readonly File[]) => {
  const drawn = new Set(files.flatMap((file) => [...damageIn(file)]));
  return new Set([...faults, ...breaks].filter((kind) => !drawn.has(kind)));
};

/** The files of the first 400 seeds. Of later ones those with a kind of damage that no file before them has. */
const drawFiles = (): readonly File[] => {
  const files = Array.from({ length: 400 }, (_, index) => fileOf(index + 1));
  for (let seed = 401; seed <= 4000 && missingIn(files).size > 0; seed += 1) {
    const file = fileOf(seed);
    if (!missingIn(files).isDisjointFrom(damageIn(file))) files.push(file);
  }
  return files;
};
const files = drawFiles();

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
    expect([...missingIn(files)].map(({ kind }) => kind)).toEqual([]);
  });

  it('are the same in each run of a seed', () => {
    expect(files.map(({ seed }) => fileOf(seed).bytes)).toEqual(files.map(({ bytes }) => bytes));
  });
});
