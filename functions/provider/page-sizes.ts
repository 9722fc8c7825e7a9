import type { Rail } from '../domain/payout/payout.ts';

/** What is known of the pages of lists: as they are asked for, until one was answered. */
export interface PageSizes {
  /** What to ask for. */
  readonly asked: number;
  /** Records on a page; 0: there is no list. */
  readonly of: (rail: Rail) => number;
  /** What a page said of its size, or 0 where there is no list after all. Undefined, or more than was asked for, says nothing. */
  readonly hear: (rail: Rail, size: number | undefined) => void;
}

export const createPageSizes = (asked: number): PageSizes => {
  const sizes = { fiat: asked, crypto: asked };
  return {
    asked,
    of: (rail) => sizes[rail],
    hear: (rail, size) => {
      if (size !== undefined && size >= 0 && size <= asked) sizes[rail] = size;
    },
  };
};
