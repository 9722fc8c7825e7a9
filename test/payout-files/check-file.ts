import type { DrawnFile } from './draw-file.ts';
import { drawFile } from './draw-file.ts';
import { inMemory } from './in-memory.ts';
import type { InvalidRows } from './judge.ts';
import { judge } from './judge.ts';
import { allOffers } from './offers.ts';

/** Few enough that a file may have more. */
const mostRows = 60;

export const fileOf = (seed: number): DrawnFile =>
  drawFile(seed, { offers: allOffers, mostRows, isSandbox: false, salt: '' });

/** Previews a file and then has it paid, on an orchestrator of its own. Answers what is wrong, a line each. */
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
