import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { fromBufferPromise } from 'yauzl';
import { FileRefused } from '../../fields.ts';
import { damaged, locked, tooLarge } from './refusals.ts';

/** A workbook of a hundred sheets has some 400. */
const maxParts = 4096;

/** Sheets compress to a tenth, sheets of empty cells to a hundredth. See unpack.ts. */
const ratioLimit = 250;
const ratioAskedFrom = 16 * 1024 * 1024;

/**
 * Maps the library's errors to a damaged workbook. The bytes are all in memory, so errors can only come from the zip
 * itself.
 */
const orDamaged = async <Value>(promise: Promise<Value>): Promise<Value> => {
  try {
    return await promise;
  } catch (error) {
    throw error instanceof FileRefused ? error : damaged();
  }
};

const entriesOf = async (zip: ZipFile): Promise<ReadonlyMap<string, Entry>> => {
  if (zip.entryCount > maxParts) throw tooLarge(`The workbook has more than ${maxParts} parts.`, 'zip_bomb');
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase();
    if (entry.isEncrypted()) throw locked();
    // Programs disagree on which of two equal names counts.
    if (entries.has(name)) throw damaged();
    entries.set(name, entry);
  }
  return entries;
};

const checkSizes = ({ uncompressedSize, compressedSize }: Entry, most: number): void => {
  if (uncompressedSize > most) throw tooLarge(`A part of the workbook unpacks to more than ${most} bytes.`);
  if (uncompressedSize > ratioAskedFrom && uncompressedSize > compressedSize * ratioLimit)
    throw tooLarge(`A part of the workbook unpacks to more than ${ratioLimit} times its size.`, 'zip_bomb');
};

/**
 * Opens a zip by its central directory, as spreadsheets do. Throws FileRefused when it is not a zip, is damaged or locked, has
 * more than `maxParts` parts, or two of one name.
 */
export const openZip = async (bytes: Buffer) => {
  const zip = await orDamaged(fromBufferPromise(bytes));
  const entries = await orDamaged(entriesOf(zip));
  /**
   * Streams a part's bytes and verifies their checksum at the end. Throws FileRefused when there is no such part, when
   * it is damaged, or when it unpacks to more than `most` or to far more than its size, whatever size it declares.
   */
  async function* read(name: string, most: number): AsyncGenerator<Buffer> {
    const entry = entries.get(name);
    if (entry === undefined) throw damaged();
    checkSizes(entry, most);
    let checksum = 0;
    const blocks = (await orDamaged(zip.openReadStreamPromise(entry)))[Symbol.asyncIterator]();
    try {
      // The library ends the stream when it has more bytes than declared.
      for (let next = await orDamaged(blocks.next()); next.done !== true; next = await orDamaged(blocks.next())) {
        const block: unknown = next.value;
        if (!Buffer.isBuffer(block)) throw new TypeError('a zip is read as bytes');
        checksum = crc32(block, checksum);
        yield block;
      }
    } finally {
      await blocks.return?.();
    }
    if (checksum !== entry.crc32) throw damaged();
  }
  return { names: new Set(entries.keys()), read };
};

/** The parts of a zip, by lower-case name: names in workbooks are not case-sensitive. */
export type ZipParts = Awaited<ReturnType<typeof openZip>>;
