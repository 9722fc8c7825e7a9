import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { ToCorrectName } from '../../../ports/files.ts';
import { hashed } from '../../hashed.ts';
import { ExtraColumns } from '../extra-columns.ts';
import type { FileRow } from '../fields.ts';
import { refuseFile } from '../fields.ts';
import { otherKindOf } from '../messages/other-kinds.ts';
import { withoutSeparatorLine } from './header.ts';
import type { Pain001Options } from './pain-001/read-pain-001.ts';
import { readCsv } from './read-csv.ts';
import { readJsonArray, readJsonLines } from './read-json.ts';
import type { FileSizeLimits } from './unpack.ts';
import { followedBy, takeHead, unpackedBytes, utf8Decoder } from './unpack.ts';
import type { Corrections } from './write-corrections.ts';
import { writeCorrections } from './write-corrections.ts';
import { oldWorkbookMark, refuseOldWorkbook } from './xlsx/old-workbook.ts';

/** A payout file's header has some 120 bytes. A first line that does not end within this limit is no header. */
const maxHeadBytes = 65_536;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The encoding that a byte order mark indicates. Undefined for UTF-8 and without a mark. */
const markedEncoding = (head: Buffer): 'utf-16le' | 'utf-16be' | undefined => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined;
};

/** Converts a text to UTF-8. Invalid characters become U+FFFD and are refused row by row, as in a UTF-8 file. */
async function* inUtf8(blocks: AsyncGenerator<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const block of blocks) yield Buffer.from(decoder.decode(block, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** The header's line; it includes its line end only when that is a lone CR. Undefined until the line is complete. */
const headerLine = (head: string): string | undefined => {
  const [line] = /^[^\r\n]*(?:\r?\n|\r(?=[^\n]))/.exec(withoutSeparatorLine(head.trimStart())) ?? [];
  return line?.endsWith('\n') ? line.trimEnd() : line;
};

const headerLineOf = (text: string): string => headerLine(`${text}\n`) ?? text;

/** A file whose beginning was read, which shows its kind. */
interface OpenFile {
  /** The whole file. */
  readonly blocks: AsyncGenerator<Buffer>;
  /** Its first bytes, and the text of these without leading white space. */
  readonly head: Buffer;
  readonly text: string;
  /** True when the file has a byte order mark, in UTF-8 or UTF-16. It is removed from the blocks. */
  readonly isMarked: boolean;
}

type Awaitable<Value> = Value | Promise<Value>;

/**
 * A kind of file. Every reader has the same shape: blocks of the whole file in, rows out, block by block. Large
 * libraries load only when a file needs them: they would add 7 % to PlanBatch's start.
 */
interface Kind {
  readonly isWorkbook?: true;
  readonly read: (
    file: OpenFile,
    extraColumns: ExtraColumns,
    pain001: Pain001Options,
  ) => Awaitable<AsyncGenerator<readonly FileRow[]>>;
  /** How a corrections file of this kind is written. Undefined when this kind gets none. */
  readonly correct?: {
    readonly name: ToCorrectName;
    readonly write: (file: OpenFile, corrections: Corrections) => Awaitable<AsyncGenerator<Uint8Array>>;
  };
}

/** The marks of a zip archive with entries, and of an empty one. */
const zipMarks = [Buffer.from('PK\x03\x04'), Buffer.from('PK\x05\x06')];

/** Every file that is of no other kind. */
const csv: Kind = {
  read: ({ blocks, text }, extraColumns) => readCsv(blocks, headerLineOf(text), extraColumns),
  correct: {
    name: 'to-correct.csv',
    async *write({ blocks, text, isMarked }, corrections) {
      if (isMarked || corrections.isUtf8) yield byteOrderMark;
      yield* writeCorrections(blocks, headerLineOf(text), corrections);
    },
  },
};

/** Kinds that the first bytes show. The first match is used. */
const kinds: readonly (Kind & { readonly is: (head: Buffer) => boolean })[] = [
  {
    is: (head) => zipMarks.some((mark) => head.subarray(0, 4).equals(mark)),
    isWorkbook: true,
    read: async ({ blocks }, extraColumns) => (await import('./read-xlsx.ts')).readXlsx(blocks, extraColumns),
    correct: {
      name: 'to-correct.xlsx',
      write: async ({ blocks }, corrections) =>
        (await import('./write-xlsx-corrections.ts')).writeXlsxCorrections(blocks, corrections),
    },
  },
  {
    is: (head) => head.subarray(0, 8).equals(oldWorkbookMark),
    read: ({ blocks }) => refuseOldWorkbook(blocks),
  },
  {
    is: (head) => otherKindOf(head) !== undefined,
    read: ({ head }) => {
      throw refuseFile('other_format', otherKindOf(head) ?? '');
    },
  },
  {
    is: (head) => head.subarray(0, 64).includes(0),
    read: () => {
      const why = 'It is UTF-16 without a byte order mark, or it is not a text. Save it as "CSV UTF-8".';
      throw refuseFile('invalid_utf8', `The file has zero bytes. ${why}`);
    },
  },
];

/** Kinds of text, by the first character. */
const kindsOfText: Readonly<Record<string, Kind>> = {
  '[': { read: ({ blocks }, extraColumns) => readJsonArray(blocks, extraColumns) },
  '{': { read: ({ blocks }, extraColumns) => readJsonLines(blocks, extraColumns) },
  '<': {
    read: async ({ blocks }, _extraColumns, pain001) =>
      (await import('./pain-001/read-pain-001.ts')).readPain001(blocks, pain001),
  },
};

/** Opens a payout file: its kind and its blocks, which are UTF-8 if it is a text. */
const open = async (bytes: AsyncGenerator<Buffer>) => {
  const first = await takeHead(bytes, ({ length }) => length >= 2);
  const encoding = markedEncoding(first);
  const whole = followedBy(first, bytes);
  const blocks = encoding === undefined ? whole : inUtf8(whole, encoding);
  const start = await takeHead(
    blocks,
    (head) => head.length >= maxHeadBytes || headerLine(head.toString('utf8')) !== undefined,
  );
  const hasMark = start.subarray(0, 3).equals(byteOrderMark);
  const head = hasMark ? start.subarray(3) : start;
  const text = head.toString('utf8').trimStart();
  if (text === '') throw refuseFile('file_empty', 'The file is empty. Export it again and upload it.');
  const file = { blocks: followedBy(head, blocks), head, text, isMarked: hasMark || encoding !== undefined };
  return { kind: kinds.find(({ is }) => is(head)) ?? kindsOfText[text.charAt(0)] ?? csv, file };
};

/** Facts about a payout file, collected while it is read. */
export class SeenOfFile {
  /** Hash of the unpacked file. Complete once the last row was read. */
  readonly content = createHash('sha256');
  /** The columns that begin with `x-`. */
  readonly extraColumns = new ExtraColumns();
  isWorkbook = false;
}

/**
 * Reads the rows of a payout file in order, block by block. The content decides its kind, not the name: gzip by its
 * first two bytes, then the first match in `kinds` or `kindsOfText`. Throws FileRefused when the file, or the rest of
 * it, cannot be read.
 */
export async function* readPayoutFile(
  source: Readable,
  limits: FileSizeLimits,
  seen: SeenOfFile,
  pain001: Pain001Options,
): AsyncGenerator<readonly FileRow[]> {
  const opened = await open(hashed(unpackedBytes(source, limits), seen.content));
  seen.isWorkbook = opened.kind.isWorkbook ?? false;
  yield* await opened.kind.read(opened.file, seen.extraColumns, pain001);
}

/**
 * True when a payout file whose corrections are a CSV is UTF-8 to its end, even if something else is wrong with it.
 * False for other kinds, of which only the head is read.
 */
export const isUtf8File = async (source: Readable, limits: FileSizeLimits): Promise<boolean> => {
  const opened = await open(unpackedBytes(source, limits));
  if (opened.kind.correct?.name !== 'to-correct.csv') return false;
  const decode = utf8Decoder();
  for await (const block of opened.file.blocks) if (decode(block) === undefined) return false;
  return decode() !== undefined;
};

/**
 * Writes a payout file again, as it was written, with the errors beside each row. A person corrects it and uploads it
 * again. Undefined when this kind gets no corrections file.
 */
export const correctPayoutFile = async (source: Readable, limits: FileSizeLimits, corrections: Corrections) => {
  const opened = await open(unpackedBytes(source, limits));
  if (opened.kind.correct === undefined) return undefined;
  const { name, write } = opened.kind.correct;
  return { name, content: await write(opened.file, corrections) };
};
