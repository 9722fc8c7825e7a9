import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InvalidRows } from '../../../../../functions/domain/batch/batch.ts';
import { payoutFields } from '../../../../../functions/domain/payout-file/fields.ts';
import { correctPayoutFile } from '../../../../../functions/domain/payout-file/readers/read-payout-file.ts';
import { orchestratorSettings } from '../../../../../functions/domain/settings.ts';
import { drawsAll, runs } from '../../../../support/fast-loop.ts';
import { payoutsOf, planBytes } from '../plan-bytes.ts';

/** The returned file with its errors. Undefined when it must be corrected elsewhere. */
const toldOf = async (file: string): Promise<string | undefined> => {
  const { planned, errors } = await planBytes(file);
  if (!planned.isCorrectable) return undefined;
  const messages = new Map(errors.map(({ row, message }) => [row, message]));
  const corrections = { errorOf: (row: number) => messages.get(row), withGoodRows: true, isUtf8: false };
  const source = Readable.from([Buffer.from(file)], { objectMode: false });
  const corrected = await correctPayoutFile(source, orchestratorSettings().parse({}), corrections);
  return corrected && (await buffer(Readable.from(corrected.content))).toString();
};

/** The returned file, with `*` for a row's errors. Undefined for a file that is not returned. */
const correctedOf = async (file: string | Buffer, invalidRows: InvalidRows = 'reject'): Promise<Buffer | undefined> => {
  const { planned, errors } = await planBytes(file, { invalidRows });
  const bad = new Set(errors.map(({ row }) => row));
  const corrections = {
    errorOf: (row: number) => (bad.has(row) ? '*' : undefined),
    withGoodRows: planned.kind === 'refused',
    isUtf8: false,
  };
  const bytes = Buffer.from(file);
  const source = Readable.from([bytes.subarray(0, 30), bytes.subarray(30)], { objectMode: false });
  const corrected = await correctPayoutFile(source, orchestratorSettings().parse({}), corrections);
  return corrected && buffer(Readable.from(corrected.content));
};

const header = 'reference,amount,currency,recipientId';

describe('a returned CSV', () => {
  it.each([
    [
      'whole when it was refused',
      `${header}\nA,0,IDR,r\nB,5e4,IDR,r\nC,50000,IDR,r\n`,
      'reject',
      `${header},error,line\nA,0,IDR,r,*,2\nB,5e4,IDR,r,*,3\nC,50000,IDR,r,,\n`,
    ],
    [
      'with just the skipped rows of another',
      `${header}\nA,0,IDR,r\nB,5e4,IDR,r\nC,50000,IDR,r\n`,
      'skip',
      `${header},error,line\nA,0,IDR,r,*,2\nB,5e4,IDR,r,*,3\n`,
    ],
    [
      'with its own columns, delimiter, line ends and sep= line',
      'sep=;\r\nAmount;Currency;"x-Dept; 1";recipient_id;;\r\n0;IDR;HR;r;;\r\n',
      'reject',
      'sep=;\r\nAmount;Currency;"x-Dept; 1";recipient_id;error;line\r\n0;IDR;HR;r;*;3\r\n',
    ],
    [
      'with quotes only if needed',
      `${header},note\nA,0,IDR,r,"a ""b"", c"\nB,50000,IDR,r,"two\nlines"\n`,
      'reject',
      `${header},note,error,line\nA,0,IDR,r,"a ""b"", c",*,2\nB,50000,IDR,r,"two\nlines",,\n`,
    ],
    [
      'with formulas guarded',
      `${header},note\nA,=1+1,IDR,r,-x\n`,
      'reject',
      `${header},note,error,line\nA,'=1+1,IDR,r,'-x,*,2\n`,
    ],
    [
      'with one guard if it had one',
      `${header},note\nA,0,IDR,r,'=x\n`,
      'reject',
      `${header},note,error,line\nA,0,IDR,r,'=x,*,2\n`,
    ],
    [
      'with new columns in place of those of an earlier one',
      `${header},error,line\nA,0,IDR,r,old,9\nB,50000,IDR,r,,\n`,
      'reject',
      `${header},error,line\nA,0,IDR,r,*,2\nB,50000,IDR,r,,\n`,
    ],
    ['with a byte order mark', `\ufeff${header}\nA,0,IDR,é\n`, 'reject', `\ufeff${header},error,line\nA,0,IDR,é,*,2\n`],
    [
      'with a mark if it was UTF-16',
      Buffer.from(`\ufeff${header}\nA,0,IDR,é\n`, 'utf16le'),
      'reject',
      `\ufeff${header},error,line\nA,0,IDR,é,*,2\n`,
    ],
    ['unpacked', gzipSync(`${header}\nA,0,IDR,r\n`), 'reject', `${header},error,line\nA,0,IDR,r,*,2\n`],
    [
      'with a short row that is as wide as no other',
      `${header}\nA,0,IDR\nB,0\nC\n`,
      'reject',
      `${header},error,line\nA,0,IDR,*,2\nB,0,*\nC,*,4\n`,
    ],
    ['with all of a wide row', `${header}\nA,1,000,IDR,r\n`, 'reject', `${header},error,line\nA,1,000,IDR,r,*,2\n`],
  ] as const)('is returned %s', async (_, file, invalidRows, expected) => {
    const bytes = typeof file === 'string' ? file : Buffer.from(file);
    expect((await correctedOf(bytes, invalidRows))?.toString()).toBe(expected);
  });

  it('keeps bytes that are not UTF-8', async () => {
    const row = Buffer.concat([Buffer.from('0,IDR,rec_1,Jos'), Buffer.from([0xe9, 0x20, 0xa0])]);
    const corrected = await correctedOf(
      Buffer.concat([Buffer.from('amount,currency,recipientId,name\n'), row, Buffer.from('\n')]),
    );
    expect(corrected?.includes(Buffer.concat([row, Buffer.from(',*,2\n')]))).toBe(true);
  });

  it('is not written for JSON', async () => {
    expect(await correctedOf('[{"amount":"0","currency":"IDR","recipientId":"r"}]')).toBeUndefined();
  });
});

describe('a CSV with a wrong header', () => {
  it.each([
    [
      'with a column that is not known',
      'amount;currency;dept;recipientId\n50000;IDR;HR;r\n',
      `amount;currency;dept;recipientId;"error: Column 3, ""dept"", is not known. If it is your own, let its name begin with x-. Otherwise remove it, or name it as one of: ${payoutFields.join(', ')}.";line\n50000;IDR;HR;r;;\n`,
      (file: string) => file.replace(';dept;', ';x-dept;'),
    ],
    [
      'with a column mistyped',
      'ammount,currency,recipientId\n50000,IDR,r\n',
      'ammount,currency,recipientId,"error: Column 1, ""ammount"", is not known. Did you mean amount?",line\n50000,IDR,r,,\n',
      (file: string) => file.replace('ammount,', 'amount,'),
    ],
    [
      'without a column, which is added behind all others',
      'amount,recipientId\n50000,r\n',
      'amount,recipientId,"error: The file has no column ""currency"". Add it to the header.",line\n50000,r,,\n',
      (file: string) => file.replace('line\n', 'line,currency\n').replace(',,\n', ',,,IDR\n'),
    ],
  ] as const)(
    'is returned with instructions in the header, and is paid once corrected: %s',
    async (_, file, expected, mend) => {
      const corrected = (await toldOf(file)) ?? '';
      expect(corrected).toBe(expected);
      expect((await planBytes(corrected)).errors).toEqual((await planBytes(file)).errors);
      expect(payoutsOf(await planBytes(mend(corrected)))).toMatchObject([{ amount: '50000', currency: 'IDR' }]);
    },
  );

  it('is not returned without a header', async () => {
    expect(await toldOf('A-1,50000,IDR,Siti Rahma\n')).toBeUndefined();
  });

  it('keeps the columns’ positions when one follows them', async () => {
    const file = 'amount,recipientId,error,line,currency\n50000,r,old,9,IDR\n0,r,,,IDR\n50000,r,,\n';
    expect((await correctedOf(file))?.toString()).toBe(
      'amount,recipientId,error,line,currency\n50000,r,,,IDR\n0,r,*,3,IDR\n50000,r,,\n',
    );
  });
});

describe('a CSV that is unreadable in the middle', () => {
  const rows = 'A-1,50000,IDR,r\nA-2,60000,IDR,"r\nA-3,70000,IDR,r\n';
  const says = (line: number) => `The quote opened on line ${line} is never closed. Nothing after it can be read.`;
  it.each([
    [
      'an opened quote',
      `${header}\n${rows}`,
      `${header},error,line\nA-1,50000,IDR,r,,\nA-2,60000,IDR,"r,${says(3)},3\nA-3,70000,IDR,r\n`,
    ],
    [
      'an opened quote in its header',
      `${header.replace('currency', '"currency')}\nA-1,50000,IDR,r\n`,
      `${header.replace('currency', '"currency')},error: ${says(1)},line\nA-1,50000,IDR,r\n`,
    ],
    [
      'an opened quote in the third line of a row, and CRLF',
      `${header},note,name\r\nA-1,50000,IDR,r,"a\r\nb\r\n","n\r\nA-2,60000,IDR,r,,\r\n`,
      `${header},note,name,error,line\r\nA-1,50000,IDR,r,"a\r\nb\r\n","n,${says(4)},2\r\nA-2,60000,IDR,r,,\r\n`,
    ],
    [
      'a quote that another row closes',
      `${header}\nA-1,50000,IDR,"r\nA-2,60000,IDR,"r"\n`,
      `${header},error,line\nA-1,50000,IDR,"r,The quoted field that begins on line 2 goes on after its closing quote. Write a quote inside a quoted field twice. Nothing after it can be read.,2\nA-2,60000,IDR,"r"\n`,
    ],
    [
      'a quote inside a field',
      `${header}\nA-1,50000,IDR,r"x\nA-2,60000,IDR,r\n`,
      `${header},error,line\nA-1,50000,IDR,r"x,A field on line 2 has a quote in it but none around it. Put quotes around the field and write the quote in it twice. Nothing after it can be read.,2\nA-2,60000,IDR,r\n`,
    ],
    [
      'a quote inside a field, and the same text in quotes behind it',
      `${header}\nA-1,50000,IDR,A"x\nA-2,60000,IDR,"A""x"\n`,
      `${header},error,line\nA-1,50000,IDR,A"x,A field on line 2 has a quote in it but none around it. Put quotes around the field and write the quote in it twice. Nothing after it can be read.,2\nA-2,60000,IDR,"A""x"\n`,
    ],
    [
      'a quote inside a field, and no line end',
      `${header}\nA-1,50000,IDR,r"x\nA-2,60000,IDR,r`,
      `${header},error,line\nA-1,50000,IDR,r"x,A field on line 2 has a quote in it but none around it. Put quotes around the field and write the quote in it twice. Nothing after it can be read.,2\nA-2,60000,IDR,r,,`,
    ],
  ])('is returned with the error beside the line, and the rest unchanged: %s', async (_, file, expected) => {
    const corrected = (await toldOf(file)) ?? '';
    expect(corrected).toBe(expected);
    const codes = async (of: string) => (await planBytes(of)).errors.map(({ row, line, code }) => [row, line, code]);
    expect(await codes(corrected)).toEqual(await codes(file));
    expect(await toldOf(corrected)).toBe(corrected);
    const repaired = corrected.replace(/"(?=r,|n,|x,|currency)/, '').replace('"r"', 'r');
    expect((await planBytes(repaired)).planned).toMatchObject({ kind: 'planned', rows: file.match(/A-/g)?.length });
  });

  it.each([
    ['was cut off in a quote', `${header}\nA-1,50000,IDR,"r`],
    ['was cut off in a row', `${header}\nA-1,500`],
    ['has a row without an end', `${header}\n${'x'.repeat(100_000)}\n`],
  ])('is not returned when it %s', async (_, file) => {
    expect(await toldOf(file)).toBeUndefined();
  });

  it('has the same errors when it is uploaded unchanged, wherever its quotes are', async () => {
    const cell = fc.constantFrom('r', '"', '"r', 'r"', 'r"r', '"r"', '"r"r', '"a\nb"', '""', '"a"",b"', 'a b');
    const row = fc.tuple(fc.constantFrom('50000', '0'), cell, cell).map((cells) => cells.join(','));
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), ends, async (drawn, end) => {
        const lines = ['amount,recipientId,note,currency', ...drawn.map((line) => `${line},IDR`), '50000,r,,IDR', ''];
        const file = lines.join(end);
        const corrected = await toldOf(file);
        if (corrected === undefined) return;
        const toldBy = async (of: string) => {
          const { planned, errors } = await planBytes(of);
          if (planned.sha256 === undefined) refused++;
          return errors.map(({ row: at, code, message }) => [at, code, message.replaceAll(/\d+/g, '#')]);
        };
        expect(await toldBy(corrected)).toEqual(await toldBy(file));
      }),
      { numRuns: runs(400) },
    );
    if (drawsAll) expect(refused).toBeGreaterThan(200);
  });

  it('is returned whole when it is long', async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `B-${at},50000,IDR,rec_${at}\n`).join('');
    const file = `${header}\n${rows}${many}`;
    expect(await toldOf(file)).toBe(
      `${header},error,line\nA-1,50000,IDR,r,,\nA-2,60000,IDR,"r,${says(3)},3\nA-3,70000,IDR,r\n${many}`,
    );
  });
});

describe('a file to correct', () => {
  const delimiters = fc.constantFrom(',', ';', '\t');
  const notes = fc.array(fc.constantFrom('a', '"', ',', ';', '\n', 'é', '=', "'", ' ', '-', '😀'), { maxLength: 6 });
  const rows = fc.array(
    fc.record({
      amount: fc.constantFrom('50000', '0', '1.250.000', '=1+1'),
      note: notes.map((parts) => parts.join('')),
      width: fc.constantFrom(0, 0, 0, 0, 1, 2, -1, -2),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

  it('is refused or pays the same, wherever its last row is cut', async () => {
    const whole = `${header},error,line\nA-1,50000,IDR,r,,\nA-2,50000,IDR,rec_22,,`;
    const paid = payoutsOf(await planBytes(whole));
    let refused = 0;
    for (let end = whole.indexOf('A-2') + 1; end <= whole.length; end++) {
      const cut = await planBytes(whole.slice(0, end), { invalidRows: 'skip' });
      if (cut.planned.kind === 'refused') refused++;
      else expect([end, payoutsOf(cut)]).toEqual([end, paid]);
    }
    expect(refused).toBe('A-2,50000,IDR,rec_22,'.length);
  });

  it('has the same good and bad rows and values when it is uploaded unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(rows, delimiters, async (drawn, delimiter) => {
        const lines = drawn.map(({ amount, note, width }, index) => {
          const cells = [`R-${index}`, amount, 'IDR', 'rec_1', quoted(note), 'x'];
          const sized = width < 0 ? cells.slice(0, width) : [...cells, ...['y', 'z'].slice(0, width)];
          return sized.join(delimiter);
        });
        const file = `${['reference', 'amount', 'currency', 'recipientId', 'note', 'name'].join(delimiter)}\n${lines.join('\n')}\n`;
        const before = await planBytes(file, { invalidRows: 'skip' });
        const wrong = new Map(before.errors.map(({ row, code }) => [row, code]));
        const corrections = { errorOf: (row: number) => wrong.get(row), withGoodRows: true, isUtf8: false };
        const source = Readable.from([Buffer.from(file)], { objectMode: false });
        const corrected = await correctPayoutFile(source, orchestratorSettings().parse({}), corrections);
        const after = await planBytes(await buffer(Readable.from(corrected?.content ?? [])), { invalidRows: 'skip' });
        expect(after.errors.map(({ row, code }) => [row, code])).toEqual(
          before.errors.map(({ row, code }) => [row, code]),
        );
        expect(payoutsOf(after)).toEqual(payoutsOf(before));
      }),
      { numRuns: runs(300) },
    );
  });
});
