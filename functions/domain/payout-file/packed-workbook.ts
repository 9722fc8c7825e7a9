import { strToU8, ZipDeflate } from 'fflate';
import { streamedZip } from '../report/streamed-zip.ts';
import { endSheet, sheetPart, workbookParts, zipTime } from './written-workbook.ts';

/** Characters of XML that are compressed at a time. */
const packedLength = 262_144;

/** A workbook of one sheet, compressed while its XML is written. */
export const packedWorkbook = (isFrom1904 = false) => {
  const zip = streamedZip();
  const addPart = (name: string) => zip.add(new ZipDeflate(name), zipTime);
  for (const [name, bytes] of Object.entries(workbookParts(['Payouts'], isFrom1904))) addPart(name).push(bytes, true);
  const sheet = addPart(sheetPart(1));
  let waiting = '';
  return {
    write: (xml: string): void => {
      waiting += xml;
      if (waiting.length < packedLength) return;
      sheet.push(strToU8(waiting));
      waiting = '';
    },
    take: zip.take,
    end: (): void => {
      sheet.push(strToU8(waiting + endSheet), true);
      zip.end();
    },
  };
};
