const unpack = 'Unpack it and upload the payout file in it, plain or as gzip.';
const source = 'Upload the CSV or JSON that it was made from.';

/**
 * Kinds of files that people upload by mistake, by their possible first bytes, one character per byte. These are in lower case
 * where case does not matter. The first match is used.
 */
const otherKinds: readonly (readonly [begins: readonly string[], is: string, hint: string])[] = [
  [['%PDF'], 'a PDF', source],
  [['{\\rtf'], 'a text document (RTF)', source],
  [['{1:F01', ':20:'], 'a SWIFT MT message', source],
  [['\x89PNG', '\xff\xd8\xff', 'GIF8'], 'a picture', source],
  [['Rar!', '7z\xbc\xaf', 'BZh', '\x28\xb5\x2f\xfd', '\xfd7zXZ'], 'a packed archive', unpack],
  [['PAR1'], 'a Parquet file', source],
];

/** Says which other kind of file this is, and what to do. Undefined when it is none of these. */
export const otherKindOf = (head: Buffer): string | undefined => {
  const bytes = head.toString('latin1', 0, 512);
  const text = bytes.trimStart().toLowerCase();
  const [, is, hint] =
    otherKinds.find(([begins]) => begins.some((start) => bytes.startsWith(start) || text.startsWith(start))) ?? [];
  return is && `This is ${is}, whatever its name says. ${hint}`;
};
