import type { Readable } from 'node:stream';
import type { FileRow } from './fields.ts';
import { refuseFile } from './fields.ts';
import { readCsv } from './read-csv.ts';
import { readJsonArray, readJsonLines } from './read-json.ts';
import type { FileSizeLimits } from './unpacked-bytes.ts';
import { unpackedBytes } from './unpacked-bytes.ts';

/** The header of a payout file has some 120 bytes; one that does not end within this is no header. */
const maxHeadBytes = 65_536;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

const isUtf16 = (head: Buffer): boolean =>
  (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff) || head.subarray(0, 64).includes(0);

/** The first line that is not blank, with its end only when that is a lone CR; undefined until it is complete. */
const firstLine = (head: string): string | undefined => {
  const text = head.trimStart();
  const lineFeed = text.indexOf('\n');
  const carriageReturn = text.indexOf('\r');
  const isLone = carriageReturn >= 0 && carriageReturn + 1 < text.length && text[carriageReturn + 1] !== '\n';
  if (isLone && (lineFeed < 0 || carriageReturn < lineFeed)) return text.slice(0, carriageReturn + 1);
  return lineFeed < 0 ? undefined : text.slice(0, lineFeed).trimEnd();
};

/** The first bytes, up to a whole first line or the file's end, without a byte order mark. */
const readHead = async (bytes: AsyncGenerator<Buffer>): Promise<Buffer> => {
  let head: Buffer = Buffer.alloc(0);
  for (let next = await bytes.next(); next.done !== true; next = await bytes.next()) {
    head = Buffer.concat([head, next.value]);
    if (head.length >= maxHeadBytes || firstLine(head.toString('utf8')) !== undefined) break;
  }
  return head.subarray(0, 3).equals(byteOrderMark) ? head.subarray(3) : head;
};

async function* followedBy(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

/**
 * Rows of a payout file, in order, a block at a time. What it is shows in its content, not in its name: gzip by the
 * first two bytes, then `[` is a JSON array, `{` JSON Lines, everything else CSV.
 *
 * Throws FileRefused when the file cannot be read (on).
 */
export async function* readPayoutFile(source: Readable, limits: FileSizeLimits): AsyncGenerator<readonly FileRow[]> {
  const bytes = unpackedBytes(source, limits);
  const head = await readHead(bytes);
  if (isUtf16(head))
    throw refuseFile('invalid_utf8', 'The file is not UTF-8 text. Save it as UTF-8 and upload it again.');
  const text = head.toString('utf8').trimStart();
  if (text === '') throw refuseFile('file_empty', 'The file is empty.');
  const whole = followedBy(head, bytes);
  if (text.startsWith('[')) yield* readJsonArray(whole);
  else if (text.startsWith('{')) yield* readJsonLines(whole);
  else yield* readCsv(whole, firstLine(`${text}\n`) ?? text);
}
