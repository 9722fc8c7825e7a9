import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { OrchestratorSettings } from '../../settings.ts';
import type { FileRefused } from '../fields.ts';
import { refuseFile } from '../fields.ts';

/** Reads the first bytes, until there are enough or the file ends. */
export const takeHead = async (bytes: AsyncGenerator<Buffer>, isEnough: (head: Buffer) => boolean): Promise<Buffer> => {
  let head: Buffer = Buffer.alloc(0);
  for (let next = await bytes.next(); next.done !== true; next = await bytes.next()) {
    head = Buffer.concat([head, next.value]);
    if (isEnough(head)) break;
  }
  return head;
};

export async function* followedBy(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

/** Decodes a text part by part, and its end without a part. Undefined when the bytes are not UTF-8. */
export const utf8Decoder = () => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (bytes?: Buffer): string | undefined => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      return undefined;
    }
  };
};

/**
 * Payout files compress to a fifth or a tenth of their size, extreme ones to a fiftieth. One repeated byte compresses
 * to a thousandth at best. Beyond 250 to 1 a file is not a payout file. Checked only from 64 MiB unpacked, where it
 * matters.
 */
const ratioLimit = 250;
const ratioAskedFrom = 64 * 1024 * 1024;

export type FileSizeLimits = Pick<OrchestratorSettings, 'maxFileBytes' | 'maxUnpackedBytes'>;

/** The bytes of a stream. `see` gets the count so far, and throws when there are too many. */
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

const damaged = (): FileRefused =>
  refuseFile('gzip_damaged', 'The gzip file is damaged and cannot be unpacked. Pack it again, or upload it plain.');

/** The bytes of a payout file, unpacked when the first bytes show gzip. Errors of the source are passed on. */
export async function* unpackedBytes(source: Readable, limits: FileSizeLimits): AsyncGenerator<Buffer> {
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
  const gunzip = createGunzip({ chunkSize: 65_536 });
  // The pipeline passes errors of either side to the reader of `gunzip`, so its own callback has nothing to do.
  const unpacked = pipeline(whole, gunzip, () => undefined);
  try {
    yield* counted(unpacked, (bytes) => {
      if (bytes > limits.maxUnpackedBytes)
        throw refuseFile('gzip_bomb', `The gzip file unpacks to more than ${limits.maxUnpackedBytes} bytes.`);
      if (bytes > ratioAskedFrom && bytes > packed * ratioLimit)
        throw refuseFile('gzip_bomb', `The gzip file unpacks to more than ${ratioLimit} times its size.`);
    });
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw error.code === 'Z_BUF_ERROR'
      ? refuseFile(
          'gzip_truncated',
          'The gzip file ends too early: it was cut off, or not uploaded whole. Upload it again.',
        )
      : damaged();
  }
  // After a zero byte between two packed parts, zlib ignores the rest: rows would be missing without an error.
  if (gunzip.bytesWritten < packed) throw damaged();
}
