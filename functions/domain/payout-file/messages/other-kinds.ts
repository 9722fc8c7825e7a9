/** A kind of file that people upload in place of a payout file. */
interface OtherKind {
  /** What one begins with, a character for each byte, in small letters where case has no meaning. */
  readonly begins: readonly string[];
  readonly is: string;
  readonly hint: string;
}

const unpack = 'Unpack it and upload the payout file in it, plain or as gzip.';
const source = 'Upload the CSV or JSON that it was made from.';

/** The first that fits is told. */
const otherKinds: readonly OtherKind[] = [
  { begins: ['%PDF'], is: 'a PDF', hint: source },
  { begins: ['{\\rtf'], is: 'a text document (RTF)', hint: source },
  { begins: ['{1:F01', ':20:'], is: 'a SWIFT MT message', hint: source },
  { begins: ['\x89PNG', '\xff\xd8\xff', 'GIF8'], is: 'a picture', hint: source },
  { begins: ['Rar!', '7z\xbc\xaf', 'BZh', '\x28\xb5\x2f\xfd', '\xfd7zXZ'], is: 'a packed archive', hint: unpack },
  { begins: ['PAR1'], is: 'a Parquet file', hint: source },
];

/** What a file is that is no payout file, whatever its name says, and what to do; undefined where it is none of these. */
export const otherKindOf = (head: Buffer): string | undefined => {
  const bytes = head.toString('latin1', 0, 512);
  const text = bytes.trimStart().toLowerCase();
  const kind = otherKinds.find(({ begins }) =>
    begins.some((start) => bytes.startsWith(start) || text.startsWith(start)),
  );
  return kind && `This is ${kind.is}, whatever its name says. ${kind.hint}`;
};
