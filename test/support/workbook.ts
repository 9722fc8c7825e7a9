import type { Zippable } from 'fflate';
import { strToU8, zipSync } from 'fflate';

/** The content of a cell: a text, or XML without the position, such as `<c t="b"><v>1</v></c>`. */
export type Cell = string | { readonly xml: string } | undefined;

export const number = (source: string, style = 0): Cell => ({ xml: `<c s="${style}"><v>${source}</v></c>` });
export const formula = (value: string | undefined, type = 'n'): Cell => ({
  xml: `<c t="${type}"><f>A1*2</f>${value === undefined ? '<v/>' : `<v>${value}</v>`}</c>`,
});

export interface WorkbookOptions {
  /** True when texts are in a shared part, as spreadsheets write them, instead of in the cells. */
  readonly isShared?: boolean;
  /**
   * True when its parts are stored uncompressed, unlike a spreadsheet's. To compress many small workbooks takes half of the time of
   * a property test, mostly for garbage collection.
   */
  readonly isStored?: boolean;
  /** Codes of number formats. Cells select them as styles, from 1. */
  readonly formats?: readonly string[];
  /** Replacements of generated parts by name. Undefined removes a part. */
  readonly parts?: Readonly<Record<string, string | Uint8Array | undefined>>;
  /** Changes to the sheet's XML. */
  readonly sheet?: (xml: string) => string;
  readonly prefix?: string;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A cell that contains its own text. */
export const textCell = (text: string, at: string): string =>
  `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

const letters = (column: number): string =>
  (column < 26 ? '' : letters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationships = (targets: Readonly<Record<string, string>>): string => {
  const each = Object.entries(targets).map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`;
};

/** The parts of a workbook whose first sheet has these rows. */
const partsOf = (rows: readonly (readonly Cell[])[], options: WorkbookOptions): Record<string, string> => {
  const shared: string[] = [];
  const cellXml = (cell: Exclude<Cell, undefined>, at: string): string => {
    if (typeof cell !== 'string') return cell.xml.replace('<c', `<c r="${at}"`);
    if (options.isShared !== true) return textCell(cell, at);
    shared.push(cell);
    return `<c r="${at}" t="s"><v>${shared.length - 1}</v></c>`;
  };
  const rowXml = (cells: readonly Cell[], index: number): string => {
    const inside = cells.map((cell, column) =>
      cell === undefined ? '' : cellXml(cell, `${letters(column)}${index + 1}`),
    );
    return `<row r="${index + 1}">${inside.join('')}</row>`;
  };
  const data = rows.map(rowXml).join('');
  const formats = (options.formats ?? []).map(
    (code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escaped(code)}"/>`,
  );
  const styles = ['<xf numFmtId="0"/>', ...formats.map((_, index) => `<xf numFmtId="${200 + index}"/>`)];
  const sheet = `${head}<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`;
  return {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': relationships({ officeDocument: 'xl/workbook.xml' }),
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Payouts" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      worksheet: 'worksheets/sheet1.xml',
      styles: 'styles.xml',
      sharedStrings: 'sharedStrings.xml',
    }),
    'xl/worksheets/sheet1.xml': (options.sheet ?? ((xml) => xml))(sheet),
    'xl/styles.xml': `${head}<styleSheet xmlns="${main}"><numFmts>${formats.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${head}<sst xmlns="${main}">${shared.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
  };
};

/** A workbook (.xlsx) whose first sheet has these rows. */
export const workbook = (rows: readonly (readonly Cell[])[], options: WorkbookOptions = {}): Buffer => {
  const files: Zippable = {};
  for (const [name, part] of Object.entries({ ...partsOf(rows, options), ...options.parts }))
    if (part !== undefined) files[name] = typeof part === 'string' ? strToU8(part) : part;
  return Buffer.from(zipSync(files, { mtime: '2026-01-05T09:00:00Z', level: options.isStored === true ? 0 : 6 }));
};
