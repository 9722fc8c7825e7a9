import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileRefused } from '../../../../../functions/domain/payout-file/fields.ts';
import { maxWorkbookRows, readXlsx } from '../../../../../functions/domain/payout-file/readers/read-xlsx.ts';
import { drawsAll, runs } from '../../../../support/fast-loop.ts';
import type { Cell, WorkbookOptions } from '../../../../support/workbook.ts';
import { number, workbook } from '../../../../support/workbook.ts';
import { payoutsOf, planBytes } from '../plan-bytes.ts';

const header = ['reference', 'amount', 'currency', 'recipientId', 'note'];
const good = ['A-1', '50000', 'IDR', 'rec_1', 'salary'];
const payouts = (amount: Cell, note: Cell = undefined): (readonly Cell[])[] => [
  header,
  ['A-1', amount, 'IDR', 'rec_1', note],
];

describe('a workbook', () => {
  const rows = [header, good, ['A-2', number('75000.5'), 'idr', 'rec_2', undefined]];
  const expected = [
    { row: 1, reference: 'A-1', amount: '50000', currency: 'IDR', recipient: { recipientId: 'rec_1' }, note: 'salary' },
    { row: 2, reference: 'A-2', amount: '75000.5', currency: 'IDR', recipient: { recipientId: 'rec_2' } },
  ];
  const sharedParts = (xml: string): WorkbookOptions => ({
    isShared: true,
    parts: { 'xl/sharedStrings.xml': xml },
  });
  const withoutPlaces = (xml: string) => xml.replaceAll(/ r="[A-Z]*\d+"/g, '');

  it.each<[string, Buffer]>([
    ['with its texts in the cells', workbook(rows)],
    ['with its texts in a part of their own', workbook(rows, { isShared: true })],
    ['with blank rows before, between and after', workbook([[], [''], header, good, [], [' '], ...rows.slice(2), []])],
    [
      'with columns headed in words',
      workbook([['Reference', 'AMOUNT', 'Currency', 'Recipient ID', 'Note'], ...rows.slice(1)]),
    ],
    [
      'without the places of rows and cells',
      workbook([header, good, rows[2]?.slice(0, 4) ?? []], { sheet: withoutPlaces }),
    ],
    [
      'with prefixes',
      workbook(rows, { sheet: (xml) => xml.replaceAll(/<(\/?)(?=[a-z])/g, '<$1x:').replace('xmlns=', 'xmlns:x=') }),
    ],
    [
      'without styles and shared strings',
      workbook(rows, {
        parts: {
          'xl/styles.xml': undefined,
          'xl/sharedStrings.xml': undefined,
          'xl/_rels/workbook.xml.rels':
            '<Relationships><Relationship Id="rId1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet" Target="/xl/worksheets/sheet1.xml"/></Relationships>',
        },
      }),
    ],
    [
      'with macros, pictures and another sheet',
      workbook(rows, {
        parts: { 'xl/vbaProject.bin': 'macro', 'xl/media/a.png': 'x', 'xl/worksheets/sheet2.xml': '<broken' },
      }),
    ],
    [
      'with merged cells and a filter',
      workbook(rows, {
        sheet: (xml) =>
          xml.replace(
            '</sheetData>',
            '</sheetData><autoFilter ref="A1:E3"/><mergeCells><mergeCell ref="A9:B9"/></mergeCells>',
          ),
      }),
    ],
  ])('is read %s', async (_, file) => {
    for (const blockBytes of [65_536, 100]) {
      const result = await planBytes(file, { blockBytes });
      expect(result.errors).toEqual([]);
      expect(payoutsOf(result)).toMatchObject(expected);
      expect(result.planned.isWorkbook).toBe(true);
    }
  });

  it('joins rich text, omits phonetic hints, and reads escaped characters', async () => {
    const item = (xml: string) => `<si>${xml}</si>`;
    const rich =
      '<r><rPr><b/></rPr><t>two</t></r><r><t xml:space="preserve"> runs_x000D_&#10;of _x005F_x</t></r><rPh sb="0" eb="1"><t>no</t></rPh><phoneticPr/>';
    const texts = [...header, ...good.slice(0, 4)].map((text) => item(`<t>${text}</t>`)).join('');
    const file = workbook([header, good], sharedParts(`<sst>${texts}${item(rich)}</sst>`));
    expect(payoutsOf(await planBytes(file))).toMatchObject([{ note: 'two runs of _x' }]);
  });

  it('has its rows reported by the spreadsheet’s numbers', async () => {
    const { errors } = await planBytes(workbook([[], header, [], good, ['A-2', '-1', 'IDR', 'rec_2']]));
    expect(errors).toMatchObject([{ row: 2, line: 5, column: 'amount', code: 'amount_negative' }]);
  });

  it('keeps columns that begin with x-, including numbers, and refuses a date in one', async () => {
    const own = [...header, 'x-cost center', 'X-Day'];
    const day = number('45000', 1);
    const file = workbook([own, [...good, number('4711'), 'Monday'], ['A-2', ...good.slice(1), 'none', day]], {
      formats: ['yyyy'],
    });
    const result = await planBytes(file, { invalidRows: 'skip' });
    expect(payoutsOf(result)).toMatchObject([{ row: 1, extras: { 'x-cost center': '4711', 'X-Day': 'Monday' } }]);
    expect(result.errors).toMatchObject([{ row: 2, column: 'X-Day', code: 'cell_is_date' }]);
  });

  it('removes the reports’ guard against formulas', async () => {
    expect(payoutsOf(await planBytes(workbook(payouts('50000', "'=1+1"))))).toMatchObject([{ note: '=1+1' }]);
  });
});

/** The number of rows read, and the code that ended the reading. Rethrows everything except a refusal. */
const readRows = async (file: Buffer): Promise<readonly [rows: number, code: string | undefined]> => {
  let count = 0;
  const blocks = (async function* () {
    yield file;
  })();
  try {
    for await (const rows of readXlsx(blocks)) count += rows.length;
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return [count, error.errors[0]?.code];
  }
  return [count, undefined];
};

describe('anything sent as a workbook', () => {
  const whole = workbook([header, good, good], { isShared: true });

  it('is read or refused, and nothing else', async () => {
    const spliced = fc
      .tuple(fc.nat(whole.length), fc.nat(whole.length), fc.uint8Array({ maxLength: 40 }))
      .map(([from, to, inside]) => Buffer.concat([whole.subarray(0, from), inside, whole.subarray(to)]));
    const anything = fc
      .uint8Array({ maxLength: 400 })
      .map((bytes) => Buffer.concat([Buffer.from('PK\x03\x04'), bytes]));
    const codes = new Set<string | undefined>();
    await fc.assert(
      fc.asyncProperty(fc.oneof(spliced, anything), async (file) => {
        const [, code] = await readRows(file);
        codes.add(code);
      }),
      { numRuns: runs(1500) },
    );
    expect(codes).toContain('workbook_damaged');
  });

  it('is read or refused with any XML in its parts', async () => {
    const cell = fc.constantFrom(
      '<c><v>1</v></c>',
      '<c r="A2"><v>1</v></c>',
      '<c t="s"><v>0</v></c>',
      '<c t="b" s="9"><v>1</v></c>',
      '<c t="inlineStr"><is><t>x</t></is></c>',
      '<c><f/><v><![CDATA[7]]></v></c>',
    );
    const row = fc.array(cell, { maxLength: 4 }).map((cells) => `<row>${cells.join('')}</row>`);
    const item = fc.constantFrom('<si><t>x</t></si>', '<si><r><t>x</t></r><rPh><t>y</t></rPh></si>');
    const tags =
      '<row>|<row r="2">|</row>|<c>|</c>|<v>|</v>|<is>|<t>|</t>|</is>|<rPh>|</rPh>|<si>|</si>|<x:v/>|<!-- -->';
    const loose = fc.constantFrom(...tags.split('|'), '&lt;', '&#0;', '1', ' ');
    // Most parts are whole, so that many workbooks are read to their end.
    const partOf = (whole: fc.Arbitrary<string>) =>
      fc
        .array(fc.oneof({ weight: 20, arbitrary: whole }, { weight: 1, arbitrary: loose }), { maxLength: 20 })
        .map((pieces) => pieces.join(''));
    const head = ['amount', 'currency', 'recipientId'].map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`);
    const codes = new Set<string | undefined>();
    let rowsRead = 0;
    await fc.assert(
      fc.asyncProperty(partOf(row), partOf(item), async (rows, strings) => {
        const parts = {
          'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row>${head.join('')}</row>${rows}</sheetData></worksheet>`,
          'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
        };
        const [count, code] = await readRows(workbook([], { parts, isStored: true }));
        codes.add(code);
        rowsRead += count;
      }),
      { numRuns: runs(1500) },
    );
    if (drawsAll) {
      expect(codes).toContain('workbook_damaged');
      expect(codes).toContain(undefined);
    }
    expect(rowsRead).toBeGreaterThan(0);
  });

  it.runIf(drawsAll)('has no more payouts than a workbook may have', async () => {
    const xml = (rows: number) => (sheet: string) =>
      sheet.replace('</sheetData>', `${'<row><c><v>50000</v></c></row>'.repeat(rows)}</sheetData>`);
    const ofRows = (rows: number) => workbook([['amount', 'currency', 'recipientId']], { sheet: xml(rows) });
    expect(await readRows(ofRows(maxWorkbookRows))).toEqual([maxWorkbookRows, undefined]);
    expect((await readRows(ofRows(maxWorkbookRows + 1)))[1]).toBe('workbook_too_large');
  });

  it('has no text repeated in so many cells that it exceeds any file’s limit', async () => {
    const file = workbook(
      [
        ['amount', 'currency', 'recipientId'],
        ...Array.from({ length: 9000 }, () => [{ xml: '<c t="s"><v>0</v></c>' }]),
      ],
      {
        parts: { 'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(32_767)}</t></si></sst>` },
      },
    );
    expect((await readRows(file))[1]).toBe('workbook_too_large');
  });
});
