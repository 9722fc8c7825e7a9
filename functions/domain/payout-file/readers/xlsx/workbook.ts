import path from 'node:path';
import { refuseFile, shownName } from '../../fields.ts';
import { isTrue, readPart } from './part-xml.ts';
import { damaged, wrongKind } from './refusals.ts';
import type { ZipParts } from './zip-parts.ts';

const maxBytes = 8 * 1024 * 1024;

/**
 * The parts that a part refers to, by id. The type is the last word of its URI: the words before it differ between strict
 * and transitional workbooks.
 */
const relationshipsOf = async (zip: ZipParts, part: string) => {
  const { dir, base } = path.posix.parse(part);
  const found = new Map<string, { readonly type: string; readonly part: string }>();
  await readPart(zip.read(path.posix.join(dir, '_rels', `${base}.rels`), maxBytes), {
    open: (name, attributes) => {
      const [id, type, target] = [attributes['Id'], attributes['Type'], attributes['Target']];
      if (name !== 'Relationship' || id === undefined || type === undefined || target === undefined) return;
      const to = path.posix.resolve('/', dir, target).slice(1).toLowerCase();
      found.set(id, { type: type.slice(type.lastIndexOf('/') + 1), part: to });
    },
  });
  return found;
};

const partOf = (relationships: Awaited<ReturnType<typeof relationshipsOf>>, type: string): string | undefined =>
  [...relationships.values()].find((each) => each.type === type)?.part;

/** Refuses zip archives other than Excel workbooks. */
const checkKind = ({ names }: ZipParts): void => {
  if ([...names].some((name) => name.endsWith('.iwa'))) throw wrongKind('a document of Numbers');
  if (names.has('mimetype') && names.has('content.xml')) throw wrongKind('an OpenDocument file, such as .ods');
  if (names.has('xl/workbook.bin')) throw wrongKind('a binary workbook (.xlsb)');
  if (names.has('word/document.xml')) throw wrongKind('a document of Word');
  if (names.has('ppt/presentation.xml')) throw wrongKind('a presentation');
  if (names.has('[content_types].xml') && names.has('_rels/.rels')) return;
  throw refuseFile(
    'zip_not_workbook',
    'This is a zip archive, not an Excel workbook. Unpack it, and upload the file that is in it.',
  );
};

const firstSheetOf = async (zip: ZipParts, workbook: string) => {
  const sheets: Readonly<Record<string, string>>[] = [];
  /** True when the workbook's dates count from 1904, as on old Macs. */
  let isFrom1904 = false;
  await readPart(zip.read(workbook, maxBytes), {
    open: (name, attributes) => {
      if (sheets.length > 0) return;
      if (name === 'workbookPr') isFrom1904 = isTrue(attributes['date1904']);
      if (name === 'sheet') sheets.push(attributes);
    },
  });
  const [first] = sheets;
  if (first === undefined) throw damaged();
  // The attribute of the relationships' namespace, whatever its prefix. No other attribute here has a prefix.
  const [, id = ''] = Object.entries(first).find(([key]) => key.endsWith(':id')) ?? [];
  return { id, name: first['name'] ?? '', state: first['state'] ?? 'visible', isFrom1904 };
};

/**
 * Finds the first sheet and the tables that its cells refer to. A hidden sheet is refused, because nobody sees what it
 * would pay.
 */
export const findParts = async (zip: ZipParts) => {
  checkKind(zip);
  const workbook = partOf(await relationshipsOf(zip, ''), 'officeDocument');
  if (workbook === undefined) throw damaged();
  const sheet = await firstSheetOf(zip, workbook);
  const relationships = await relationshipsOf(zip, workbook);
  const found = relationships.get(sheet.id);
  if (found === undefined) throw damaged();
  if (found.type !== 'worksheet')
    throw refuseFile(
      'sheet_missing',
      'The first sheet is a chart or a macro. Move the sheet with the payouts to the front.',
    );
  if (sheet.state !== 'visible')
    throw refuseFile(
      'sheet_hidden',
      `The first sheet, "${shownName(sheet.name)}", is hidden. Show it, or move the sheet with the payouts to the front.`,
    );
  return {
    sheet: found.part,
    sharedStrings: partOf(relationships, 'sharedStrings'),
    styles: partOf(relationships, 'styles'),
    isFrom1904: sheet.isFrom1904,
  };
};
