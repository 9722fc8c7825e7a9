import { earliest } from '../../domain/batch/progress.ts';
import type { ListState } from '../../domain/payout/follow-state.ts';
import type { Disbursement } from '../../ports/provider.ts';
import type { RailSweep } from './list-pages.ts';
import { readPage, takePage } from './list-pages.ts';
import { addUpTouched, openChunks, openCount } from './sweep.ts';

/** Open payouts of a rail that are asked about one by one at most, where lists are too long and the changes are trusted. */
export const manySingly = 200;
/** Pages of what the batch has just made that may be read among the changes. */
const fewPages = 4;
/** Milliseconds for which only ends are read, once others made too much among the changes. */
const manyForMs = 5 * 60_000;
/** Milliseconds of the provider's time that are read twice: a list may show a change a little after it happened. */
const overlapMs = 30_000;
/** Sweeps may be seconds apart: most of them read only so much again. */
const shortOverlapMs = 5_000;
/** Where every open payout was confirmed lately, only a change after an end can still be missing: it may wait so long. */
const longestShortMs = 5 * 60_000;

/** The name of the list of all statuses, among the marks. */
const all = 'all';

const timeOf = (ms: number): string => new Date(ms).toISOString();

const latest = (one: string, other: string): string => (one < other ? other : one);

/** Undefined where a page is not sorted by the time of the last change: then it says nothing of what comes after it. */
const oldestChange = (disbursements: readonly Disbursement[]): string | undefined => {
  const times = disbursements.map(({ updatedAt }) => updatedAt ?? '');
  const isSorted = times.every((time, index) => time !== '' && time <= (times[index - 1] ?? time));
  return isSorted ? times.at(-1) : undefined;
};

/**
 * Reads one list of changes back to a time. Answers the provider's time of the last change; undefined where the list is too
 * long to be read, or not in order.
 */
const readChanges = async (of: RailSweep, list: string, stop: string, most: number): Promise<string | undefined> => {
  let newest = '';
  for (let page = 1; page <= most && of.sweep.hasTime(); page += 1) {
    const { disbursements, totalPages } = await readPage(of, 'changed', list === all ? undefined : list, page);
    if (disbursements.length === 0) return newest;
    const oldest = oldestChange(disbursements);
    // What an ordered page shows of before was read before.
    const isNew = ({ updatedAt = '' }: Disbursement): boolean => oldest === undefined || updatedAt >= stop;
    await takePage(of, disbursements.filter(isNew));
    if (oldest === undefined) return undefined;
    if (page === 1) newest = disbursements[0]?.updatedAt ?? '';
    if (oldest < stop || page >= totalPages) return newest;
  }
  return undefined;
};

/** How far the changes are read back: each list to its mark, and some more before it. */
const reachOf = ({ marks, recent = {}, markedAt = '', confirmedAt }: ListState, nowMs: number) => {
  const isShort =
    Object.keys(recent).length > 0 &&
    nowMs - Date.parse(latest(markedAt, confirmedAt)) < overlapMs &&
    nowMs - Date.parse(markedAt) < longestShortMs;
  return isShort ? { isShort, marks: recent, againMs: shortOverlapMs } : { isShort, marks, againMs: overlapMs };
};

/**
 * Reads lists back to their marks, and some more. Answers their new marks, the old one of a list that could not be read, and
 * whether all could.
 */
const readBack = async (
  of: RailSweep,
  lists: readonly string[],
  { marks, againMs }: ReturnType<typeof reachOf>,
  most: number,
): Promise<{ readonly read: Readonly<Record<string, string>>; readonly isWhole: boolean }> => {
  const read: Record<string, string> = {};
  let isWhole = true;
  // A list shows everything up to what another showed before it was read.
  let seen = Object.values(marks).reduce(latest, of.began);
  for (const list of lists) {
    const mark = marks[list] ?? earliest(Object.values(marks)) ?? of.began;
    const newest = await readChanges(of, list, timeOf(Date.parse(mark) - againMs), most);
    seen = latest(seen, newest ?? '');
    read[list] = newest === undefined ? mark : seen;
    isWhole &&= newest !== undefined;
  }
  return { read, isWhole };
};

/**
 * Reads what changed since the last sweep, and adds up the chunks in which it did. Where that is worth it one list tells all.
 * After the batch or others made more than that, only what has ended is read: one list a status.
 */
export const readAllChanges = async (of: RailSweep, state: ListState): Promise<ListState> => {
  const { sweep, dependencies, rail, began } = of;
  const { nowMs, now, isSubmitting } = sweep;
  const open = openCount(openChunks(of));
  const pages = Math.ceil(open / dependencies.provider.pageSize(rail));
  const budget = 2 * pages + fewPages;
  // Others end more than that: reading on costs less than asking about each.
  const budgetOfEnds = Math.max(budget, Math.min(open, manySingly));
  const reach = reachOf(state, nowMs);
  const start = timeOf(Date.parse(earliest(Object.values(reach.marks)) ?? began) - reach.againMs);
  // Children may have made something until the first sweep after the last one's end.
  const hasMadeMany = (isSubmitting || state.isSubmitting === true) && pages > fewPages;
  let manyUntil = hasMadeMany ? now : (state.manyUntil ?? '');
  const mayReadAll = !isSubmitting && start >= manyUntil;
  let found = mayReadAll ? await readBack(of, [all], reach, budget) : undefined;
  if (found?.isWhole !== true) {
    if (mayReadAll) manyUntil = timeOf(nowMs + manyForMs);
    found = await readBack(of, dependencies.provider.statusLists(rail, 'ended'), reach, budgetOfEnds);
  }
  await addUpTouched(dependencies, sweep);
  return {
    ...state,
    isSubmitting,
    isDistrusted: state.isDistrusted || !found.isWhole,
    manyUntil,
    recent: of.hasShownDoubt ? {} : found.read,
    ...(reach.isShort ? {} : { marks: found.read, markedAt: now }),
  };
};
