import { correctFile } from './correct-file.ts';
import type { DrawnFile } from './draw-file.ts';
import { drawFile } from './draw-file.ts';
import { inMemory } from './in-memory.ts';
import type { InvalidRows } from './judge.ts';
import { judge } from './judge.ts';
import { allOffers } from './offers.ts';

/** Low enough for a file to exceed it. */
const mostRows = 60;

export const fileOf = (seed: number): DrawnFile =>
  drawFile(seed, { offers: allOffers, mostRows, isSandbox: false, salt: '' });

/**
 * Has a file refused, corrects the returned file as its author would, and has that paid. Returns one line per mistake.
 * Undefined when the file cannot be corrected.
 */
export const checkCorrected = async (file: DrawnFile): Promise<readonly string[] | undefined> => {
  if (file.broken !== undefined) return undefined;
  const orchestrator = inMemory(allOffers, mostRows);
  const { toCorrect } = await orchestrator.run(file.bytes, 'preview', 'reject');
  const corrected = toCorrect && correctFile(toCorrect, file);
  if (toCorrect === undefined || corrected === undefined) return undefined;
  const refused = await orchestrator.run(file.bytes, 'disburse', 'reject');
  const uncorrected = await orchestrator.run(toCorrect, 'disburse', 'reject');
  const { status, errors, paid = [] } = await orchestrator.run(corrected, 'disburse', 'reject');
  // A formula never comes back. One without a value becomes an error in its cell.
  const codeOnReturn = (code: string): string => (code === 'formula_without_value' ? 'cell_error' : code);
  const list = (rows: typeof errors): string => rows.map(({ row, code }) => `${row} ${codeOnReturn(code)}`).join(', ');
  const wrong = [
    ...(list(uncorrected.errors) === list(refused.errors) ? [] : [`uncorrected it has ${list(uncorrected.errors)}`]),
    ...(errors.length === 0 ? [] : [`corrected it has ${list(errors)}`]),
    ...(status === 'completed' && paid.length === file.rows.length ? [] : [`${paid.length} rows are paid: ${status}`]),
  ];
  return wrong.map((what) => `seed ${file.seed}, corrected: ${what}`);
};

/** Previews a file and then pays it, on an orchestrator of its own. Returns one line per mistake. */
export const checkFile = async (file: DrawnFile, invalidRows: InvalidRows): Promise<readonly string[]> => {
  const orchestrator = inMemory(allOffers, mostRows);
  const wrong: string[] = [];
  for (const mode of ['preview', 'disburse'] as const) {
    const found = await orchestrator.run(file.bytes, mode, invalidRows).then(
      (outcome) => judge(file, invalidRows, mode, outcome),
      (error: unknown) => [String(error)],
    );
    wrong.push(...found.map((what) => `seed ${file.seed}, ${mode}, ${invalidRows}: ${what}`));
  }
  return wrong;
};
