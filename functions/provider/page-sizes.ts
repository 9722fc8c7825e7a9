import type { Rail } from '../domain/payout/payout.ts';

/** The page sizes of lists: the requested size, until an answer shows the actual one. */
export const createPageSizes = (asked: number) => {
  const sizes = { fiat: asked, crypto: asked };
  return {
    /** The size to request. */
    asked,
    /** Records per page. 0 when there is no list. */
    of: (rail: Rail): number => sizes[rail],
    /** Records the size that an answer shows: 0 when there is no list. Ignores undefined, and sizes above the requested one. */
    record: (rail: Rail, size: number | undefined): void => {
      if (size !== undefined && size >= 0 && size <= asked) sizes[rail] = size;
    },
  };
};
export type PageSizes = ReturnType<typeof createPageSizes>;
