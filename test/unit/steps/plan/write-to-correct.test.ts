import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { orchestratorSettings } from '../../../../functions/domain/settings.ts';
import { writeToCorrect } from '../../../../functions/steps/plan/write-to-correct.ts';

const errors = 'row,reference,column,code,message,currency,amount,extras\n2,b,amount,amount_zero,It is zero.,IDR,0,\n';
const repeated = (count: number, row: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => row(index)).join('');
const rows = 20_000;
/** 200 KB or more, well beyond a head. */
const kinds = {
  csv: `reference,amount,currency,recipientId\n${repeated(rows, (index) => `r${index},0,IDR,rec\n`)}`,
  lines: repeated(rows, (index) => `{"reference":"r${index}","amount":"0"}\n`),
  array: `[${repeated(rows, (index) => `{"reference":"r${index}","amount":"0"},`)}{}]`,
  pain: `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">${repeated(rows, () => '<CdtTrfTxInf/>')}</Document>`,
};

/** Writes it, and returns how much of the upload was read at each opening. */
const write = async (content: string | Buffer) => {
  const bytes = Buffer.from(content);
  const opened: { read: number }[] = [];
  const written: string[] = [];
  const openUpload = async () => {
    const one = { read: 0 };
    opened.push(one);
    const blocks = function* () {
      for (let from = 0; from < bytes.length; from += 4096) {
        const block = bytes.subarray(from, from + 4096);
        one.read += block.length;
        yield block;
      }
    };
    return Readable.from(blocks(), { objectMode: false, highWaterMark: 4096 });
  };
  const key = await writeToCorrect(
    {
      files: { openUpload, readList: () => Readable.from([Buffer.from(errors)]) },
      planFiles: {
        putToCorrect: async (name, stream) => {
          written.push((await buffer(stream)).toString());
          return name;
        },
      },
      settings: orchestratorSettings().parse({}),
    },
    { key: 'incoming/a', versionId: 'v', bytes: bytes.length },
    { key: 'errors.csv', sha256: 'h' },
    true,
  );
  return { key, written, shares: opened.map(({ read }) => read / bytes.length) };
};

describe('a file to correct', () => {
  it('is read twice for CSV: for its encoding, then to write it', async () => {
    const { key, written, shares } = await write(kinds.csv);
    expect([key, shares]).toEqual(['to-correct.csv', [1, 1]]);
    expect(written[0]?.split('\n').slice(0, 3)).toEqual([
      '\ufeffreference,amount,currency,recipientId,error,line',
      'r0,0,IDR,rec,,',
      'r1,0,IDR,rec,amount: It is zero.,3',
    ]);
  });

  it.each([
    ['JSON Lines', kinds.lines],
    ['a JSON array', kinds.array],
    ['pain.001', kinds.pain],
    ['packed JSON Lines', gzipSync(kinds.lines, { level: 0 })],
  ])('is not returned, and read only at its head, when it is %s', async (_, content) => {
    const { key, written, shares } = await write(content);
    expect([key, written]).toEqual([undefined, []]);
    expect(shares.every((share) => share < 0.5)).toBe(true);
  });
});
