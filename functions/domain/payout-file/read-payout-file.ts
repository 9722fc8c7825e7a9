import type { Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { OrchestratorSettings } from '../settings.ts';
import type { FileRow } from './fields.ts';
import { refuseFile } from './fields.ts';
import { readCsv } from './read-csv.ts';
import { readJsonArray, readJsonLines } from './read-json.ts';

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

/** Takes the first bytes, until there are enough of them or the file ends. */
const takeHead = async (bytes: AsyncGenerator<Buffer>, isEnough: (head: Buffer) => boolean): Promise<Buffer> => {
  let head: Buffer = Buffer.alloc(0);
  for (let next = await bytes.next(); next.done !== true; next = await bytes.next()) {
    head = Buffer.concat([head, next.value]);
    if (isEnough(head)) break;
  }
  return head;
};

async function* followedBy(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

/**
 * Payout files pack to a fifth or a tenth of their size, extreme ones to a fiftieth; zlib's best on one repeated byte
 * is a thousandth. Beyond 250 to 1 it is not a payout file. Asked only of what unpacked to 64 MiB, where it costs.
 */
const ratioLimit = 250;
const ratioAskedFrom = 64 * 1024 * 1024;

type FileSizeLimits = Pick<OrchestratorSettings, 'maxFileBytes' | 'maxUnpackedBytes'>;

/** The bytes of a stream; `see` is told how many they are so far, and refuses too many. */
async function* counted(stream: Readable, see: (bytes: number) => void): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const bytes of stream) {
    if (!Buffer.isBuffer(bytes)) throw new TypeError('a payout file is read as bytes');
    count += bytes.length;
    see(count);
    yield bytes;
  }
}

const isZlibError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');

/** The bytes of a payout file, unpacked when its first bytes say that it is gzip. An outage of the source is passed on. */
async function* unpackedBytes(source: Readable, limits: FileSizeLimits): AsyncGenerator<Buffer> {
  let packed = 0;
  const uploaded = counted(source, (bytes) => {
    packed = bytes;
    if (bytes > limits.maxFileBytes)
      throw refuseFile('file_too_large', `The file is larger than ${limits.maxFileBytes} bytes.`);
  });
  const head = await takeHead(uploaded, ({ length }) => length >= 2);
  const whole = followedBy(head, uploaded);
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* whole;
    return;
  }
  // The pipeline hands an error of either side to the reader of `gunzip`, so its own callback has nothing to add.
  const gunzip = pipeline(whole, createGunzip({ chunkSize: 65_536 }), () => undefined);
  try {
    yield* counted(gunzip, (bytes) => {
      if (bytes > limits.maxUnpackedBytes)
        throw refuseFile('gzip_bomb', `The gzip file unpacks to more than ${limits.maxUnpackedBytes} bytes.`);
      if (bytes > ratioAskedFrom && bytes > packed * ratioLimit)
        throw refuseFile('gzip_bomb', `The gzip file unpacks to more than ${ratioLimit} times its size.`);
    });
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw error.code === 'Z_BUF_ERROR'
      ? refuseFile('gzip_truncated', 'The gzip file ends too early: it was cut off, or not uploaded whole.')
      : refuseFile('gzip_damaged', 'The gzip file is damaged and cannot be unpacked.');
  }
}

async function* hashed(bytes: AsyncGenerator<Buffer>, content: Hash): AsyncGenerator<Buffer> {
  for await (const some of bytes) {
    content.update(some);
    yield some;
  }
}

/**
 * Rows of a payout file, in order, a block at a time. What it is shows in its content, not in its name: gzip by the
 * first two bytes, then `[` is a JSON array, `{` JSON Lines, everything else CSV.
 *
 * `content` is fed the file as it is when unpacked: all of it, once the last row was read. Throws FileRefused when the
 * file cannot be read (on).
 */
export async function* readPayoutFile(
  source: Readable,
  limits: FileSizeLimits,
  content: Hash,
): AsyncGenerator<readonly FileRow[]> {
  const bytes = hashed(unpackedBytes(source, limits), content);
  const start = await takeHead(
    bytes,
    (head) => head.length >= maxHeadBytes || firstLine(head.toString('utf8')) !== undefined,
  );
  const head = start.subarray(0, 3).equals(byteOrderMark) ? start.subarray(3) : start;
  if (isUtf16(head))
    throw refuseFile('invalid_utf8', 'The file is not UTF-8 text. Save it as UTF-8 and upload it again.');
  const text = head.toString('utf8').trimStart();
  if (text === '') throw refuseFile('file_empty', 'The file is empty.');
  const whole = followedBy(head, bytes);
  if (text.startsWith('[')) yield* readJsonArray(whole);
  else if (text.startsWith('{')) yield* readJsonLines(whole);
  else yield* readCsv(whole, firstLine(`${text}\n`) ?? text);
}
