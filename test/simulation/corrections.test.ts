import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { chanceOf } from '../support/chance.ts';
import type { CorrectionTask } from './draw/corrected-file.ts';
import { writeCorrection } from './draw/corrected-file.ts';
import { correctionKinds, withCorrections } from './draw/draw-corrections.ts';
import type { Correction, MeantRow } from './draw/scenario.ts';
import { drawScenario } from './draw/scenario.ts';
import { drawSecondWorkload } from './world/second-workload.ts';

const scenarios = Array.from({ length: 400 }, (_, index) => {
  const chance = chanceOf(index + 1);
  const before = { ...drawScenario(chance.fork('scenario')), ...drawSecondWorkload(chance.fork('second workload')) };
  return { before, after: withCorrections(before, chance.fork('corrections')) };
});
const drawn = scenarios.map(({ after }) => after);

const million = 1_000_000n;
const rowOf = (row: number, more: Partial<MeantRow> = {}): MeantRow => ({
  row,
  reference: `pay-${row}`,
  currency: 'IDR',
  amount: BigInt(row) * million,
  destination: { bankCode: 'bca', accountNumber: `700${row}` },
  debt: { id: `debt-${row}`, owedTo: `person-${row}`, currency: 'IDR', amount: BigInt(row) * million },
  ...more,
});
const originals = [rowOf(1), rowOf(2, { isFlawed: true }), rowOf(3, { isFlawed: true })];
const columns = 'reference,amount,currency,recipientId,bankCode,accountNumber,error,line';
const downloaded = [columns, 'pay-2,ten,IDR,,bca,7002,amount: …,3', 'pay-3,0,IDR,,bca,7003,amount: …,4'].join('\n');
const how: Correction = { key: 'file', waitsMs: 0, part: 'whole', isElsewhere: false, leavesOne: false };

const corrected = (more: Partial<Correction> = {}, knows: Partial<CorrectionTask> = {}) => {
  const { csv, rows } = writeCorrection(
    {
      key: 'file.correction-1',
      how: { ...how, ...more },
      originals,
      isPaidElsewhere: () => false,
      mistakable: [rowOf(1)],
      ...knows,
    },
    downloaded,
  );
  const lines: readonly Record<string, string>[] = parse(csv, { bom: true, columns: true });
  return { rows, lines };
};
const debts = ({ rows }: { readonly rows: readonly MeantRow[] }) => rows.map(({ debt }) => debt?.id);

describe('corrections', () => {
  it.each(correctionKinds)('are drawn with %s within 400 seeds', (kind) => {
    expect(drawn.some(({ corrections }) => corrections.has(kind))).toBe(true);
  });

  it('leave runs without a bad row unchanged', () => {
    const flawless = scenarios.filter(({ before }) =>
      before.batches.every(({ rows }) => rows.every(({ isFlawed }) => isFlawed !== true)),
    );
    expect(flawless.length).toBeGreaterThan(20);
    for (const { before, after } of flawless) expect(after).toEqual({ ...before, corrections: new Set() });
  });

  it('correct the skipped rows in their own cells', () => {
    const { rows, lines } = corrected();
    expect(rows).toEqual([rowOf(2), rowOf(3)].map((row, index) => ({ ...row, row: index + 1 })));
    expect(lines).toEqual([
      expect.objectContaining({ reference: 'pay-2', amount: '2', accountNumber: '7002', line: '3' }),
      expect.objectContaining({ reference: 'pay-3', amount: '3', accountNumber: '7003', line: '4' }),
    ]);
  });

  it('omit rows that another file pays', () => {
    expect(debts(corrected({}, { isPaidElsewhere: (debt) => debt?.id === 'debt-2' }))).toEqual(['debt-3']);
  });

  it('contain a paid row by mistake, instead of a skipped one or in addition', () => {
    expect(debts(corrected({ slip: 'instead' }))).toEqual(['debt-2', 'debt-1']);
    expect(debts(corrected({ slip: 'besides' }))).toEqual(['debt-2', 'debt-3', 'debt-1']);
  });

  it('are made in parts', () => {
    expect([debts(corrected({ part: 'odd' })), debts(corrected({ part: 'even' }))]).toEqual([['debt-2'], ['debt-3']]);
  });

  it('leave a row unmended', () => {
    const { rows, lines } = corrected({ leavesOne: true });
    expect(rows.map(({ isFlawed = false }) => isFlawed)).toEqual([true, false]);
    expect(lines.map(({ amount }) => amount)).toEqual(['ten', '3']);
  });

  it('change destinations only when all skipped rows are corrected', () => {
    const accounts = ({ lines }: ReturnType<typeof corrected>) => lines.map(({ accountNumber }) => accountNumber);
    expect(accounts(corrected({ isElsewhere: true }))).toEqual(['8002', '8003']);
    expect(accounts(corrected({ isElsewhere: true, part: 'odd' }))).toEqual(['7002']);
  });
});
