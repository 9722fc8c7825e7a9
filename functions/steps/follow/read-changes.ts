import { earliest } from '../../domain/batch/progress.ts';
import type { ListState } from '../../domain/payout/follow-state.ts';
import { areNewestFirst, readPage } from '../../payouts/read-page.ts';
import type { Disbursement } from '../../ports/provider.ts';
import type { RailSweep } from './list-pages.ts';
import { takePage } from './list-pages.ts';
import { addUpTouched, openChunks, openCount } from './sweep.ts';

/** Maximum open payouts of a rail to look up singly when its lists are too long and the changes are trusted. */
export const manySingly = 200;
/** Extra pages allowed for payouts that the batch has just made, which appear among the changes. */
const fewPages = 4;
/** Milliseconds during which only ended payouts are read, after others made too many entries among the changes. */
const manyForMs = 5 * 60_000;
/** Milliseconds of the provider's time that are read twice, because a list may show a change a little late. */
const overlapMs = 30_000;
/** Sweeps may be seconds apart. Most of them use this shorter overlap. The full overlap is read once in as long as it is. */
const shortOverlapMs = 5_000;
/**
 * Pages of changes since the last full overlap above which reading it is put off for twice as long: it would read them all
 * again.
 */
const manyPages = 10;
/**
 * Longest time that short overlaps are used. Every open payout was confirmed lately, so only a change after an end can be
 * missing, and that may wait so long.
 */
const longestShortMs = 5 * 60_000;

/**
 * Pages read before their changes are recorded. Recording takes time, in which new changes push those already read to the next
 * page.
 */
const pagesAtOnce = 10;

/** Key of the list of all statuses, among the marks. */
const all = 'all';

const timeOf = (ms: number): string => new Date(ms).toISOString();

const latest = (one: string, other: string): string => (one < other ? other : one);

/**
 * The time of the oldest change on a page. Undefined when the page is not sorted by the time of the last change: then it proves
 * nothing about the pages after it.
 */
const oldestChange = (disbursements: readonly Disbursement[]): string | undefined => {
  const times = disbursements.map(({ updatedAt }) => updatedAt ?? '');
  return areNewestFirst(times) ? times.at(-1) : undefined;
};

/**
 * Reads one list of changes back to a time. `newest` is the provider's time of the newest change; undefined when the list is too
 * long or out of order, or time runs out.
 */
const readChanges = async (
  railSweep: RailSweep,
  list: string,
  stop: string,
  maxPages: number,
): Promise<{ readonly newest: string | undefined; readonly pages: number }> => {
  const { provider, sweep, rail } = railSweep;
  const status = list === all ? undefined : list;
  let newest = '';
  let page = 1;
  const unrecorded: (readonly Disbursement[])[] = [];
  // Each page by itself, the newest first: what an older page shows must not outweigh a newer one.
  const record = async (): Promise<void> => {
    for (const shown of unrecorded.splice(0)) await takePage(railSweep, shown);
  };
  try {
    for (; page <= maxPages && sweep.hasTime(); page += 1) {
      const query = { rail, order: 'changed', status, page } as const;
      const { disbursements, totalPages } = await readPage(provider, query, sweep.hasTime);
      if (disbursements.length === 0) return { newest, pages: page };
      const oldest = oldestChange(disbursements);
      // On an ordered page, older changes were read by an earlier sweep.
      unrecorded.push(disbursements.filter(({ updatedAt = '' }) => oldest === undefined || updatedAt >= stop));
      if (page % pagesAtOnce === 0) await record();
      if (oldest === undefined) return { newest: undefined, pages: page };
      if (page === 1) newest = disbursements[0]?.updatedAt ?? '';
      if (oldest < stop || page >= totalPages) return { newest, pages: page };
    }
    return { newest: undefined, pages: page };
  } finally {
    // A page that fails must not keep back what the pages before it showed.
    await record();
  }
};

/** How far back to read the changes: to each list's mark, minus the overlap. */
const reachOf = ({ marks, recent = {}, markedAt = '', pagesSince = 0, confirmedAt }: ListState, nowMs: number) => {
  const shortForMs = pagesSince > manyPages ? 2 * overlapMs : overlapMs;
  const isShort =
    Object.keys(recent).length > 0 &&
    nowMs - Date.parse(latest(markedAt, confirmedAt)) < shortForMs &&
    nowMs - Date.parse(markedAt) < longestShortMs;
  return isShort ? { isShort, marks: recent, againMs: shortOverlapMs } : { isShort, marks, againMs: overlapMs };
};

/**
 * Reads lists back to their marks, minus the overlap. Returns the new marks, keeping the old mark of a list that could not be
 * read. `isWhole` is true when all were read.
 */
const readBack = async (
  railSweep: RailSweep,
  lists: readonly string[],
  { marks, againMs }: ReturnType<typeof reachOf>,
  maxPages: number,
): Promise<{ readonly read: Readonly<Record<string, string>>; readonly isWhole: boolean; readonly pages: number }> => {
  const read: Record<string, string> = {};
  let isWhole = true;
  let pages = 0;
  // A list shows every change up to the newest one that another list showed before it was read.
  let seen = Object.values(marks).reduce(latest, railSweep.began);
  for (const list of lists) {
    const mark = marks[list] ?? earliest(Object.values(marks)) ?? railSweep.began;
    const changes = await readChanges(railSweep, list, timeOf(Date.parse(mark) - againMs), maxPages);
    const { newest } = changes;
    pages += changes.pages;
    seen = latest(seen, newest ?? '');
    read[list] = newest === undefined ? mark : seen;
    isWhole &&= newest !== undefined;
  }
  return { read, isWhole, pages };
};

/**
 * Reads the changes since the last sweep, and updates the counts of the affected chunks. One list of all statuses serves when it
 * is short enough. While children submit, or when the batch or others have made too many entries, reads only ended payouts, one
 * list per status.
 */
export const readAllChanges = async (railSweep: RailSweep, state: ListState): Promise<ListState> => {
  const { sweep, provider, rail, began } = railSweep;
  const { nowMs, now, isSubmitting } = sweep;
  const open = openCount(openChunks(railSweep));
  const pages = Math.ceil(open / provider.pageSize(rail));
  const reach = reachOf(state, nowMs);
  // The full overlap shows again what was read since the last one.
  const again = reach.isShort ? 0 : (state.pagesSince ?? 0);
  const budget = 2 * pages + fewPages + again;
  // Others ended more payouts than that: reading on costs less than looking up each of ours.
  const budgetOfEnds = Math.max(budget, Math.min(open, manySingly));
  const start = timeOf(Date.parse(earliest(Object.values(reach.marks)) ?? began) - reach.againMs);
  // Children may have made payouts until the first sweep after the last child's end.
  const hasMadeMany = (isSubmitting || state.isSubmitting === true) && pages > fewPages;
  let manyUntil = hasMadeMany ? now : (state.manyUntil ?? '');
  const mayReadAll = !isSubmitting && start >= manyUntil;
  let found = mayReadAll ? await readBack(railSweep, [all], reach, budget) : undefined;
  if (found?.isWhole !== true) {
    if (mayReadAll) manyUntil = timeOf(nowMs + manyForMs);
    found = await readBack(railSweep, provider.statusLists(rail, 'ended'), reach, budgetOfEnds);
  }
  await addUpTouched(railSweep);
  return {
    ...state,
    isSubmitting,
    isDistrusted: state.isDistrusted || !found.isWhole,
    manyUntil,
    recent: railSweep.hasShownDoubt ? {} : found.read,
    pagesSince: reach.isShort ? (state.pagesSince ?? 0) + found.pages : 0,
    ...(reach.isShort ? {} : { marks: found.read, markedAt: now }),
  };
};
