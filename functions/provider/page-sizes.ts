import type { Rail } from '../domain/payout/payout.ts';

/** The page sizes of lists: the requested size, until an answer shows the actual one. */
export interface PageSizes {
  /** The size to request. */
  readonly asked: number;
  /** Records per page. 0 when there is no list. */
  readonly of: (rail: Rail) => number;
  /** Records the size that an answer shows: 0 when there is no list. Ignores undefined, and sizes above the requested one. */
  readonly record: (rail: Rail, size: number | undefined) => void;
}

export const createPageSizes = (asked: number): PageSizes => {
  const sizes = { fiat: asked, crypto: asked };
  return {
    asked,
    of: (rail) => sizes[rail],
    record: (rail, size) => {
      if (size !== undefined && size >= 0 && size <= asked) sizes[rail] = size;
    },
  };
};
