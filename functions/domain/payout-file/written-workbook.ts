import { strToU8 } from 'fflate';

/* Shared by all workbooks written here: the XML of their parts, and the styles of their cells. */

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Id of the custom number format. Ids below 164 are Excel's own. */
const thousands = 164;

/**
 * Cell styles by their position in styles.xml, with Excel's format ids (49 is text). Each appears a second time, for
 * bad rows.
 */
const formats = [
  ['plain', 0],
  ['text', 49],
  ['heading', 49],
  ['date', 14],
  ['dateAndTime', 22],
  ['percent', 10],
  ['scaled', thousands],
] as const;
type CellStyle = (typeof formats)[number][0];

/**
 * The index of a style in styles.xml.
 *
 * @param isBad true for cells of a row with an error
 */
export const styleOf = (style: CellStyle, isBad = false): number =>
  formats.findIndex(([name]) => name === style) + (isBad ? formats.length : 0);

const xf = (format: number, font: number, fill: number): string =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>`;
const looks = (fill: number): string =>
  formats.map(([style, format]) => xf(format, style === 'heading' ? 1 : 0, fill)).join('');
const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
/** Excel reserves the first two fills. */
const fills = [
  '<patternFill patternType="none"/>',
  '<patternFill patternType="gray125"/>',
  '<patternFill patternType="solid"><fgColor rgb="FFFFD9D9"/><bgColor indexed="64"/></patternFill>',
];
const styles = [
  `<styleSheet xmlns="${main}">`,
  `<numFmts count="1"><numFmt numFmtId="${thousands}" formatCode="#,##0,"/></numFmts>`,
  `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>`,
  `<fills count="${fills.length}">${fills.map((fill) => `<fill>${fill}</fill>`).join('')}</fills>`,
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="${2 * formats.length}">${looks(0)}${looks(2)}</cellXfs>`,
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  '</styleSheet>',
].join('');

/** Characters to write as `_x000D_`: those that XML forbids or changes, and text that would be read as such an escape. */
const unwritable = /(?![\t\n])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}|_(?=x[0-9a-fA-F]{4}_)/gu;

const escaped = (text: string): string =>
  text
    .replaceAll(unwritable, (unit) => `_x${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/**
 * A text cell. Spreadsheets never read it as a formula, whatever it begins with.
 *
 * @param place such as `r="A1" `
 */
export const textCell = (text: string, style: number, place = ''): string =>
  `<c ${place}s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

/**
 * A row of texts, from the first column on.
 *
 * @param styleAt style of a cell, by column
 */
export const textRow = (texts: readonly string[], styleAt: (column: number) => number): string =>
  `<row>${texts.map((text, at) => textCell(text, styleAt(at))).join('')}</row>`;

/**
 * A cell with a number, or with the type that the attribute `t` gives.
 *
 * @param attributes such as `r="A1" t="b" `
 */
export const valueCell = (value: string, style: number, attributes = ''): string =>
  `<c ${attributes}s="${style}"><v>${value}</v></c>`;

/** Width of a column, and the style of its empty cells. */
export interface WrittenColumn {
  readonly width: number;
  readonly style: number;
}

const columnXml = ({ width, style }: WrittenColumn, index: number): string =>
  `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${style}" customWidth="1"/>`;

const frozen = (rows: number): string =>
  `<pane ySplit="${rows}" topLeftCell="A${rows + 1}" activePane="bottomLeft" state="frozen"/>`;

/**
 * XML in front of a sheet's rows.
 *
 * @param rowsInSight number of first rows that stay visible when scrolling
 */
export const beginSheet = (columns: readonly WrittenColumn[], rowsInSight: number): string =>
  `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${rowsInSight === 0 ? '' : frozen(rowsInSight)}</sheetView></sheetViews><cols>${columns.map(columnXml).join('')}</cols><sheetData>`;

export const endSheet = '</sheetData></worksheet>';

const relationships = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="${packages}/relationships">${targets
    .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

/** Name of a sheet's part, by number from 1. */
export const sheetPart = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/**
 * All parts of a workbook except its sheets.
 *
 * @param sheets the sheets' names
 * @param isFrom1904 true when dates count from 1904, as on old Macs
 */
export const workbookParts = (sheets: readonly string[], isFrom1904 = false): Readonly<Record<string, Uint8Array>> => {
  const overrides = [
    ['workbook', 'sheet.main'],
    ...sheets.map((_, index) => [`worksheets/sheet${index + 1}`, 'worksheet']),
    ['styles', 'styles'],
  ].map(([part, type]) => `<Override PartName="/xl/${part}.xml" ContentType="${types}.${type}+xml"/>`);
  const named = sheets.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`);
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`,
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}">${isFrom1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...sheets.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`] as const),
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml': styles,
  };
  return Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(head + xml)]));
};

/** Fixed modification time for zip entries, so that the same content makes the same bytes. */
export const zipTime = '2026-01-01T00:00:00Z';
