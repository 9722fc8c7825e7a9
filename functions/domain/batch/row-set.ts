import { gunzipSync, gzipSync } from 'node:zlib';

/** A set of rows of one file, one bit per row, so that a million of them fit into one ledger item. */
export interface RowSet {
  readonly has: (row: number) => boolean;
  readonly add: (row: number) => void;
  /** Serializes the set for createRowSet. */
  readonly toText: () => string;
}

/**
 * @param rows number of rows in the file, which count from 1
 * @param text a serialized set of the same file
 */
export const createRowSet = (rows: number, text?: string): RowSet => {
  const bits = text === undefined ? new Uint8Array((rows >> 3) + 1) : gunzipSync(Buffer.from(text, 'base64'));
  return {
    has: (row) => ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0,
    add: (row) => {
      bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
    },
    toText: () => gzipSync(bits).toString('base64'),
  };
};
