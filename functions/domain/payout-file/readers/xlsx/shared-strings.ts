import { readPart } from './part-xml.ts';
import { damaged, tooLarge } from './refusals.ts';
import type { ZipParts } from './zip-parts.ts';

/** Enough for a hundred thousand rows of a dozen long texts, all different. They are in memory together. */
const maxBytes = 64 * 1024 * 1024;
const maxStrings = 1_200_000;

/** The most characters that a spreadsheet puts into a cell. */
const maxCellLength = 32_767;

/** Decodes `_x000D_` escapes: characters that XML forbids, and a literal `_x`. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9a-fA-F]{4})_/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
    : text;

/** Joins a cell's text from its runs, whatever their fonts. Phonetic guides are left out. */
export const runs = () => {
  let text = '';
  let isRead = false;
  let isPronounced = false;
  return {
    begin: (): void => {
      text = '';
    },
    open: (name: string): void => {
      if (name === 'rPh') isPronounced = true;
      isRead = (name === 't' || name === 'v') && !isPronounced;
    },
    text: (some: string): void => {
      if (isRead) text += some;
      if (text.length > maxCellLength * 7) throw damaged();
    },
    close: (name: string): void => {
      if (name === 'rPh') isPronounced = false;
      isRead = false;
    },
    end: (): string => {
      const cell = unescaped(text);
      if (cell.length > maxCellLength) throw damaged();
      return cell;
    },
  };
};

/** The texts that cells refer to by number. */
export const readSharedStrings = async (zip: ZipParts, part: string | undefined): Promise<readonly string[]> => {
  const strings: string[] = [];
  if (part === undefined) return strings;
  const read = runs();
  await readPart(zip.read(part, maxBytes), {
    open: (name) => {
      if (name === 'si') read.begin();
      read.open(name);
    },
    text: read.text,
    close: (name) => {
      read.close(name);
      if (name !== 'si') return;
      if (strings.length === maxStrings) throw tooLarge(`The workbook has more than ${maxStrings} texts.`);
      strings.push(read.end());
    },
  });
  return strings;
};
