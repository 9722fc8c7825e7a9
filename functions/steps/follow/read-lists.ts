import type { ChunkRecord } from '../../domain/chunk.ts';
import { ProviderRefused, ProviderUnavailable } from '../../domain/errors.ts';
import type { ListState } from '../../domain/follow-state.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import type { Payout, Rail } from '../../domain/payout.ts';
import { payoutStatusesThat, payoutStatusIs } from '../../domain/payout-status.ts';
import { countIn } from '../../domain/progress.ts';
import { apply } from '../../payouts/apply.ts';
import { follow } from '../../payouts/decide.ts';
import { shownBy, weigh } from '../../payouts/evidence.ts';
import type { Disbursement, DisbursementPage } from '../../ports/provider.ts';
import type { ShownPayouts } from './find-shown.ts';
import { createShownPayouts } from './find-shown.ts';
import type { Sweep, SweepDependencies } from './sweep.ts';
import { addUpTouched, askSingly, chunksWith, eachChunk } from './sweep.ts';

const withProvider = payoutStatusesThat('isWithProvider');

/** Open payouts of a rail that are sooner asked about one by one than looked for in lists. */
const few = 2;
/** Open payouts of a rail that are asked about one by one at most, where lists are too long and the changes are trusted. */
const manySingly = 200;
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
/** Milliseconds before the batch began from which changes are read at first: our clock and the provider's may differ. */
const clocksDifferMs = 5 * 60_000;
/** Milliseconds after which every open payout is confirmed; where the lists are too long for that, some of them. */
const confirmAfterMs = 3_600_000;
/** Times that a page is asked for in one sweep. */
const mostTries = 3;
/** Writes at once. */
const writesAtOnce = 16;

/** One page may show one of several disbursements: what has none of its own is looked up by its own rules, or is a person's to settle. */
const isLookedUp = ({ status, disbursementId }: Payout): boolean =>
  payoutStatusIs(status, 'isInDoubt') || (status === 'quarantined' && disbursementId === undefined);

interface Rails {
  readonly dependencies: SweepDependencies;
  readonly sweep: Sweep;
  readonly rail: Rail;
  readonly payouts: ShownPayouts;
  /** References that pages showed of payouts in doubt: they may be in doubt no longer when the next sweep reads. */
  readonly rested: Set<string>;
}

/** How many payouts of a rail the provider may still end. */
const openCount = ({ sweep, rail }: Rails): number =>
  countIn(
    [...sweep.records.values()].filter((record) => record.rail === rail),
    ...withProvider,
  );

const pagesOf = ({ dependencies }: Rails, records: number): number =>
  Math.ceil(records / dependencies.settings.providerPageLimit);

/**
 * Writes down what a page of a list shows of the batch's payouts, whatever their status: a changed word after an end and a second
 * disbursement under a reference are there too. What a page shows of others is theirs. Answers the payouts that the page shows
 * to be with the provider.
 */
const takePage = async (
  { dependencies, sweep, payouts, rested }: Rails,
  disbursements: readonly Disbursement[],
): Promise<readonly Payout[]> => {
  const shown = Map.groupBy(disbursements, ({ reference = '' }) => reference);
  shown.delete('');
  if (shown.size === 0) return [];
  const standing: Payout[] = [];
  await inParallel(await payouts.find([...shown.keys()]), writesAtOnce, async (payout) => {
    const evidence = weigh(payout, shown.get(payout.reference) ?? []);
    // Asked of how it stands when it is written: what was read of it may be old.
    const applied = await apply(dependencies, payout, (now) => (isLookedUp(now) ? undefined : follow(evidence)(now)));
    if (isLookedUp(applied.payout)) rested.add(payout.reference);
    payouts.keep(applied.payout);
    if (evidence.kind === 'fits' && payoutStatusIs(applied.payout.status, 'isWithProvider'))
      standing.push(applied.payout);
    if (applied.hasChanged) sweep.touched.add(payout.chunk);
  });
  return standing;
};

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
 * Reads a page, again where it is not answered: what the pages before it showed would be read anew in the next sweep, and a
 * provider that takes a few requests at once would never come to the last one. Each try waits for its turn.
 */
const readPage = async (
  { dependencies: { provider, settings }, rail, sweep }: Rails,
  order: 'created' | 'changed',
  status: string | undefined,
  page: number,
): Promise<DisbursementPage> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await provider.listDisbursements({
        rail,
        order,
        ...(status === undefined ? {} : { status }),
        page,
        limit: settings.providerPageLimit,
      });
    } catch (error) {
      if (!(error instanceof ProviderUnavailable) || tries >= mostTries || !sweep.hasTime()) throw error;
    }
  }
};

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
const readAllChanges = async (of: Rails, state: ListState, from: string, isSubmitting: boolean): Promise<ListState> => {
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

/** Rows by chunk. */
type ShownRows = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Rows that the lists of what is open show, by chunk. Undefined where the lists are too long: for what they are worth, or for half
 * of the time that is left.
 */
const readOpen = async (of: Rails, most: number): Promise<ShownRows | undefined> => {
  const reservedMs = of.sweep.remainingMs() / 2;
  const hasTime = (): boolean => of.sweep.remainingMs() > reservedMs;
  const shown = new Map<number, Set<number>>();
  const take = async (page: DisbursementPage): Promise<void> => {
    for (const { chunk, row } of await takePage(of, page.disbursements))
      shown.set(chunk, (shown.get(chunk) ?? new Set()).add(row));
  };
  let pages = 0;
  for (const status of of.dependencies.provider.statusLists(of.rail, 'open')) {
    const read = (page: number) => readPage(of, 'created', status, page);
    const first = await read(1);
    await take(first);
    pages += first.totalPages;
    if (pages > most) return undefined;
    // Backwards: what ends meanwhile leaves the list, and what stands behind it moves to pages that are yet to be read.
    for (let page = first.totalPages; page > 1 && hasTime(); page -= 1) await take(await read(page));
    if (first.totalPages > 2) await take(await read(1));
    if (!hasTime()) return undefined;
  }
  return shown;
};

/** How many payouts of a rail are open, and in no list of what is open. */
const unseenCount = (of: Rails, shown: ShownRows): number =>
  openCount(of) - [...shown.values()].reduce((sum, rows) => sum + rows.size, 0);

/**
 * Asks about each open payout that the lists of what is open did not show.
 *
 * @param isAsked which chunks
 * @param mark the provider's time up to which changes were read; undefined where none were
 * @returns whether one had ended before that, since the changes should have shown it; and whether all were answered
 */
const askUnseen = async (
  of: Rails,
  shown: ShownRows,
  mark?: string,
  isAsked: (record: ChunkRecord) => boolean = () => true,
): Promise<{ readonly isMissed: boolean; readonly isWhole: boolean }> => {
  const { dependencies, sweep, rail } = of;
  let isMissed = false;
  let isWhole = true;
  await addUpTouched(dependencies, sweep);
  const rowsOf = (chunk: number): ReadonlySet<number> => shown.get(chunk) ?? new Set();
  const records = chunksWith(sweep, ...withProvider).filter(
    (record) =>
      record.rail === rail && isAsked(record) && countIn([record], ...withProvider) > rowsOf(record.chunk).size,
  );
  await eachChunk(dependencies, sweep, records, ({ record, payouts }) =>
    askSingly(
      dependencies,
      sweep,
      payouts.filter(({ status, row }) => payoutStatusIs(status, 'isWithProvider') && !rowsOf(record.chunk).has(row)),
      (payout, evidence) => {
        if (evidence.kind === 'unknown') isWhole = false;
        const [told] = shownBy(evidence);
        const hasChanged = told !== undefined && told.status !== payout.status;
        if (hasChanged && mark !== undefined && (told.updatedAt ?? '') <= mark) isMissed = true;
        return follow(evidence);
      },
    ),
  );
  return { isMissed, isWhole: isWhole && sweep.stoppedAt === undefined };
};

/** The chunks of the rail to ask about next where there are too many: a few hundred payouts from where the last ones ended. */
const nextSlice = (
  { sweep, rail }: Rails,
  from: number,
): { readonly chunks: readonly number[]; readonly next: number } => {
  const records = chunksWith(sweep, ...withProvider)
    .filter((record) => record.rail === rail && record.chunk >= from)
    .toSorted((one, other) => one.chunk - other.chunk);
  let count = 0;
  const chunks: number[] = [];
  for (const record of records) {
    if (count >= manySingly) return { chunks, next: record.chunk };
    count += countIn([record], ...withProvider);
    chunks.push(record.chunk);
  }
  return { chunks, next: 0 };
};

/**
 * Confirms each open payout by the lists of what is open: nothing rests on the changes being right. As often as it costs
 * no more than a read a sweep, each hour, and each sweep while the changes leave something out.
 */
const confirmOpen = async (of: Rails, state: ListState, from: string, isSubmitting: boolean): Promise<ListState> => {
  const { sweep, dependencies } = of;
  const open = openCount(of);
  const lists = dependencies.provider.statusLists(of.rail, 'open').length;
  const pages = lists * pagesOf(of, open);
  const sweepsSince = state.sweepsSince + 1;
  const isHourly = sweep.nowMs - Date.parse(state.confirmedAt) >= confirmAfterMs;
  const cost = state.isLong === true ? open : Math.min(open, pages);
  if (open === 0 || !(cost <= sweepsSince || isHourly || state.isDistrusted)) return { ...state, sweepsSince };
  // A list that fails costs the whole confirmation, a question only itself: where lists save nothing each payout is asked about.
  const shown = open <= pages ? new Map<number, Set<number>>() : await readOpen(of, 4 * pages + 20);
  const isLong = shown === undefined;
  if (isLong) dependencies.log.warn('follow.lists_too_long', { batchId: sweep.batchId, rail: of.rail });
  const now = new Date(sweep.nowMs).toISOString();
  // Others fill the lists, or the batch is too large. While the changes are trusted some payouts are asked about each hour.
  if (isLong && !state.isDistrusted && open > sweepsSince && !(isHourly && open <= manySingly)) {
    if (!isHourly) return { ...state, isLong, sweepsSince };
    const { chunks, next } = nextSlice(of, state.slice ?? 0);
    const [until = ''] = Object.values(state.marks).toSorted();
    const { isMissed } = await askUnseen(of, new Map(), until, ({ chunk }) => chunks.includes(chunk));
    return { ...state, isLong, sweepsSince, confirmedAt: now, slice: next, isDistrusted: isMissed };
  }
  await addUpTouched(dependencies, sweep);
  // What ended while lists were read is among the changes by now: asking singly would cost a read each.
  const isMany = unseenCount(of, shown ?? new Map()) > dependencies.provider.statusLists(of.rail, 'ended').length;
  const known = isMany ? await readAllChanges(of, state, from, isSubmitting) : state;
  const [mark] = Object.values(known.marks).toSorted();
  const { isMissed, isWhole } = await askUnseen(of, shown ?? new Map(), mark ?? '');
  // What was not answered is asked again in the next sweep, not after a whole round.
  if (!isWhole) return { ...known, sweepsSince, isDistrusted: isMissed || state.isDistrusted, isLong };
  return { ...known, confirmedAt: now, sweepsSince: 0, isDistrusted: isMissed, isLong };
};

/**
 * Brings the payouts of one rail that the provider works on to what it says of them: changes first, then what they did not
 * show, each list read once for all chunks. An outage of the provider costs this sweep and nothing else.
 *
 * @param from ISO 8601 UTC: when the batch began to disburse
 * @param isSubmitting whether children may still be submitting
 */
export const readLists = async (
  dependencies: SweepDependencies,
  sweep: Sweep,
  rail: Rail,
  kept: ListState | undefined,
  from: string,
  isSubmitting: boolean,
): Promise<ListState> => {
  const payouts = createShownPayouts(dependencies, sweep, rail);
  const of = { dependencies, sweep, rail, payouts, rested: new Set<string>() };
  const began = new Date(Date.parse(from) - clocksDifferMs).toISOString();
  const now = new Date(sweep.nowMs).toISOString();
  // Whatever the batch made before the first look at the lists, it made just now.
  let state = kept ?? { marks: {}, confirmedAt: now, sweepsSince: 0, isDistrusted: false, isSubmitting: true };
  try {
    if (openCount(of) > few) {
      state = await readAllChanges(of, state, began, isSubmitting);
      await addUpTouched(dependencies, sweep);
      return await confirmOpen(of, state, began, isSubmitting);
    }
    await askUnseen(of, new Map());
    return { ...state, confirmedAt: now, sweepsSince: 0 };
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    sweep.isUnanswered = true;
    dependencies.log.warn('follow.provider_out', { batchId: sweep.batchId, rail, error: error.name });
    await addUpTouched(dependencies, sweep);
    return state;
  }
};
