import { isDeepStrictEqual } from 'node:util';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { chanceOf } from '../support/chance.ts';
import type { MeantRow } from './draw/scenario.ts';
import { millionths } from './provider/money.ts';
import type { Workload } from './world/second-workload.ts';
import { drawSecondWorkload, kinds } from './world/second-workload.ts';

const seeds = Array.from({ length: 200 }, (_, index) => index + 1);
const drawn = seeds.map((seed) => drawSecondWorkload(chanceOf(seed)));
const written = drawn.flatMap(({ batches }) => batches).filter(({ retryOf }) => retryOf === undefined);

const linesOf = (csv: string): readonly Record<string, string>[] =>
  parse(csv.replaceAll('\r\n', '\n'), {
    columns: (names: string[]) => names.map((name) => name.toLowerCase()),
    bom: true,
    skip_empty_lines: true,
  });

const debtsOf = ({ batches }: Workload): readonly (readonly MeantRow[])[] => [
  ...Map.groupBy(
    batches.flatMap(({ rows }) => rows),
    ({ debt }) => debt?.id,
  ).values(),
];

describe('the second workload', () => {
  it('is the same in each run of a seed', () => {
    expect(seeds.map((seed) => drawSecondWorkload(chanceOf(seed)))).toEqual(drawn);
    expect(isDeepStrictEqual(drawn[0], drawn[1])).toBe(false);
  });

  it.each(kinds)('has %s within 200 seeds', (kind) => {
    expect(drawn.some((workload) => workload.kinds.has(kind))).toBe(true);
  });

  it('names each file once', () => {
    for (const { batches } of drawn) expect(new Set(batches.map(({ key }) => key)).size).toBe(batches.length);
  });

  it('writes the rows that it means', () => {
    for (const { csv, rows } of written) {
      const lines = linesOf(csv);
      expect(lines).toHaveLength(rows.length);
      for (const [index, row] of rows.entries()) {
        expect(row.row).toBe(index + 1);
        if (row.isFlawed) continue;
        const line = lines[index] ?? {};
        expect(line['reference'] ?? '').toBe(row.reference);
        expect(millionths(line['amount'] ?? '')).toBe(row.amount);
        expect(line['currency']).toBe(row.currency);
        for (const [name, value] of Object.entries(row.destination)) expect(line[name.toLowerCase()]).toBe(value);
      }
    }
  });

  it('pays a debt its amount, whichever row pays it', () => {
    for (const { debt, amount, currency } of written.flatMap(({ rows }) => rows))
      expect({ amount, currency }).toEqual({ amount: debt?.amount, currency: debt?.currency });
  });

  it('has debts in several rows, and equal rows of several debts', () => {
    expect(drawn.some((workload) => debtsOf(workload).some((rows) => rows.length > 1))).toBe(true);
    const alike = written.some(({ rows }) =>
      rows.some((one) =>
        rows.some(
          (other) =>
            one.debt?.id !== other.debt?.id &&
            one.amount === other.amount &&
            one.currency === other.currency &&
            isDeepStrictEqual(one.destination, other.destination),
        ),
      ),
    );
    expect(alike).toBe(true);
  });

  it('downloads retries only of files in the same run', () => {
    for (const { batches } of drawn) {
      for (const { retryOf } of batches)
        if (retryOf !== undefined) expect(batches.map(({ key }) => key)).toContain(retryOf.key);
    }
  });
});
