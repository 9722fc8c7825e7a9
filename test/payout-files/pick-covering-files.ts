import type { DrawnFile } from './draw-file.ts';

/** The document's codes that a file shows: those of its rows, or those of the break that hides them. */
const codesOf = ({ rows, broken }: DrawnFile): readonly string[] =>
  broken === undefined ? rows.flatMap(({ fault }) => fault?.code ?? []) : [broken.codes.join(' or ')];

/** A few of these files that together show every code of all of them, the richest first. */
export const covering = (files: readonly DrawnFile[]): readonly DrawnFile[] => {
  const missing = new Set(files.flatMap(codesOf));
  const shows = (file: DrawnFile): number => new Set(codesOf(file)).intersection(missing).size;
  const chosen: DrawnFile[] = [];
  while (missing.size > 0) {
    const [richest] = files.toSorted((one, other) => shows(other) - shows(one));
    if (richest === undefined) break;
    chosen.push(richest);
    for (const code of codesOf(richest)) missing.delete(code);
  }
  return chosen;
};
