/** A kind of file that people upload by mistake. */
interface OtherKind {
  /** Possible first bytes, one character per byte. In lower case where case does not matter. */
  readonly begins: readonly string[];
  readonly is: string;
  readonly hint: string;
}

const unpack = 'Unpack it and upload the payout file in it, plain or as gzip.';
const source = 'Upload the CSV or JSON that it was made from.';

/** The first match is used. */
const otherKinds: readonly OtherKind[] = [
  { begins: ['%PDF'], is: 'a PDF', hint: source },
  { begins: ['{\\rtf'], is: 'a text document (RTF)', hint: source },
  { begins: ['{1:F01', ':20:'], is: 'a SWIFT MT message', hint: source },
  { begins: ['\x89PNG', '\xff\xd8\xff', 'GIF8'], is: 'a picture', hint: source },
  { begins: ['Rar!', '7z\xbc\xaf', 'BZh', '\x28\xb5\x2f\xfd', '\xfd7zXZ'], is: 'a packed archive', hint: unpack },
  { begins: ['PAR1'], is: 'a Parquet file', hint: source },
];

/** Says which other kind of file this is, and what to do. Undefined when it is none of these. */
export const otherKindOf = (head: Buffer): string | undefined => {
  const bytes = head.toString('latin1', 0, 512);
  const text = bytes.trimStart().toLowerCase();
  const kind = otherKinds.find(({ begins }) =>
    begins.some((start) => bytes.startsWith(start) || text.startsWith(start)),
  );
  return kind && `This is ${kind.is}, whatever its name says. ${kind.hint}`;
};
