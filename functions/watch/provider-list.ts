import { ProviderUnavailable } from '../domain/errors.ts';
import { inParallel } from '../domain/in-parallel.ts';
import type { Rail } from '../domain/payout/payout.ts';
import { clocksDifferMs } from '../domain/payout/polling.ts';
import { readPage } from '../payouts/read-page.ts';
import type { Needs } from '../ports/needs.ts';
import type { DisbursementPage } from '../ports/provider.ts';

/** The longest pause to wait for, in milliseconds. After a longer one the next run continues. */
const longestPauseMs = 60_000;
/** Pauses to wait for, for each rail of a batch in one run. Sweeps of running batches need the provider's answers too. */
const mostPauses = 4;
/** A million rows are ten thousand pages. Concurrent reads let one run read them all, so the ledger is read only once. */
export const concurrentPages = 4;

export type ProviderListDependencies = Needs<{ provider: 'listDisbursements'; pace: 'waitOutPause' }>;

export interface ProviderListBounds {
  readonly rail: Rail;
  readonly hasTime: () => boolean;
  /** True while enough time is left to wait until the provider's pauses are over. */
  readonly mayWait: () => boolean;
}

/**
 * The provider's list of everything ever made on a rail, in order of creation, for one run. Reads are spare, and wait out the pauses
 * that the provider demands.
 */
export const createProviderList = (bounds: ProviderListDependencies & ProviderListBounds) => {
  const { provider, pace, rail, hasTime, mayWait } = bounds;
  let pausesLeft = mostPauses;
  /** The wait that all requests of the run share. */
  let pause: Promise<boolean> | undefined;

  /**
   * Waits until a pause is over. A read waits only seconds for its turn, so a provider that answers few requests in half a minute
   * would never be read to the end. Returns false when there is no pause, when it is too long, or when the run may wait no more.
   */
  const waitOutPause = async (): Promise<boolean> => {
    if (pause !== undefined) return pause;
    if (pausesLeft === 0 || !mayWait()) return false;
    pause = pace.waitOutPause('read', longestPauseMs);
    try {
      const isOver = await pause;
      if (isOver) pausesLeft -= 1;
      return isOver;
    } finally {
      pause = undefined;
    }
  };

  const read = async (page: number): Promise<DisbursementPage> => {
    try {
      return await readPage(provider, { rail, order: 'created', page, isSpare: true }, hasTime);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable) || !(await waitOutPause())) throw error;
      return read(page);
    }
  };

  return {
    waitOutPause,
    /**
     * Returns the first page with entries made since a time, ISO 8601; undefined when time ran out. A page without times counts as
     * not older.
     */
    findFirstPage: async (since: string): Promise<number | undefined> => {
      const endsBefore = ({ disbursements }: DisbursementPage): boolean => {
        const last = disbursements.at(-1)?.createdAt;
        return last !== undefined && Date.parse(last) < Date.parse(since) - clocksDifferMs;
      };
      const first = await read(1);
      if (!endsBefore(first)) return 1;
      let [low, high] = [2, first.totalPages];
      while (low < high) {
        if (!hasTime()) return undefined;
        const middle = (low + high) >> 1;
        if (endsBefore(await read(middle))) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    /** Reads consecutive pages concurrently. Returns them in order. */
    readTogether: async (from: number, count: number): Promise<readonly DisbursementPage[]> => {
      const pages: DisbursementPage[] = [];
      const numbers = Array.from({ length: count }, (_, index) => from + index);
      await inParallel(numbers, concurrentPages, async (page) => {
        pages.push(await read(page));
      });
      return pages.toSorted((one, other) => one.page - other.page);
    },
  };
};
