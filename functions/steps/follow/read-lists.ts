import type { ChunkRecord } from '../../domain/batch/chunk.ts';
import { earliest } from '../../domain/batch/progress.ts';
import { hourMs } from '../../domain/durations.ts';
import { isProviderError } from '../../domain/errors.ts';
import type { ListState } from '../../domain/payout/follow-state.ts';
import type { Rail } from '../../domain/payout/payout.ts';
import { payoutStatusIs } from '../../domain/payout/payout-status.ts';
import { clocksDifferMs } from '../../domain/payout/polling.ts';
import { follow } from '../../payouts/decide-by-evidence.ts';
import { shownBy } from '../../payouts/evidence.ts';
import { readPage } from '../../payouts/read-page.ts';
import type { RailSweep } from './list-pages.ts';
import { takePage } from './list-pages.ts';
import { manySingly, readAllChanges } from './read-changes.ts';
import { createShownPayouts } from './shown-payouts.ts';
import type { Run } from './sweep.ts';
import { addUpTouched, eachChunk, lookUpEach, openChunks, openCount } from './sweep.ts';

/** Open payouts of a rail up to which single lookups are cheaper than lists. */
const mostSingly = 2;
/** Milliseconds after which every open payout is confirmed, or some of them when the lists are too long. */
const confirmAfterMs = hourMs;

/** Chunk numbers by row, for all rows that were shown. */
type ShownRows = ReadonlyMap<number, number>;

/**
 * Reads the lists of open payouts. Undefined when they are too long: they would cost more requests than they save, or more than
 * half of the time left.
 */
const readOpen = async (railSweep: RailSweep, maxPages: number): Promise<ShownRows | undefined> => {
  const { provider, sweep, rail } = railSweep;
  const reservedMs = sweep.remainingMs() / 2;
  const hasTime = (): boolean => sweep.remainingMs() > reservedMs;
  const shown = new Map<number, number>();
  let pages = 0;
  for (const status of provider.statusLists(rail, 'open')) {
    const read = async (page: number): Promise<number> => {
      const query = { rail, order: 'created', status, page } as const;
      const { disbursements, totalPages } = await readPage(provider, query, sweep.hasTime);
      for (const { chunk, row } of await takePage(railSweep, disbursements)) shown.set(row, chunk);
      return totalPages;
    };
    const last = await read(1);
    pages += last;
    if (pages > maxPages) return undefined;
    // Backward: a payout that ends meanwhile leaves the list, and later entries move to pages that are still to be read.
    for (let page = last; page > 1 && hasTime(); page -= 1) await read(page);
    if (last > 2) await read(1);
    if (!hasTime()) return undefined;
  }
  return shown;
};

/** Chunks with more open payouts than were shown, and the difference. Payouts made since the sweep began may be shown too. */
const withUnseen = (records: readonly ChunkRecord[], shown: ShownRows) => {
  const shownIn = Map.groupBy(shown.values(), (chunk) => chunk);
  return records
    .map((record) => ({ record, unseen: openCount([record]) - (shownIn.get(record.chunk)?.length ?? 0) }))
    .filter(({ unseen }) => unseen > 0);
};

/**
 * Looks up each open payout of these chunks that the lists of open payouts did not show.
 *
 * @returns isMissed: true when one had changed before the marks, so the changes should have shown it; isWhole: true when all
 *   were answered
 */
const askUnseen = async (
  railSweep: RailSweep,
  records: readonly ChunkRecord[],
  shown: ShownRows,
  { marks }: ListState,
): Promise<{ readonly isMissed: boolean; readonly isWhole: boolean }> => {
  const { sweep } = railSweep;
  let isMissed = false;
  let isWhole = true;
  const mark = earliest(Object.values(marks)) ?? '';
  const wanting = withUnseen(records, shown).map(({ record }) => record);
  await eachChunk(railSweep, wanting, ({ payouts }) =>
    lookUpEach(
      railSweep,
      payouts.filter(({ status, row }) => payoutStatusIs(status, 'isWithProvider') && !shown.has(row)),
      (evidence, payout) => {
        if (evidence.kind === 'unknown') isWhole = false;
        const [found] = shownBy(evidence);
        if (found !== undefined && found.status !== payout.status) isMissed ||= (found.updatedAt ?? '') <= mark;
        return follow(evidence);
      },
    ),
  );
  return { isMissed, isWhole: isWhole && !sweep.stoppedAt.has(sweep.part) };
};

/** Returns the next chunks to look up when there are too many: a few hundred payouts, continuing after the last ones. */
const nextSlice = (railSweep: RailSweep, from: number) => {
  const asked: ChunkRecord[] = [];
  for (const record of openChunks(railSweep).toSorted((one, other) => one.chunk - other.chunk)) {
    if (openCount(asked) >= manySingly) return { asked, slice: record.chunk };
    if (record.chunk >= from) asked.push(record);
  }
  return { asked, slice: 0 };
};

/** True when reading the lists of ended payouts, one per status, costs less than looking up each payout. */
const hasManyUnseen = ({ provider, rail }: RailSweep, unseen: number): boolean =>
  provider.pageSize(rail) > 0 && unseen > provider.statusLists(rail, 'ended').length;

const noneShown: ShownRows = new Map();

/** Most pages to read of lists in which ours fill `pages`. Others may fill three quarters of them, and 20 pages more. */
const pageBudget = (pages: number): number => 4 * pages + 20;

/**
 * Confirms each open payout by the lists of open payouts, so that nothing depends on the list of changes being right. Confirms
 * as often as that costs at most one read per sweep, and every hour, and in each sweep while the changes have gaps. Sweeps
 * during submitting do not count: payouts submitted later would need another confirmation.
 */
const confirmOpen = async (railSweep: RailSweep, state: ListState): Promise<ListState> => {
  const { provider, log, sweep, rail } = railSweep;
  const open = openCount(openChunks(railSweep));
  const pages = provider.statusLists(rail, 'open').length * Math.ceil(open / provider.pageSize(rail));
  const sweepsSince = state.sweepsSince + Number(!sweep.isSubmitting);
  const isHourly = sweep.nowMs - Date.parse(state.confirmedAt) >= confirmAfterMs;
  const isDue = (requests: number): boolean =>
    state.isDistrusted || isHourly || open <= mostSingly || requests <= sweepsSince;
  // Lists that were too long the last time are not counted on.
  const requests = state.isLong === true ? open : Math.min(open, pages);
  if (open === 0 || !isDue(requests)) return { ...state, sweepsSince };
  // A failing list costs the whole confirmation, a failing lookup only itself. So payouts are looked up singly when lists save
  // nothing.
  const isSingly = open <= Math.max(mostSingly, pages);
  const listed = isSingly ? noneShown : await readOpen(railSweep, pageBudget(pages));
  const shown = listed ?? noneShown;
  const isLong = listed === undefined;
  if (isLong) log.warn('follow.lists_too_long', { batchId: sweep.batchId, rail });
  if (isLong && !isDue(open)) return { ...state, isLong, sweepsSince };
  await addUpTouched(railSweep);
  // Payouts that ended while lists were read are among the changes by now. Looking each up would cost a read.
  const unseen = withUnseen(openChunks(railSweep), shown).reduce((sum, chunk) => sum + chunk.unseen, 0);
  const known = hasManyUnseen(railSweep, unseen) ? await readAllChanges(railSweep, state) : state;
  // Others fill the lists, or the batch is too large. While the changes are trusted, some payouts are looked up each hour.
  const isPart = isLong && !state.isDistrusted && open > Math.max(sweepsSince, manySingly);
  const { asked, slice } = isPart ? nextSlice(railSweep, state.slice ?? 0) : { asked: openChunks(railSweep), slice: 0 };
  const { isMissed, isWhole } = await askUnseen(railSweep, asked, shown, known);
  // Unanswered payouts are asked about in the next sweep, not after a whole round. An unanswered slice waits for its next turn.
  return {
    ...known,
    isLong,
    slice,
    isDistrusted: isMissed || (!isWhole && state.isDistrusted),
    confirmedAt: isWhole || isPart ? sweep.now : state.confirmedAt,
    sweepsSince: isWhole && !isPart ? 0 : sweepsSince,
  };
};

/**
 * Updates one rail's payouts that are with the provider: first from the changes, then by confirming the rest. Each list is read
 * once for all chunks. An outage of the provider costs only this sweep.
 */
export const readLists = async (run: Run, rail: Rail): Promise<ListState> => {
  const { provider, log, sweep } = run;
  const payouts = createShownPayouts(run, rail);
  const { batch, kept, now } = sweep;
  const began = new Date(Date.parse(batch.statusSince) - clocksDifferMs).toISOString();
  const railSweep: RailSweep = { ...run, rail, began, payouts, hasShownDoubt: false };
  const hasLists = provider.pageSize(rail) > 0;
  // Before the first look at the lists, all that the batch made counts as just made.
  let state = kept.lists?.[rail] ?? {
    marks: {},
    confirmedAt: now,
    sweepsSince: 0,
    isDistrusted: false,
    isSubmitting: true,
  };
  try {
    // Without lists there are no changes to read: each sweep looks up each payout.
    if (!hasLists) state = { ...state, isDistrusted: true };
    else if (openCount(openChunks(railSweep)) > mostSingly) state = await readAllChanges(railSweep, state);
    return await confirmOpen(railSweep, state);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    // The provider has just turned out to have no lists.
    if (hasLists && provider.pageSize(rail) === 0) return readLists(run, rail);
    sweep.isUnanswered = true;
    log.warn('follow.provider_out', { batchId: sweep.batchId, rail, error: error.name });
    await addUpTouched(run);
    return state;
  }
};
