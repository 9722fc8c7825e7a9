import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { correctPayoutFile } from '../../../../../functions/domain/payout-file/readers/read-payout-file.ts';
import { orchestratorSettings } from '../../../../../functions/domain/settings.ts';
import { runs } from '../../../../support/fast-loop.ts';
import type { Cell, WorkbookOptions } from '../../../../support/workbook.ts';
import { formula, number, workbook } from '../../../../support/workbook.ts';
import { payoutsOf, planBytes } from '../plan-bytes.ts';

const sheetPart = 'xl/worksheets/sheet1.xml';

/** The returned file for these errors by row. 0 is the header. */
const correctedWith = async (
  file: Buffer,
  messages: Readonly<Record<number, string>>,
  withGoodRows = true,
): Promise<Buffer> => {
  const corrections = { errorOf: (row: number) => messages[row], withGoodRows, isUtf8: false };
  const source = Readable.from([file.subarray(0, 50), file.subarray(50)], { objectMode: false });
  const corrected = await correctPayoutFile(source, orchestratorSettings().parse({}), corrections);
  expect(corrected?.name).toBe('to-correct.xlsx');
  return buffer(Readable.from(corrected?.content ?? []));
};

/** The returned file with its own errors, shown by their codes. */
const correctedOf = async (file: Buffer, withGoodRows = true): Promise<Buffer> => {
  const { errors } = await planBytes(file, { invalidRows: 'skip' });
  return correctedWith(file, Object.fromEntries(errors.map(({ row, code }) => [row, code])), withGoodRows);
};

const sheetOf = (file: Buffer): string => strFromU8(unzipSync(file)[sheetPart] ?? new Uint8Array());

/** Its cells by position: type and content. */
const cellsOf = (file: Buffer): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...sheetOf(file).matchAll(/<c r="([A-Z]+\d+)" (?:t="(\w+)" )?s="\d+"(?: t="(\w+)")?>(.*?)<\/c>/g)].map(
      ([, at = '', type = 'n', inline, inside = '']) => [
        at,
        inline === undefined ? `${type}:${inside.replace(/<v>(.*)<\/v>/, '$1')}` : inside.replaceAll(/<[^>]*>/g, ''),
      ],
    ),
  );

const withSheet = (file: Buffer, change: (xml: string) => string): Buffer => {
  const parts = unzipSync(file);
  return Buffer.from(zipSync({ ...parts, [sheetPart]: strToU8(change(sheetOf(file))) }));
};

const header = ['Reference', 'Amount', 'currency', 'bank code', 'bankName', 'accountNumber', 'accountName', 'x-Dept'];
const rowOf = (reference: Cell, amount: Cell, account: Cell, dept: Cell = 'HR'): readonly Cell[] => [
  ...[reference, amount, 'IDR', 'bca', 'BCA', account, 'Siti', dept],
];

describe('a returned workbook', () => {
  const rows = [
    [],
    header,
    rowOf('A-1', number('50000.099999999999'), '0012345678'),
    [],
    rowOf('A-2', '1.250.000', number('12345678'), number('4711')),
    rowOf('A-3', formula('70000'), '0087654321', formula('Sales', 'str')),
  ];

  it('has all rows of a refused file in place, with the errors behind the bad ones', async () => {
    const cells = cellsOf(await correctedWith(workbook(rows, { isShared: true }), { 2: 'two things' }));
    expect(cells).toMatchObject({
      ...{ A2: 'Reference', B2: 'Amount', H2: 'x-Dept', I2: 'error', J2: 'line' },
      ...{ A3: 'A-1', B3: 'n:50000.099999999999', F3: '0012345678' },
      ...{ A5: 'A-2', B5: '1.250.000', F5: 'n:12345678', H5: 'n:4711', I5: 'two things', J5: 'n:5' },
      ...{ A6: 'A-3', B6: 'n:70000', H6: 'Sales' },
    });
    expect(Object.keys(cells)).not.toContain('I3');
  });

  it('has only the skipped rows of another file, one below the other', async () => {
    const cells = cellsOf(await correctedWith(workbook(rows), { 2: 'bad' }, false));
    expect(cells).toMatchObject({ A1: 'Reference', I1: 'error', A2: 'A-2', I2: 'bad', J2: 'n:5' });
    expect(Object.keys(cells).filter((at) => !/[12]$/.test(at))).toEqual([]);
  });

  it('replaces the columns of an earlier correction, wherever they are', async () => {
    const own = [...header.slice(0, 7), 'error: x-Dept is new.', 'line', 'x-Dept'];
    const row = [...rowOf('A-1', '0', '0012345678').slice(0, 7), 'old', number('9'), 'HR'];
    const cells = cellsOf(await correctedWith(workbook([own, row]), { 1: 'new' }));
    expect(cells).toMatchObject({ H1: 'x-Dept', I1: 'error', J1: 'line', H2: 'HR', I2: 'new', J2: 'n:2' });
    expect(Object.keys(cells)).not.toContain('K1');
  });

  it('has the header’s errors in the header, without a column of its own', async () => {
    const file = workbook([
      ['amount', 'currency', 'recipientId', 'dept'],
      ['50000', 'IDR', 'rec_1', 'HR'],
    ]);
    const corrected = await correctedWith(file, { 0: 'dept: Column 4 is not known.' });
    expect(cellsOf(corrected)).toMatchObject({ D1: 'dept', E1: 'error: dept: Column 4 is not known.', F1: 'line' });
    const repaired = withSheet(corrected, (xml) => xml.replace('>dept<', '>x-dept<'));
    expect(payoutsOf(await planBytes(repaired))).toMatchObject([{ amount: '50000', extras: { 'x-dept': 'HR' } }]);
  });

  it('runs nothing, whatever a cell or error begins with', async () => {
    const hostile = [
      '=cmd|calc!A1',
      '+1',
      '-1',
      '@SUM(A1)',
      '</t></is></c><c><f>1+1</f></c>',
      '_x000D_',
      '\u0007',
      '\t=1',
    ];
    const file = workbook([
      header,
      ...hostile.map((text, at) => rowOf(`A-${at}`, '0', 'x', text.replace('\u0007', '_x0007_'))),
    ]);
    const corrected = await correctedWith(file, Object.fromEntries(hostile.map((text, at) => [at + 1, text])));
    const sheet = sheetOf(corrected);
    expect(sheet).not.toMatch(/<f[ >]/);
    expect([...sheet.matchAll(/<c r="I[2-9]" s="(\d+)" t="inlineStr">/g)].map(([, style]) => style)).toEqual(
      hostile.map(() => '8'),
    );
    const again = await correctedWith(corrected, { 1: '' });
    expect(Object.entries(cellsOf(again)).filter(([at]) => at.startsWith('H'))).toEqual(
      Object.entries(cellsOf(corrected)).filter(([at]) => at.startsWith('H')),
    );
  });

  it('keeps a hidden row hidden, so that nobody pays it unseen', async () => {
    const file = workbook([header, rowOf('A-1', '50000', '0012345678')], {
      sheet: (xml) => xml.replace('<row r="2"', '<row r="2" hidden="1"'),
    });
    const { errors } = await planBytes(await correctedOf(file));
    expect(errors).toMatchObject([{ row: 1, code: 'row_hidden' }]);
  });

  it('keeps the years of dates counted from 1904', async () => {
    const workbookXml =
      '<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>';
    const file = workbook([header, rowOf('A-1', '0', 'x')], { parts: { 'xl/workbook.xml': workbookXml } });
    const corrected = unzipSync(await correctedOf(file));
    expect(strFromU8(corrected['xl/workbook.xml'] ?? new Uint8Array())).toContain('date1904="1"');
  });
});

describe('a workbook to correct', () => {
  const formats = ['yyyy-mm-dd', '0%', '#,##0,', '0.00'];
  const options: WorkbookOptions = { formats };
  const texts = fc.constantFrom(
    'a',
    "'=1+1",
    "''=x",
    '=1',
    ' -x ',
    '0012',
    'é😀',
    '_x0041_',
    '1.250.000',
    '50000',
    '\n',
    '&<>"',
  );
  const numbers = fc
    .tuple(
      fc.constantFrom(
        '50000',
        '50000.099999999999',
        '3.3000000000000003',
        '46027',
        '46027.5',
        '-5',
        '1E+5',
        'abc',
        '.5',
      ),
      fc.nat(formats.length),
    )
    .map(([source, style]) => number(source, style));
  const others = fc.constantFrom<Cell>(
    ...[undefined, formula('70000'), formula('text', 'str'), formula(undefined), formula('#N/A', 'e')],
    ...[
      '<c t="b"><v>1</v></c>',
      '<c t="e"><v>#MINE!</v></c>',
      '<c t="d"><v>2026-01-05</v></c>',
      '<c t="d"><v>soon</v></c>',
    ].map((xml) => ({ xml })),
  );
  const cell = fc.oneof({ weight: 4, arbitrary: texts }, { weight: 2, arbitrary: numbers }, others);
  const row = fc.record({
    amount: fc.oneof(fc.constant<Cell>('50000'), cell),
    account: fc.oneof(fc.constant<Cell>('0012345678'), cell),
    dept: cell,
    beside: fc.option(cell, { freq: 8, nil: undefined }),
    isHidden: fc.constantFrom(false, false, false, true),
    isBlankBefore: fc.boolean(),
  });

  it('has the same good and bad rows and values when it is uploaded unchanged', async () => {
    // A cell without a value, or with a value of another kind, is returned as an error.
    const kindOf = (code: string) =>
      [
        'formula_without_value',
        'cell_is_date',
        'cell_error',
        'number_not_text',
        'amount_not_exact',
        'amount_format',
      ].includes(code)
        ? 'cell'
        : code;
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), fc.boolean(), async (drawn, isShared) => {
        const sheet: (readonly Cell[])[] = [header];
        const hidden: number[] = [];
        for (const [index, { amount, account, dept, beside, isHidden, isBlankBefore }] of drawn.entries()) {
          if (isBlankBefore) sheet.push([]);
          sheet.push([...rowOf(`A-${index}`, amount, account, dept), undefined, beside]);
          if (isHidden) hidden.push(sheet.length);
        }
        const file = workbook(sheet, {
          ...options,
          isShared,
          isStored: true,
          sheet: (xml) => hidden.reduce((text, at) => text.replace(`<row r="${at}"`, `<row r="${at}" hidden="1"`), xml),
        });
        const before = await planBytes(file, { invalidRows: 'skip' });
        const after = await planBytes(await correctedOf(file), { invalidRows: 'skip' });
        const toldOf = ({ errors }: typeof before) =>
          errors.map(({ row, line, column, code }) => [row, line, column, kindOf(code)]);
        expect(toldOf(after)).toEqual(toldOf(before));
        expect(payoutsOf(after)).toEqual(payoutsOf(before));
      }),
      { numRuns: runs(150) },
    );
  });

  it('pays the intended rows once its bad cells are retyped', async () => {
    const meant = fc.array(
      fc.record({ account: fc.stringMatching(/^0\d{7,11}$/), amount: fc.integer({ min: 10_000, max: 500_000_000 }) }),
      {
        minLength: 1,
        maxLength: 8,
      },
    );
    await fc.assert(
      fc.asyncProperty(meant, fc.boolean(), async (rows, withGoodRows) => {
        const bad = rows.map((_, index) => index % 2 === 0);
        const sheet = rows.map(({ account, amount }, at) =>
          rowOf(`A-${at}`, `${amount}`, bad[at] === true ? number(String(Number(account))) : account),
        );
        const file = workbook([header, ...sheet], { isStored: true });
        const corrected = await correctedOf(file, withGoodRows);
        const repaired = withSheet(corrected, (xml) =>
          xml.replaceAll(/<c r="(F\d+)" s="8"><v>\d+<\/v><\/c>/g, (_, at) => {
            const [, reference = ''] = new RegExp(`<c r="A${at.slice(1)}"[^>]*>.*?A-(\\d+)<`).exec(xml) ?? [];
            return `<c r="${at}" s="8" t="inlineStr"><is><t>${rows[Number(reference)]?.account}</t></is></c>`;
          }),
        );
        const paid = payoutsOf(await planBytes(repaired));
        const expected = rows
          .map(({ account, amount }, at) => ({ reference: `A-${at}`, amount: `${amount}`, accountNumber: account }))
          .filter((_, at) => withGoodRows || bad[at]);
        expect(paid.map(({ reference, amount, recipient }) => ({ reference, amount, ...recipient }))).toMatchObject(
          expected,
        );
        expect(paid).toHaveLength(expected.length);
      }),
      { numRuns: runs(100) },
    );
  });
});
