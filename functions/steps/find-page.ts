import type { DisbursementPage } from '../ports/provider.ts';

export type ReadPage = (page: number) => Promise<DisbursementPage>;

/**
 * Finds the first page, of a list in creation order, that can hold a disbursement created at `createdAt` (the
 * provider's own timestamp: no clock of ours is compared with it). Gallops back from the end, where new ones are, then
 * halves what is left: about 2·log2(pages from the end) requests. One past the last page when all are older.
 */
export const findPage = async (readPage: ReadPage, createdAt: string): Promise<number> => {
  const { totalPages } = await readPage(1);
  let notOlder = totalPages + 1;
  for (let step = 1, probe = totalPages; probe >= 1; probe -= step, step *= 2) {
    if (isOlder(await readPage(probe), createdAt)) return narrow(readPage, createdAt, probe, notOlder);
    notOlder = probe;
  }
  return narrow(readPage, createdAt, 0, notOlder);
};

const isOlder = ({ disbursements }: DisbursementPage, createdAt: string): boolean => {
  const newest = disbursements.at(-1)?.createdAt;
  return newest !== undefined && newest < createdAt;
};

/** Page `older` is wholly older (or 0), page `notOlder` is not: halves until they are neighbours. */
const narrow = async (readPage: ReadPage, createdAt: string, older: number, notOlder: number): Promise<number> => {
  if (notOlder - older <= 1) return notOlder;
  const middle = Math.floor((older + notOlder) / 2);
  return isOlder(await readPage(middle), createdAt)
    ? narrow(readPage, createdAt, middle, notOlder)
    : narrow(readPage, createdAt, older, middle);
};
