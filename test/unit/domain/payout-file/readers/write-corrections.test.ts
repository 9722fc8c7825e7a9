import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InvalidRows } from '../../../../../functions/domain/batch.ts';
import { correctPayoutFile } from '../../../../../functions/domain/payout-file/readers/read-payout-file.ts';
import { orchestratorSettings } from '../../../../../functions/domain/settings.ts';
import { payoutsOf, planBytes } from '../plan-bytes.ts';

/** The file that comes back, with `*` for what is wrong with a row; undefined of a kind that does not. */
const correctedOf = async (file: string | Buffer, invalidRows: InvalidRows = 'reject'): Promise<Buffer | undefined> => {
  const { planned, errors } = await planBytes(file, { invalidRows });
  const bad = new Set(errors.map(({ row }) => row));
  const corrections = {
    of: (row: number) => (bad.has(row) ? '*' : undefined),
    withGoodRows: planned.kind === 'refused',
  };
  const bytes = Buffer.from(file);
  const source = Readable.from([bytes.subarray(0, 30), bytes.subarray(30)], { objectMode: false });
  const corrected = await correctPayoutFile(source, orchestratorSettings.parse({}), corrections);
  return corrected && buffer(Readable.from(corrected.content));
};

const header = 'reference,amount,currency,recipientId';

describe('a CSV that comes back', () => {
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
      'with its quotes where they are needed',
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
      'with one guard where it had one',
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
      'with a mark where it was UTF-16',
      Buffer.from(`\ufeff${header}\nA,0,IDR,é\n`, 'utf16le'),
      'reject',
      `\ufeff${header},error,line\nA,0,IDR,é,*,2\n`,
    ],
    ['unpacked', gzipSync(`${header}\nA,0,IDR,r\n`), 'reject', `${header},error,line\nA,0,IDR,r,*,2\n`],
    [
      'with no line of a short row, lest it be as wide as others',
      `${header}\nA,0,IDR\n`,
      'reject',
      `${header},error,line\nA,0,IDR,*\n`,
    ],
    ['with all of a wide row', `${header}\nA,1,000,IDR,r\n`, 'reject', `${header},error,line\nA,1,000,IDR,r,*,2\n`],
  ] as const)('comes back %s', async (_, file, invalidRows, expected) => {
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

  it('is not written of JSON', async () => {
    expect(await correctedOf('[{"amount":"0","currency":"IDR","recipientId":"r"}]')).toBeUndefined();
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

  it('has the same rows good and bad, with the same values, when it is uploaded unmended', async () => {
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
        const corrections = { of: (row: number) => wrong.get(row), withGoodRows: true };
        const source = Readable.from([Buffer.from(file)], { objectMode: false });
        const corrected = await correctPayoutFile(source, orchestratorSettings.parse({}), corrections);
        const after = await planBytes(await buffer(Readable.from(corrected?.content ?? [])), { invalidRows: 'skip' });
        expect(after.errors.map(({ row, code }) => [row, code])).toEqual(
          before.errors.map(({ row, code }) => [row, code]),
        );
        expect(payoutsOf(after)).toEqual(payoutsOf(before));
      }),
      { numRuns: 300 },
    );
  });
});
