import Papa from 'papaparse';
import type { DrawnFile } from './draw-file.ts';
import { columns } from './good-rows.ts';

const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

/**
 * A file to correct as its author mends it: each damaged row says what was meant, in the columns that the file has. Undefined when
 * one that is needed is not among them.
 */
export const mend = (toCorrect: Buffer, { rows, style }: DrawnFile): string | undefined => {
  const told = toCorrect
    .toString()
    .replace('\ufeff', '')
    .replace(/^sep=.\s+/, '');
  const { data } = Papa.parse<string[]>(told, { delimiter: style.delimiter, skipEmptyLines: true });
  const [header = [], ...lines] = data;
  const names = header.map(plain);
  let isWhole = true;
  const mended = lines.map((cells, index) => {
    const drawn = rows[index];
    if (drawn?.fault === undefined) return cells;
    const meant = Array.from(names, () => '');
    for (const column of columns) {
      const at = names.indexOf(plain(column));
      if (at >= 0) meant[at] = drawn.cells[column] ?? '';
      else isWhole &&= (drawn.cells[column] ?? '') === '';
    }
    return meant;
  });
  const text = Papa.unparse([header, ...mended], { delimiter: style.delimiter, newline: '\n' });
  return isWhole ? `${text}\n` : undefined;
};
