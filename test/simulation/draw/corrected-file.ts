import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import * as z from 'zod';
import { noRecipient } from '../../support/scenes/no-recipient.ts';
import { amountText } from '../provider/money.ts';
import { cellsOf, elsewhereOf } from '../world/second-workload.ts';
import type { Correction, Debt, MeantBatch, MeantRow } from './scenario.ts';

const linesToCorrect = z.array(z.looseRecord(z.string(), z.string()));

export interface CorrectionTask {
  /** The name of the new file. New references are derived from it. */
  readonly key: string;
  readonly how: Correction;
  /** The rows of the corrected batch's file, as its merchant meant them. */
  readonly originals: readonly MeantRow[];
  /** True when a batch that no correction links to this one has paid the debt, or may have. */
  readonly isPaidElsewhere: (debt: Debt | undefined, row: number) => boolean;
  /** Rows that a clerk may add by mistake. */
  readonly mistakable: readonly MeantRow[];
}

interface CorrectedLine {
  readonly cells: Readonly<Record<string, string>>;
  readonly row: MeantRow;
}

const isOfPart = (part: Correction['part'], index: number, isBad: boolean): boolean => {
  switch (part) {
    case 'whole':
      return true;
    case 'odd':
      return index % 2 === 0;
    case 'even':
      return index % 2 === 1;
    case 'bad':
      return isBad;
  }
};

/**
 * The file to correct as a clerk corrects it: its own cells, including the columns that the download added. Rows that the
 * merchant knows are paid by other files are removed.
 *
 * @throws Error for a line that the original does not have
 */
export const writeCorrection = (task: CorrectionTask, downloaded: string): Pick<MeantBatch, 'csv' | 'rows'> => {
  const { key, how, originals, isPaidElsewhere, mistakable } = task;
  const lines = linesToCorrect.parse(parse(downloaded, { columns: true, bom: true }));
  const [first = {}] = lines;
  const known = lines.map((cells, index) => {
    // A refused file returns all its rows; the good ones have no line number.
    const at = cells['line'] === '' ? index + 1 : Number(cells['line']) - 1;
    const original = originals.find(({ row }) => row === at);
    if (original === undefined) throw new Error(`the file to correct has line ${cells['line']}`);
    return { cells, original };
  });
  const taken = known
    .filter(({ cells }, index) => isOfPart(how.part, index, cells['error'] !== ''))
    .filter(({ original: { debt, row } }) => !isPaidElsewhere(debt, row));
  // Corrections are only counted: a row corrected in two ways is noticed once they exceed the skipped rows.
  const isElsewhere = how.isElsewhere && known.every((one) => one.cells['error'] === '' || taken.includes(one));
  const fresh = ({ row, reference }: MeantRow): string =>
    'reference' in first && reference !== '' ? `${key.replaceAll(/[^a-z0-9]+/g, '-')}-${row}` : '';
  const written = (cells: CorrectedLine['cells'], row: MeantRow): CorrectedLine => {
    const corrected = {
      ...noRecipient,
      ...cellsOf(row.destination),
      amount: amountText(row.amount),
      currency: row.currency,
      reference: row.reference,
    };
    const own = Object.entries(corrected).filter(([name]) => name in first);
    return { cells: { ...cells, ...Object.fromEntries(own) }, row };
  };
  const correct = (cells: CorrectedLine['cells'], { isFlawed = false, ...original }: MeantRow): CorrectedLine => {
    const { debt, reference } = original;
    if (!isFlawed && cells['error'] === '') return { cells, row: original };
    if (isFlawed && isElsewhere && debt !== undefined)
      return written(cells, { ...original, destination: elsewhereOf(debt), reference: fresh(original) });
    // A row skipped without a flaw fails for its reference: another batch has taken it.
    const isTaken = !isFlawed || /\s/.test(reference);
    return written(cells, isTaken ? { ...original, reference: fresh(original) } : original);
  };
  const left = how.leavesOne ? taken.findIndex(({ original }) => original.isFlawed) : -1;
  const corrected = taken.map(({ cells, original }, index) =>
    index === left ? { cells, row: original } : correct(cells, original),
  );
  const [slipped] =
    how.slip === undefined || corrected.length === 0
      ? []
      : mistakable.filter(({ row }) => known.every(({ original }) => original.row !== row));
  const kept = slipped !== undefined && how.slip === 'instead' ? corrected.slice(0, -1) : corrected;
  const blank = Object.fromEntries(Object.keys(first).map((name) => [name, '']));
  const slips = slipped === undefined ? [] : [written(blank, { ...slipped, reference: fresh(slipped) })];
  const all = [...kept, ...slips];
  const csv = stringify(
    all.map(({ cells }) => cells),
    { header: true, columns: Object.keys(first) },
  );
  return { csv: all.length === 0 ? '' : csv, rows: all.map(({ row }, index) => ({ ...row, row: index + 1 })) };
};
