import { gunzipSync, gzipSync } from 'node:zlib';

/**
 * A set of rows of one file, one bit per row, so that a million of them fit into one ledger item.
 *
 * @param rows number of rows in the file, which count from 1
 * @param text a serialized set of the same file
 */
export const createRowSet = (rows: number, text?: string) => {
  const bits = text === undefined ? new Uint8Array((rows >> 3) + 1) : gunzipSync(Buffer.from(text, 'base64'));
  return {
    has: (row: number): boolean => ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0,
    add: (row: number): void => {
      bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
    },
    /** Serializes the set for createRowSet. */
    toText: () => gzipSync(bits).toString('base64'),
  };
};
export type RowSet = ReturnType<typeof createRowSet>;
