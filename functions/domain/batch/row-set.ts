import { gunzipSync, gzipSync } from 'node:zlib';

/** Rows of one file: a bit each, so that a million of them fit into one item of the ledger. */
export interface RowSet {
  readonly has: (row: number) => boolean;
  readonly add: (row: number) => void;
  /** To make the same set of again. */
  readonly toText: () => string;
}

/**
 * @param rows of the file; they count from 1
 * @param text of a set of the same file
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
