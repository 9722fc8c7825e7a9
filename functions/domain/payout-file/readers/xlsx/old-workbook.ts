import { locked, wrongKind } from './refusals.ts';

/** First bytes of a compound file: an .xls, or a workbook with a password, whatever its name. */
export const oldWorkbookMark = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** The stream of a compound file that holds a workbook with a password. */
const lockedName = Buffer.from('EncryptedPackage', 'utf16le');

/** Reads a compound file to its end, to find the reason to refuse it. Always throws. */
export const refuseOldWorkbook = async (blocks: AsyncIterable<Buffer>): Promise<never> => {
  let last: Buffer = Buffer.alloc(0);
  for await (const block of blocks) {
    const joined = Buffer.concat([last, block]);
    if (joined.includes(lockedName)) throw locked();
    last = joined.subarray(-lockedName.length);
  }
  throw wrongKind('an old Excel workbook (.xls)');
};
