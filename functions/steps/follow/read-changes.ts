import type { ListState } from '../../domain/follow-state.ts';
import type { Disbursement, DisbursementPage } from '../../ports/provider.ts';
import type { Rails } from './list-pages.ts';
import { openCount, pagesOf, readPage, takePage } from './list-pages.ts';

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

/** Undefined where a page is not sorted by the time of the last change: then it says nothing of what comes after it. */
const oldestChange = ({ disbursements }: DisbursementPage): string | undefined => {
  const times = disbursements.map(({ updatedAt }) => updatedAt ?? '');
  const isSorted = times.every((time, index) => time !== '' && (index === 0 || time <= (times[index - 1] ?? '')));
  return isSorted ? times.at(-1) : undefined;
};

/** How far a list is read back: to a time, and some more before it. */
interface Reach {
  readonly until: string;
  readonly againMs: number;
}

const startOf = ({ until, againMs }: Reach): string => new Date(Date.parse(until) - againMs).toISOString();

/**
 * Reads one list of changes. Answers the provider's time of the last change; undefined where the list is too long to be read,
 * or not in order.
 */
const readChanges = async (
  of: Rails,
  status: string | undefined,
  reach: Reach,
  most: number,
): Promise<string | undefined> => {
  const { until } = reach;
  const stop = startOf(reach);
  let newest = until;
  for (let page = 1; page <= most && of.sweep.hasTime(); page += 1) {
    const read = await readPage(of, 'changed', status, page);
    if (read.disbursements.length === 0) return newest;
    const oldest = oldestChange(read);
    // What an ordered page shows of before was read before.
    const isNew = ({ updatedAt = '' }: Disbursement): boolean => oldest === undefined || updatedAt >= stop;
    await takePage(of, read.disbursements.filter(isNew));
    if (oldest === undefined) break;
    if (page === 1) newest = latest(newest, read.disbursements[0]?.updatedAt ?? '');
    if (oldest < stop || page >= read.totalPages) return newest;
  }
  return undefined;
};

const latest = (one: string, other: string): string => (one < other ? other : one);

/** The name of the list of all statuses, among the marks. */
const all = 'all';

/** Whether the changes need not be read back to the marks yet. */
const mayBeShort = ({ markedAt = '', confirmedAt }: ListState, nowMs: number): boolean =>
  nowMs - Date.parse(latest(markedAt, confirmedAt)) < overlapMs && nowMs - Date.parse(markedAt) < longestShortMs;

/**
 * Reads what changed since the last sweep. Where that is worth it one list tells all. After the batch or others made more
 * than that, only what has ended is read: one list a status.
 */
export const readAllChanges = async (
  of: Rails,
  state: ListState,
  from: string,
  isSubmitting: boolean,
): Promise<ListState> => {
  const { sweep, dependencies } = of;
  const open = openCount(of);
  const budget = 2 * pagesOf(of, open) + fewPages;
  // Others end more than that: reading on costs less than asking about each.
  const budgetOfEnds = Math.max(budget, Math.min(open, manySingly));
  const { recent, ...before } = state;
  const now = new Date(sweep.nowMs).toISOString();
  const isShort = recent !== undefined && mayBeShort(state, sweep.nowMs);
  const marks = isShort ? recent : state.marks;
  const againMs = isShort ? shortOverlapMs : overlapMs;
  const ended = dependencies.provider.statusLists(of.rail, 'ended');
  const markOf = (list: string): string => marks[list] ?? marks[all] ?? from;
  const [until = from] = ended.map(markOf).toSorted();
  // Children may have made something until the first sweep after the last one's end.
  const hasMadeMany = (isSubmitting || state.isSubmitting === true) && pagesOf(of, open) > fewPages;
  let manyUntil = hasMadeMany ? now : state.manyUntil;
  const marked = (read: Readonly<Record<string, string>>): ListState => ({
    ...before,
    isSubmitting,
    ...(isShort ? {} : { marks: read, markedAt: now }),
    ...(of.rested.size > 0 ? {} : { recent: read }),
  });
  if (!isSubmitting && (manyUntil === undefined || startOf({ until, againMs }) >= manyUntil)) {
    const newest = await readChanges(of, undefined, { until, againMs }, budget);
    if (newest !== undefined) return marked({ [all]: newest });
    manyUntil = new Date(sweep.nowMs + manyForMs).toISOString();
  }
  const read: Record<string, string> = {};
  let isWhole = true;
  // A list shows everything up to what another showed before it was read.
  let seen = Object.values(marks).reduce(latest, from);
  for (const status of ended) {
    const newest = await readChanges(of, status, { until: markOf(status), againMs }, budgetOfEnds);
    isWhole &&= newest !== undefined;
    if (newest !== undefined) seen = latest(seen, newest);
    read[status] = newest === undefined ? markOf(status) : seen;
  }
  return {
    ...marked(read),
    isDistrusted: state.isDistrusted || !isWhole,
    ...(manyUntil === undefined ? {} : { manyUntil }),
  };
};
