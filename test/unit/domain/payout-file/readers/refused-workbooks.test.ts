import { describe, expect, it } from 'vitest';
import { drawsAll } from '../../../../support/fast-loop.ts';
import { workbook } from '../../../../support/workbook.ts';
import { planBytes } from '../plan-bytes.ts';

const header = ['reference', 'amount', 'currency', 'recipientId', 'note'];
const good = ['A-1', '50000', 'IDR', 'rec_1', 'salary'];

const bytesOf = (text: string) => Buffer.from(text, 'latin1');

/** The zip with another size in the header of one part. */
const withSize = (file: Buffer, part: string, size: number): Buffer => {
  const bytes = Buffer.from(file);
  // In the central directory the name is 46 bytes after the signature, and the size 24.
  const at = bytes.lastIndexOf(part) - 46;
  bytes.writeUInt32LE(size, at + 24);
  return bytes;
};
const sheetPart = 'xl/worksheets/sheet1.xml';
const compound = (name: string) =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(1000),
    Buffer.from(name, 'utf16le'),
    Buffer.alloc(64),
  ]);
const damaged = 'The workbook is damaged. Open it, save it as .xlsx again, and upload that.';
const save = 'Open it, save it as an Excel workbook (.xlsx), and upload that.';
const csv = 'Save the sheet as "CSV UTF-8" and upload that.';
const password = 'The workbook has a password. Save it without one, and upload that.';
const notWorkbook = 'This is a zip archive, not an Excel workbook. Unpack it, and upload the file that is in it.';
const sheetXml = (change: (xml: string) => string) => workbook([header, good], { sheet: change });
const withPart = (name: string, part: string | Uint8Array | undefined) =>
  workbook([header, good], { parts: { [name]: part } });
const whole = workbook([header, good], { isShared: true });
const sheets = (xml: string) => withPart('xl/workbook.xml', `<workbook xmlns:r="r"><sheets>${xml}</sheets></workbook>`);

const badWorkbooks: readonly (readonly [why: string, file: Buffer, code: string, message: string])[] = [
  ['an old workbook', compound('Workbook'), 'workbook_wrong_kind', `This is an old Excel workbook (.xls). ${save}`],
  ['a workbook with a password', compound('EncryptedPackage'), 'workbook_locked', password],
  [
    'a binary workbook',
    withPart('xl/workbook.bin', 'x'),
    'workbook_wrong_kind',
    `This is a binary workbook (.xlsb). ${save}`,
  ],
  [
    'an OpenDocument file',
    workbook([], { parts: { mimetype: 'x', 'content.xml': 'x' } }),
    'workbook_wrong_kind',
    `This is an OpenDocument file, such as .ods. ${save}`,
  ],
  [
    'a document of Numbers',
    withPart('Index/Document.iwa', 'x'),
    'workbook_wrong_kind',
    `This is a document of Numbers. ${save}`,
  ],
  [
    'a document of Word',
    withPart('word/document.xml', 'x'),
    'workbook_wrong_kind',
    `This is a document of Word. ${save}`,
  ],
  ['a presentation', withPart('ppt/presentation.xml', 'x'), 'workbook_wrong_kind', `This is a presentation. ${save}`],
  [
    'a zip of a CSV',
    workbook([], {
      parts: Object.fromEntries([
        ...['[Content_Types].xml', '_rels/.rels'].map((name) => [name, undefined]),
        ['payouts.csv', 'amount'],
      ]),
    }),
    'zip_not_workbook',
    notWorkbook,
  ],
  ['an empty zip', bytesOf(`PK\x05\x06${'\0'.repeat(18)}`), 'zip_not_workbook', notWorkbook],
  ['the first bytes of a zip', bytesOf('PK\x03\x04'), 'workbook_damaged', damaged],
  ['a zip cut off', whole.subarray(0, -30), 'workbook_damaged', damaged],
  [
    'a zip with a password',
    Buffer.from(
      whole.toString('latin1').replaceAll('PK\x01\x02\x14\x00\x14\x00\x00', 'PK\x01\x02\x14\x00\x14\x00\x01'),
      'latin1',
    ),
    'workbook_locked',
    password,
  ],
  ['a part twice', Buffer.from(withPart('xl/STYLES.xml', '<a/>')), 'workbook_damaged', damaged],
  ['no sheet', withPart(sheetPart, undefined), 'workbook_damaged', damaged],
  ['no list of sheets', withPart('xl/_rels/workbook.xml.rels', undefined), 'workbook_damaged', damaged],
  ['an empty list of sheets', sheets(''), 'workbook_damaged', damaged],
  ['a sheet that nothing refers to', sheets('<sheet name="A" r:id="rId9"/>'), 'workbook_damaged', damaged],
  [
    'a chart in front',
    sheets('<sheet name="A" r:id="rId2"/>'),
    'sheet_missing',
    'The first sheet is a chart or a macro. Move the sheet with the payouts to the front.',
  ],
  [
    'a hidden sheet in front',
    sheets('<sheet name="Old 12345" state="hidden" r:id="rId1"/>'),
    'sheet_hidden',
    'The first sheet, "Old ***", is hidden. Show it, or move the sheet with the payouts to the front.',
  ],
  [
    'a sheet that only a macro can show',
    sheets('<sheet name="A" state="veryHidden" r:id="rId1"/>'),
    'sheet_hidden',
    'The first sheet, "A", is hidden. Show it, or move the sheet with the payouts to the front.',
  ],
  [
    'a hidden column',
    sheetXml((xml) => xml.replace('<sheetData>', '<cols><col min="2" max="3" hidden="1"/></cols><sheetData>')),
    'column_hidden',
    'Column B, "amount", is hidden. Show it, or delete it.',
  ],
  [
    'a DTD',
    sheetXml((xml) => xml.replace('<worksheet', '<!DOCTYPE worksheet [<!ENTITY a "50000">]><worksheet')),
    'workbook_damaged',
    damaged,
  ],
  ['an entity of nobody', sheetXml((xml) => xml.replace('salary', '&a;')), 'workbook_damaged', damaged],
  ['another encoding', sheetXml((xml) => xml.replace('UTF-8', 'ISO-8859-1')), 'workbook_damaged', damaged],
  [
    'bytes that are not UTF-8',
    withPart(sheetPart, Buffer.from('<worksheet>\xe9</worksheet>', 'latin1')),
    'workbook_damaged',
    damaged,
  ],
  ['XML that is cut off', sheetXml((xml) => xml.slice(0, -20)), 'workbook_damaged', damaged],
  [
    'elements without end',
    sheetXml((xml) => xml.replace('<sheetData>', '<a>'.repeat(100_000))),
    'workbook_damaged',
    damaged,
  ],
  [
    'a tag without end',
    sheetXml((xml) => xml.replace('<sheetData>', `<a b="${'x'.repeat(2_000_000)}"><sheetData>`)),
    'workbook_damaged',
    damaged,
  ],
  ['a row twice', sheetXml((xml) => xml.replace('<row r="2"', '<row r="1"')), 'workbook_damaged', damaged],
  ['a cell twice', sheetXml((xml) => xml.replace('r="B2"', 'r="A2"')), 'workbook_damaged', damaged],
  ['a cell of another row', sheetXml((xml) => xml.replace('r="B2"', 'r="B3"')), 'workbook_damaged', damaged],
  [
    'a row beyond the last',
    sheetXml((xml) => xml.replaceAll(/(?<=r="[A-Z]?)2"/g, '1048577"')),
    'workbook_damaged',
    damaged,
  ],
  ['a cell beyond the last column', sheetXml((xml) => xml.replace('r="E2"', 'r="XFE2"')), 'workbook_damaged', damaged],
  [
    'a text that is not there',
    workbook([header, good], { isShared: true, sheet: (xml) => xml.replace('<v>9</v>', '<v>10</v>') }),
    'workbook_damaged',
    damaged,
  ],
  [
    'a cell of an unknown kind',
    sheetXml((xml) => xml.replace('t="inlineStr"', 't="toString"')),
    'workbook_damaged',
    damaged,
  ],
  [
    'a cell of more than 32,767 characters',
    workbook([header, [...good.slice(0, 4), 'x'.repeat(32_768)]]),
    'workbook_damaged',
    damaged,
  ],
  [
    'a sheet of no payouts',
    workbook([header]),
    'no_rows',
    'The file has no payouts, only a header or nothing. Write a row below the header for each.',
  ],
  [
    'an empty sheet',
    workbook([]),
    'no_rows',
    'The file has no payouts, only a header or nothing. Write a row below the header for each.',
  ],
  [
    'a part that unpacks to much more',
    withPart(sheetPart, Buffer.alloc(17 * 1024 * 1024, ' ')),
    'zip_bomb',
    `A part of the workbook unpacks to more than 250 times its size. ${csv}`,
  ],
  [
    'a part that says it is huge',
    withSize(whole, sheetPart, 300 * 1024 * 1024),
    'workbook_too_large',
    `A part of the workbook unpacks to more than 268435456 bytes. ${csv}`,
  ],
  ['a part that says it is smaller', withSize(whole, sheetPart, 100), 'workbook_damaged', damaged],
  ['a part that says it is larger', withSize(whole, sheetPart, 100_000), 'workbook_damaged', damaged],
  [
    'too many parts',
    workbook([header], { parts: Object.fromEntries(Array.from({ length: 4096 }, (_, n) => [`a/${n}`, ''])) }),
    'zip_bomb',
    `The workbook has more than 4096 parts. ${csv}`,
  ],
];

describe('an unreadable workbook', () => {
  it.each(badWorkbooks)('is refused for %s', async (_, file, code, message) => {
    for (const invalidRows of ['reject', 'skip'] as const) {
      const { planned, errors } = await planBytes(file, { invalidRows });
      expect(planned.kind).toBe('refused');
      expect(errors.at(-1)).toMatchObject({ row: 0, code, message });
    }
  });

  it('is refused when one bit of its sheet differs', async () => {
    const at = whole.indexOf(sheetPart) + sheetPart.length;
    for (let byte = at; byte < at + 120; byte += drawsAll ? 1 : 8) {
      const bytes = Buffer.from(whole);
      bytes[byte] = (bytes[byte] ?? 0) ^ 4;
      const { planned } = await planBytes(bytes);
      expect(planned.kind).toBe('refused');
    }
  });
});
