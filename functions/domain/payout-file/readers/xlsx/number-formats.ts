import { readPart } from './part-xml.ts';
import type { ZipParts } from './zip-parts.ts';

/** How a number is displayed. Undefined when it is shown as its plain decimal. */
export type Shown = 'date' | 'percent' | 'scaled' | undefined;

const maxBytes = 32 * 1024 * 1024;

/** Formats built into every workbook: ECMA-376, part 1, 18.8.30. 27 to 36 and 50 to 58 are East Asian dates. */
const builtIn = (id: number): Shown => {
  const isDate = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
  if (isDate) return 'date';
  return id === 9 || id === 10 ? 'percent' : undefined;
};

/** A format's code without literal text, colors and conditions. */
const meaningOf = (code: string): string => code.replaceAll(/"[^"]*"|\\.|[_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '');

const shownBy = (code: string): Shown => {
  const meaning = meaningOf(code);
  if (/[dmyhs]/i.test(meaning)) return 'date';
  if (meaning.includes('%')) return 'percent';
  // A comma after the last digit divides by a thousand.
  return /[0#?],+(?![0#?,])/.test(meaning) ? 'scaled' : undefined;
};

/** How numbers are displayed, by a cell's style. A workbook without this part displays them plainly. */
export const readNumberFormats = async (zip: ZipParts, part: string | undefined): Promise<readonly Shown[]> => {
  const own = new Map<number, Shown>();
  const styles: Shown[] = [];
  let isCellStyle = false;
  if (part === undefined) return styles;
  await readPart(zip.read(part, maxBytes), {
    open: (name, attributes) => {
      if (name === 'cellXfs') isCellStyle = true;
      if (name === 'numFmt') own.set(Number(attributes['numFmtId']), shownBy(attributes['formatCode'] ?? ''));
      if (name !== 'xf' || !isCellStyle) return;
      const id = Number(attributes['numFmtId'] ?? 0);
      styles.push(own.has(id) ? own.get(id) : builtIn(id));
    },
    close: (name) => {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  return styles;
};
