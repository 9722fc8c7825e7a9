import { strToU8, zipSync } from 'fflate';
import { ownReferenceLimit } from '../../retries.ts';
import { fieldLimits, payoutFields } from '../fields.ts';
import { fieldHelp } from './field-help.ts';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Cell styles by their place in styles.xml: 49 is Excel's own format for text. */
const style = { plain: 0, text: 1, heading: 2 } as const;
const xf = (format: number, font: number): string =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
const styles = [
  `<styleSheet xmlns="${main}">`,
  `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>`,
  // Excel takes the first two fills for its own.
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="3">${xf(0, 0)}${xf(49, 0)}${xf(49, 1)}</cellXfs>`,
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  '</styleSheet>',
].join('');

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const rowXml = (texts: readonly string[], of: number): string =>
  `<row>${texts.map((text) => `<c s="${of}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`).join('')}</row>`;

interface Column {
  readonly width: number;
  readonly style: number;
}

const columnXml = ({ width, style: of }: Column, index: number): string =>
  `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${of}" customWidth="1"/>`;

/** A sheet whose first row stays in sight. */
const sheetXml = (columns: readonly Column[], rows: readonly string[]): string =>
  `<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.map(columnXml).join('')}</cols><sheetData>${rows.join('')}</sheetData></worksheet>`;

/**
 * Every column is text, so that what is typed stays as it is, zeros in front too. An amount is a number: then a spreadsheet takes
 * a comma where its country writes one.
 */
const payouts = sheetXml(
  payoutFields.map((field) => ({ width: 18, style: field === 'amount' ? style.plain : style.text })),
  [rowXml(payoutFields, style.heading)],
);

const help = sheetXml(
  [16, 16, 12, 70, 40].map((width) => ({ width, style: style.text })),
  [
    rowXml(['column', 'needed', 'characters', 'what', 'example'], style.heading),
    ...payoutFields.map((field) => {
      const { needed, what, example } = fieldHelp[field];
      return rowXml(
        [field, needed, `up to ${field === 'reference' ? ownReferenceLimit : fieldLimits[field]}`, what, example],
        style.text,
      );
    }),
    rowXml(
      ['x-…', 'no', 'up to 64', 'Your own columns, such as x-department. The results have them too', 'Sales'],
      style.text,
    ),
  ],
);

const relationships = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="${packages}/relationships">${targets
    .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const contentTypes = [
  ['workbook', 'sheet.main'],
  ['worksheets/sheet1', 'worksheet'],
  ['worksheets/sheet2', 'worksheet'],
  ['styles', 'styles'],
]
  .map(([part, type]) => `<Override PartName="/xl/${part}.xml" ContentType="${types}.${type}+xml"/>`)
  .join('');

const parts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${contentTypes}</Types>`,
  '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Payouts" sheetId="1" r:id="rId1"/><sheet name="Help" sheetId="2" r:id="rId2"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relationships([
    ['worksheet', 'worksheets/sheet1.xml'],
    ['worksheet', 'worksheets/sheet2.xml'],
    ['styles', 'styles.xml'],
  ]),
  'xl/worksheets/sheet1.xml': payouts,
  'xl/worksheets/sheet2.xml': help,
  'xl/styles.xml': styles,
};

/** Zips have times of their own; this one is always the same. */
const mtime = '2026-01-01T00:00:00Z';

/** A workbook to fill in: a sheet with the header and no row, and one that explains the columns. */
export const templateWorkbook = (): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(head + xml)])), { mtime }),
  );
