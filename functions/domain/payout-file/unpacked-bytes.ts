import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { OrchestratorSettings } from '../settings.ts';
import { refuseFile } from './fields.ts';

export type FileSizeLimits = Pick<OrchestratorSettings, 'maxFileBytes' | 'maxUnpackedBytes'>;

/**
 * Payout files pack to a fifth or a tenth of their size, extreme ones to a fiftieth; zlib's best on one repeated byte
 * is a thousandth. Beyond 250 to 1 it is not a payout file. Asked only of what unpacked to 64 MiB, where it costs.
 */
const ratioLimit = 250;
const ratioAskedFrom = 64 * 1024 * 1024;

const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b;

const asBuffer = (chunk: unknown): Buffer => {
  if (Buffer.isBuffer(chunk)) return chunk;
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  throw new TypeError('a payout file is read as bytes');
};

/** The bytes of the file as uploaded, refused beyond the limit; the first block has at least two bytes if the file has. */
async function* uploadedBytes(
  source: Readable,
  limits: FileSizeLimits,
  seen: { packed: number },
): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = asBuffer(chunk);
    seen.packed += bytes.length;
    if (seen.packed > limits.maxFileBytes)
      throw refuseFile('file_too_large', `The file is larger than ${limits.maxFileBytes} bytes.`);
    if (head === undefined) {
      yield bytes;
      continue;
    }
    head = Buffer.concat([head, bytes]);
    if (head.length < 2) continue;
    yield head;
    head = undefined;
  }
  if (head !== undefined && head.length > 0) yield head;
}

const isZlibError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');

async function* gunzipped(
  packed: AsyncGenerator<Buffer>,
  limits: FileSizeLimits,
  seen: { packed: number },
): AsyncGenerator<Buffer> {
  // The pipeline hands an error of either side to the reader of `gunzip`, so its own callback has nothing to add.
  const gunzip = pipeline(packed, createGunzip({ chunkSize: 65_536 }), () => undefined);
  let unpacked = 0;
  try {
    for await (const chunk of gunzip) {
      const bytes = asBuffer(chunk);
      unpacked += bytes.length;
      if (unpacked > limits.maxUnpackedBytes)
        throw refuseFile('gzip_bomb', `The gzip file unpacks to more than ${limits.maxUnpackedBytes} bytes.`);
      if (unpacked > ratioAskedFrom && unpacked > seen.packed * ratioLimit)
        throw refuseFile('gzip_bomb', `The gzip file unpacks to more than ${ratioLimit} times its size.`);
      yield bytes;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw error.code === 'Z_BUF_ERROR'
      ? refuseFile('gzip_truncated', 'The gzip file ends too early: it was cut off, or not uploaded whole.')
      : refuseFile('gzip_damaged', 'The gzip file is damaged and cannot be unpacked.');
  }
}

/** The bytes of a payout file, unpacked when its first bytes say that it is gzip. An outage of the source is passed on. */
export async function* unpackedBytes(source: Readable, limits: FileSizeLimits): AsyncGenerator<Buffer> {
  const seen = { packed: 0 };
  const uploaded = uploadedBytes(source, limits, seen);
  const first = await uploaded.next();
  if (first.done === true) return;
  const whole = (async function* () {
    yield first.value;
    yield* uploaded;
  })();
  yield* isGzip(first.value) ? gunzipped(whole, limits, seen) : whole;
}
