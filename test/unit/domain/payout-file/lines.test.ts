import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planBytes } from './plan-bytes.ts';

const header = 'amount,currency,recipientId,note';
const bad = (note = '') => `0,IDR,rec_1,${note}`;

const linesOf = async (file: string, blockBytes?: number): Promise<readonly (number | undefined)[]> =>
  (await planBytes(file, blockBytes === undefined ? {} : { blockBytes })).errors.map(({ line }) => line);

const object = '{"amount":"0","currency":"IDR","recipientId":"rec_1"}';
const over = '{\n  "amount": "0",\n  "currency": "IDR",\n  "recipientId": "rec_1"\n}';

describe('the line of a bad row', () => {
  it.each([
    ['rows follow the header', [header, bad(), bad(), ''].join('\n'), [2, 3]],
    ['line ends are CRLF', [header, bad(), bad(), ''].join('\r\n'), [2, 3]],
    ['line ends are mixed', `${header}\r\n${bad()}\n${bad()}\r\n${bad()}\n`, [2, 3, 4]],
    ['line ends are a lone CR', [header, bad(), '', bad(), ''].join('\r'), [2, 4]],
    ['lone CRs and CRLFs are mixed', `${header}\r${bad()}\r\n\r\n${bad()}\r${bad()}\r`, [2, 4, 5]],
    ['blank lines are between', `\n\n${header}\n\n${bad()}\n ,,\n\n${bad()}\n`, [5, 8]],
    ['a byte order mark comes first', `\ufeff${header}\n${bad()}\n`, [2]],
    ['a quoted cell has line breaks', `${header}\n${bad('"a\nb\r\nc"')}\n${bad()}\n`, [2, 5]],
    ['a quoted cell has lone CRs', `${header}\n${bad('"a\rb"')}\n${bad()}\n`, [2, 4]],
    ['a quoted header has a line break', `"amount\n",currency,recipientId,note\n${bad()}\n`, [3]],
    ['each is a line of JSON', `${object}\n\n${object}\r\n${object}`, [1, 3, 4]],
    ['each is an item of a JSON array', `[\n${object},\n\n${object},${object}\n]\n`, [2, 4, 4]],
    ['an item goes over lines', `\n[${over},\n\n   \n${over}]`, [2, 9]],
  ])('is counted like an editor’s when %s', async (_, file, expected) => {
    expect(await linesOf(file)).toEqual(expected);
    expect(await linesOf(file, 7)).toEqual(expected);
  });

  it('is its first line, whatever comes before it and wherever blocks end', async () => {
    const cell = fc.array(fc.constantFrom('a', '\n', '\r\n', '""', ',', ' '), { maxLength: 5 });
    const row = fc.oneof(
      cell.map((inside) => bad(`"x${inside.join('')}x"`)),
      fc.constant(''),
    );
    const ends = fc.constantFrom('\n', '\r\n');
    const files = fc.array(fc.tuple(row, ends), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 40 }), async (rows, blockBytes) => {
        let text = `${header}\n`;
        const expected: number[] = [];
        for (const [written, end] of rows) {
          if (written !== '') expected.push(text.split('\n').length);
          text += written + end;
        }
        const lines = await linesOf(text, blockBytes);
        expect(lines).toEqual(expected.length === 0 ? [undefined] : expected);
      }),
    );
  });
});

describe('the line at which a file breaks', () => {
  it.each([
    ['an unclosed quote', `${header}\n${bad()}\n50000,IDR,rec_2,"two\nlines",\n1,IDR,"rec_3\n${bad()}\n`, 5],
    ['such a quote after a cell of two lines', `${header}\n1,IDR,"x\ny","open\n${bad()}\n`, 3],
    ['such a quote in a large file', `${header}\n${bad()}\n1,IDR,"rec_3\n${`${bad()}\n`.repeat(9_000)}`, 3],
    ['a quote that another row closes', `${header}\n1,IDR,"rec\n1,IDR,rec_2,x\n1,IDR,"rec_3",x\n`, 2],
    ['a quote within a field', `${header}\n${bad()}\n\n1,IDR,rec"1",\n`, 4],
  ])('is in the message about %s', async (_, file, line) => {
    for (const blockBytes of [65_536, 11]) {
      const { errors } = await planBytes(file, { blockBytes });
      const last = errors.at(-1);
      expect(last).toMatchObject({ code: 'malformed_csv', message: expect.stringMatching(`line ${line}\\b`) });
    }
  });

  it.each([
    ['a row without an end', `${header}\n${bad()}\n${'x'.repeat(100_000)}\n`, 3],
    ['a row that is cut off', `${header}\n${bad()}\n1,I`, 3],
    ['a line of JSON that is cut off', `${object}\n\n{"amo`, 3],
    ['an array that is cut off', `[\n${object},\n{"amo`, 3],
    ['an item that is no JSON', `[\n${object},\n\n{"amo"\n},${object}]`, 4],
  ])('is the line of %s', async (_, file, line) => {
    expect((await linesOf(file)).at(-1)).toBe(line);
  });
});
