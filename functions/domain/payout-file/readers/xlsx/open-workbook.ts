import { readNumberFormats } from './number-formats.ts';
import { tooLarge } from './refusals.ts';
import { readSharedStrings } from './shared-strings.ts';
import { sheetRows } from './sheet-rows.ts';
import { findParts } from './workbook.ts';
import { openZip } from './zip-parts.ts';

/** A workbook is held in memory whole, because its parts come in any order. A hundred thousand rows take some 10 MiB. */
const maxWorkbookBytes = 32 * 1024 * 1024;
const maxSheetBytes = 256 * 1024 * 1024;

const gathered = async (blocks: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = [];
  let length = 0;
  for await (const block of blocks) {
    all.push(block);
    length += block.length;
    if (length > maxWorkbookBytes) throw tooLarge(`A workbook may have at most ${maxWorkbookBytes} bytes.`);
  }
  return Buffer.concat(all);
};

/**
 * Opens a workbook: the rows of its first sheet, and what its cells refer to. `isFrom1904` is true when its days count from 1904.
 * Throws FileRefused when the file is not a workbook, is too large, has no visible first sheet, or cannot be read.
 */
export const openWorkbook = async (blocks: AsyncIterable<Buffer>) => {
  const zip = await openZip(await gathered(blocks));
  const { sheet, sharedStrings, styles, isFrom1904 } = await findParts(zip);
  const formats = await readNumberFormats(zip, styles);
  const strings = await readSharedStrings(zip, sharedStrings);
  return { strings, formats, isFrom1904, rows: sheetRows(zip.read(sheet, maxSheetBytes)) };
};

/** Tables that cells refer to. */
export type CellSources = Pick<Awaited<ReturnType<typeof openWorkbook>>, 'strings' | 'formats'>;
