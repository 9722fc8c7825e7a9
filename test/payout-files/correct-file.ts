import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import Papa from 'papaparse';
import { textCell } from '../support/workbook.ts';
import type { DrawnFile, DrawnRow } from './draw-file.ts';
import { columns } from './good-rows.ts';
import { escaped } from './write-workbook.ts';

const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

/** The meant texts of a row in these columns. Undefined when a needed column is not among them. */
const meantIn = (names: readonly string[], { cells }: DrawnRow): readonly string[] | undefined => {
  const meant = Array.from(names, () => '');
  for (const column of columns) {
    const at = names.indexOf(plain(column));
    if (at >= 0) meant[at] = cells[column] ?? '';
    else if ((cells[column] ?? '') !== '') return undefined;
  }
  return meant;
};

/** Each row as returned, or as meant when it was damaged. */
const correctedRows = <Row>(
  came: readonly Row[],
  rows: readonly DrawnRow[],
  names: readonly string[],
  write: (meant: readonly string[], came: Row) => Row,
): readonly Row[] | undefined => {
  const corrected: Row[] = [];
  for (const [index, row] of came.entries()) {
    const drawn = rows[index];
    const meant = drawn?.fault === undefined ? [] : meantIn(names, drawn);
    if (meant === undefined) return undefined;
    corrected.push(drawn?.fault === undefined ? row : write(meant, row));
  }
  return corrected;
};

const correctCsv = (toCorrect: Buffer, { rows, style: { delimiter } }: DrawnFile): Buffer | undefined => {
  const text = toCorrect
    .toString()
    .replace('\ufeff', '')
    .replace(/^sep=.\s+/, '');
  const { data } = Papa.parse<readonly string[]>(text, { delimiter, skipEmptyLines: true });
  const [header = [], ...lines] = data;
  const corrected = correctedRows(lines, rows, header.map(plain), (meant) => meant);
  if (corrected === undefined) return undefined;
  return Buffer.from(
    `${Papa.unparse(
      [header, ...corrected].map((line) => [...line]),
      { delimiter, newline: '\n' },
    )}\n`,
  );
};

const sheetPart = 'xl/worksheets/sheet1.xml';

/** Retypes damaged rows and unhides them. The rest of the workbook stays unchanged. */
const correctWorkbook = (toCorrect: Buffer, { rows }: DrawnFile): Buffer | undefined => {
  const parts = unzipSync(toCorrect);
  const sheet = strFromU8(parts[sheetPart] ?? new Uint8Array());
  const [header = '', ...came] = sheet.match(/<row .*?<\/row>/gs) ?? [];
  const headings = [...header.matchAll(/<c r="([A-Z]+)\d+".*?<t[^>]*>(.*?)<\/t>/gs)];
  const names = headings.map(([, , name = '']) => plain(name));
  const corrected = correctedRows(came, rows, names, (meant, row) => {
    const [, number = ''] = /<row r="(\d+)"/.exec(row) ?? [];
    const cells = headings.map(([, letters = ''], at) => textCell(escaped(meant[at] ?? ''), letters + number));
    return `<row r="${number}">${cells.join('')}</row>`;
  });
  if (corrected === undefined) return undefined;
  const whole =
    sheet.slice(0, sheet.indexOf(header)) + header + corrected.join('') + sheet.slice(sheet.lastIndexOf('</row>') + 6);
  return Buffer.from(zipSync({ ...parts, [sheetPart]: strToU8(whole) }));
};

/**
 * Corrects a returned file as its author would: each damaged row gets its meant texts in the file's columns. Undefined when a
 * needed column is missing.
 */
export const correctFile = (toCorrect: Buffer, file: DrawnFile): Buffer | undefined =>
  (file.style.format === 'xlsx' ? correctWorkbook : correctCsv)(toCorrect, file);
