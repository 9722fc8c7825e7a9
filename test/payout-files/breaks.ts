import { gzipSync } from 'node:zlib';
import type { Chance } from '../support/chance.ts';
import type { Format, Style } from './write-rows.ts';
import { utf16 } from './write-rows.ts';

/** A file to break: its text in pieces, as made by `written`, and its style. */
export interface Whole {
  readonly chance: Chance;
  readonly pieces: readonly string[];
  readonly style: Style;
  /** The bytes, unpacked and compressed. */
  readonly bytes: Buffer;
  readonly packed: Buffer;
  /** The row limit of the reader. */
  readonly mostRows: number;
}

/** A way to make a whole file unreadable. */
export interface Break {
  readonly kind: string;
  /** The document's codes for it. */
  readonly codes: readonly string[];
  /** Where it is reported: for the whole file (row 0) or for the last row. Undefined when the document allows more. */
  readonly where?: 'file' | 'last';
  readonly formats?: readonly Format[];
  readonly fits?: (whole: Whole) => boolean;
  /** The bytes of the broken file. */
  readonly make: (whole: Whole) => Buffer | string;
}

/** Cuts a text after at least one character, and before its last. */
const cut = (chance: Chance, text: string): string => text.slice(0, chance.int(1, Math.max(1, text.length - 2)));

/** The text with a change to one piece. */
const withPiece = ({ pieces }: Whole, at: number, change: (piece: string) => string): string =>
  pieces.map((piece, index) => (index === at ? change(piece) : piece)).join('');
const anyRow = ({ chance, pieces }: Whole): number => chance.int(1, pieces.length - 1);
const lastOf = ({ pieces }: Whole): string => pieces.at(-1) ?? '';
const before = ({ pieces }: Whole): string => pieces.slice(0, -1).join('');
/** Names of the header. Empty ones may follow them. */
const namesOf = ({ pieces, style }: Whole): readonly string[] => (pieces[0] ?? '').split(style.delimiter);
const columnsOf = (whole: Whole): number => namesOf(whole).filter((name) => name.trim() !== '').length;

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text.replace('\ufeff', ''));
    return true;
  } catch {
    return false;
  }
};

/** A CSV row cut before its last delimiter, so that it has fewer fields than the header, or an open quote. */
const cutRow = (whole: Whole): string => {
  const { chance, style } = whole;
  const line = lastOf(whole).trimEnd();
  const fields = line.split(style.delimiter).slice(0, chance.int(1, columnsOf(whole) - 1));
  const left = fields.join(style.delimiter);
  return fields.every((field) => field.trim() === '') ? `x${left}` : left;
};

const withoutLineEnd = (line: string): string => line.replace(/[\r\n]+$/, '');

/** A file to correct with `error` and `line` in each row, cut in the last of its own columns. */
const cutToCorrect = (whole: Whole): string => {
  const { pieces, style, chance } = whole;
  const others = pieces.slice(0, -1).map((piece, index) => {
    const line = withoutLineEnd(piece);
    return [line, ...(index === 0 ? ['error', 'line'] : ['', ''])].join(style.delimiter) + piece.slice(line.length);
  });
  const line = withoutLineEnd(lastOf(whole));
  const end = chance.int(line.lastIndexOf(style.delimiter) + 1, line.length);
  return others.join('') + line.slice(0, end);
};

const otherFiles: readonly [Buffer, ...Buffer[]] = [
  Buffer.from('PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00', 'latin1'),
  Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n', 'latin1'),
  Buffer.from('<!doctype html>\n<table><tr><td>amount</td></tr></table>\n'),
  Buffer.from('<?xml version="1.0"?>\n<payouts><payout amount="5"/></payouts>\n'),
  Buffer.from('\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR', 'latin1'),
  Buffer.from('Dear all,\nplease pay Siti 50000.\n'),
  Buffer.from('null'),
  Buffer.from('"amount"'),
  Buffer.from('50000'),
  Buffer.from('payouts:\n  - amount: 5\n    currency: IDR\n'),
  Buffer.from('\x28\xb5\x2f\xfd\x04\x00\x01\x00', 'latin1'),
  Buffer.from('BZh91AY&SY', 'latin1'),
];
const anything = [
  'workbook_damaged',
  'other_format',
  'xml_not_pain_001',
  'xml_malformed',
  'header_missing',
  'column_missing',
  'column_unknown',
  'invalid_utf8',
  'no_rows',
  'malformed_csv',
] as const;

const header =
  (change: (names: string[], whole: Whole) => string[]) =>
  (whole: Whole): string => {
    const { delimiter, lineEnd } = whole.style;
    const names = (line: string): string[] => line.replace('\ufeff', '').trimEnd().split(delimiter);
    return withPiece(whole, 0, (line) => change(names(line), whole).join(delimiter) + lineEnd);
  };
const named = (name: string, column: string): boolean => name.replaceAll(/[" _-]/g, '').toLowerCase() === column;

const anyJson = ['array', 'lines'] as const;
const texts = ['csv', ...anyJson] as const;

/** Every way that the document names. */
export const breaks: readonly Break[] = [
  {
    kind: 'empty',
    codes: ['file_empty'],
    where: 'file',
    make: ({ chance }) =>
      chance.pick<Buffer | string>(['', '\n', ' \r\n\t\n', '\ufeff', gzipSync(''), gzipSync('\n\n')]),
  },
  {
    kind: 'no rows',
    codes: ['no_rows'],
    where: 'file',
    formats: ['csv'],
    make: ({ chance, pieces: [first = ''] }) => chance.pick([first, first.trimEnd(), `${first}\n\n`]),
  },
  {
    kind: 'no rows',
    codes: ['no_rows'],
    where: 'file',
    formats: ['array'],
    make: ({ chance }) => chance.pick(['[]', '[ \n ]\n', '\ufeff[]']),
  },
  { kind: 'another kind of file', codes: anything, make: ({ chance }) => chance.pick(otherFiles) },
  {
    kind: 'cut off',
    codes: ['malformed_csv'],
    where: 'last',
    formats: ['csv'],
    fits: (whole) => columnsOf(whole) > 2 && !lastOf(whole).includes('"'),
    make: (whole) => before(whole) + cutRow(whole),
  },
  {
    kind: 'cut off',
    codes: ['malformed_csv'],
    where: 'last',
    formats: ['csv'],
    fits: (whole) => {
      const cells = withoutLineEnd(lastOf(whole)).split(whole.style.delimiter);
      const isOwn = cells.length === columnsOf(whole) && cells.length === namesOf(whole).length;
      return isOwn && !lastOf(whole).includes('"') && (cells[0] ?? '').trim() !== '';
    },
    make: cutToCorrect,
  },
  {
    kind: 'cut off',
    codes: ['column_missing', 'column_unknown', 'header_missing', 'no_rows', 'malformed_csv', 'file_empty'],
    formats: ['csv'],
    make: ({ chance, pieces: [first = ''] }) => cut(chance, first.trim()),
  },
  {
    kind: 'cut off',
    codes: ['malformed_json', 'no_rows'],
    formats: ['array'],
    make: ({ chance, pieces }) =>
      cut(
        chance,
        pieces
          .join('')
          .trimEnd()
          .replace(/^\ufeff/, ''),
      ),
  },
  {
    kind: 'cut off',
    codes: ['malformed_json', 'json_not_objects'],
    where: 'last',
    formats: ['lines'],
    fits: (whole) => lastOf(whole).trim().startsWith('{') && isJson(lastOf(whole)),
    make: (whole) => before(whole) + cut(whole.chance, lastOf(whole).trim()),
  },
  {
    kind: 'cut off',
    codes: ['gzip_truncated'],
    where: 'file',
    fits: ({ style }) => style.gzip !== 'none',
    make: ({ chance, style, bytes, packed }) => {
      // With two members the second is cut, because the first alone would be a whole file.
      const second = gzipSync(bytes.subarray(Math.floor(bytes.length / 2))).length;
      const from = style.gzip === 'two' ? packed.length - second + 1 : 2;
      return packed.subarray(0, chance.happens(0.2) ? from : chance.int(from, packed.length - 1));
    },
  },
  {
    kind: 'cut off',
    codes: ['workbook_damaged'],
    where: 'file',
    formats: ['xlsx'],
    make: ({ chance, bytes }) => bytes.subarray(0, chance.int(4, bytes.length - 1)),
  },
  {
    kind: 'damaged workbook',
    codes: ['workbook_damaged'],
    where: 'file',
    formats: ['xlsx'],
    // After the name of a part, in its bytes, so that its checksum differs.
    make: ({ chance, bytes }) => {
      const damaged = Buffer.from(bytes);
      const at = damaged.indexOf('sheet1.xml') + 'sheet1.xml'.length + chance.int(10, 100);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << chance.int(0, 7));
      return damaged;
    },
  },
  {
    kind: 'damaged gzip',
    codes: ['gzip_damaged', 'gzip_truncated'],
    where: 'file',
    fits: ({ style }) => style.gzip === 'one',
    // Skips bytes that nothing checks: the first ten (time, system, flags), and some unused bits before the last eight.
    make: ({ chance, packed }) => {
      const bytes = Buffer.from(packed);
      const at = chance.happens(0.3) ? bytes.length - chance.int(1, 8) : chance.int(10, bytes.length - 10);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.int(0, 7));
      return bytes;
    },
  },
  {
    kind: 'quote',
    codes: ['malformed_csv'],
    formats: ['csv'],
    make: (whole) => withPiece(whole, anyRow(whole), (piece) => `${whole.chance.pick(['x"y', '"x"y'])}${piece}`),
  },
  {
    kind: 'quote',
    codes: ['malformed_csv'],
    where: 'last',
    formats: ['csv'],
    fits: (whole) => !lastOf(whole).includes('"'),
    make: (whole) => `${before(whole)}"${lastOf(whole)}`,
  },
  {
    kind: 'too long',
    codes: ['malformed_csv'],
    where: 'last',
    formats: ['csv'],
    make: (whole) => `${before(whole)}${'x'.repeat(100_000)}${lastOf(whole)}`,
  },
  {
    kind: 'too long',
    codes: ['malformed_json'],
    formats: anyJson,
    fits: ({ pieces }) => pieces.join('').includes('{'),
    make: ({ pieces }) => pieces.join('').replace('{', `{"note":"${'x'.repeat(1_200_000)}",`),
  },
  {
    kind: 'header',
    codes: ['column_missing'],
    where: 'file',
    formats: ['csv'],
    make: header((names, { chance }) => {
      const column = chance.pick(['amount', 'currency']);
      return names.filter((name) => !named(name, column));
    }),
  },
  {
    kind: 'header',
    codes: ['column_unknown', 'invalid_utf8'],
    where: 'file',
    formats: ['csv'],
    make: header((names, { chance }) => [
      ...names,
      chance.pick(['colour', 'toString', '__proto__', 'amount (IDR)', '王', 'a\u0000b']),
    ]),
  },
  {
    kind: 'header',
    codes: ['column_repeated'],
    where: 'file',
    formats: ['csv'],
    make: header((names) => ['AMOUNT', ...names]),
  },
  {
    kind: 'header',
    codes: ['header_missing'],
    where: 'file',
    formats: ['csv'],
    make: ({ pieces }) => `INV-1,50000,IDR\n${pieces.slice(1).join('')}`,
  },
  {
    kind: 'encoding',
    codes: ['invalid_utf8'],
    where: 'file',
    formats: texts,
    make: ({ chance, pieces }) => utf16(pieces.join('').replace('\ufeff', ''), chance.happens(0.5)),
  },
  {
    kind: 'encoding',
    codes: ['invalid_utf8'],
    where: 'file',
    formats: texts,
    make: ({ pieces }) => {
      const units = [...pieces.join('')].slice(0, 200);
      const bytes = Buffer.alloc(4 * units.length);
      for (const [index, character] of units.entries()) bytes.writeUInt32LE(character.codePointAt(0) ?? 0, 4 * index);
      return bytes;
    },
  },
  {
    kind: 'too many rows',
    codes: ['too_many_rows'],
    where: 'file',
    formats: ['csv', 'lines'],
    fits: ({ mostRows }) => mostRows < 1000,
    make: ({ style, mostRows }) => {
      const rows = Array.from({ length: mostRows + 1 }, (_, index) => `rcp_${index}`);
      return style.format === 'csv'
        ? `amount,currency,recipientId\n${rows.map((id) => `50000,IDR,${id}\n`).join('')}`
        : rows.map((recipientId) => `${JSON.stringify({ amount: '50000', currency: 'IDR', recipientId })}\n`).join('');
    },
  },
  {
    kind: 'nested',
    codes: ['malformed_json'],
    formats: ['array'],
    fits: ({ pieces }) => pieces.join('').includes('{'),
    make: ({ chance, pieces }) =>
      pieces.join('').replace('{', `{"note":${'['.repeat(chance.pick([40, 5000, 200_000]))}1,`),
  },
  {
    kind: 'array',
    codes: ['malformed_json'],
    formats: ['array'],
    make: (whole) => {
      const { chance, pieces } = whole;
      const text = pieces.join('').trimEnd();
      const [first = `${text}x`, ...others] = [
        `${text.slice(0, -1)},]`,
        `${text}x`,
        `${text}${text.replace('\ufeff', '')}`,
        `${text}\n${pieces[1]}`,
        text.replace('{', '{,'),
        text.replace('[', '[,'),
        text.replace(/\}(?=\s*\]$)/, '} {"amount":"1"}'),
        text.replace('"', "'"),
        text.replace(/\]$/, '}'),
        text.replace('[', '[/* paid */'),
        text.replace(/:\s*/, ':NaN,"note":'),
      ].filter((made) => !isJson(made));
      return chance.pick([first, ...others]);
    },
  },
  {
    kind: 'one object over lines',
    codes: ['json_not_objects'],
    formats: ['lines'],
    make: ({ pieces }) => JSON.stringify({ payouts: pieces.length }, null, 2),
  },
];
