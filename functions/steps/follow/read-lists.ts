import type { ChunkRecord } from '../../domain/batch/chunk.ts';
import { earliest } from '../../domain/batch/progress.ts';
import { ProviderRefused, ProviderUnavailable } from '../../domain/errors.ts';
import type { ListState } from '../../domain/payout/follow-state.ts';
import type { Rail } from '../../domain/payout/payout.ts';
import { payoutStatusIs } from '../../domain/payout/payout-status.ts';
import { clocksDifferMs } from '../../domain/payout/polling.ts';
import { follow } from '../../payouts/decide.ts';
import { shownBy } from '../../payouts/evidence.ts';
import type { RailSweep } from './list-pages.ts';
import { createShownPayouts, readPage, takePage } from './list-pages.ts';
import { manySingly, readAllChanges } from './read-changes.ts';
import type { FollowDependencies, Sweep } from './sweep.ts';
import { addUpTouched, eachChunk, lookUpEach, openChunks, openCount } from './sweep.ts';

/** Open payouts of a rail that are sooner asked about one by one than looked for in lists. */
const few = 2;
/** Milliseconds after which every open payout is confirmed; where the lists are too long for that, some of them. */
const confirmAfterMs = 3_600_000;

/** The chunk of each row that is shown. */
type ShownRows = ReadonlyMap<number, number>;

/**
 * What the lists of what is open show. Undefined where they are too long: for what they are worth, or for half of the time
 * that is left.
 */
const readOpen = async (of: RailSweep, most: number): Promise<ShownRows | undefined> => {
  const reservedMs = of.sweep.remainingMs() / 2;
  const hasTime = (): boolean => of.sweep.remainingMs() > reservedMs;
  const shown = new Map<number, number>();
  let pages = 0;
  for (const status of of.dependencies.provider.statusLists(of.rail, 'open')) {
    const read = async (page: number): Promise<number> => {
      const { disbursements, totalPages } = await readPage(of, 'created', status, page);
      for (const { chunk, row } of await takePage(of, disbursements)) shown.set(row, chunk);
      return totalPages;
    };
    const last = await read(1);
    pages += last;
    if (pages > most) return undefined;
    // Backwards: what ends meanwhile leaves the list, and what stands behind it moves to pages that are yet to be read.
    for (let page = last; page > 1 && hasTime(); page -= 1) await read(page);
    if (last > 2) await read(1);
    if (!hasTime()) return undefined;
  }
  return shown;
};

/** The chunks with more open payouts than were shown, and how many more. What was made since the sweep began may be shown too. */
const withUnseen = (records: readonly ChunkRecord[], shown: ShownRows) => {
  const shownIn = Map.groupBy(shown.values(), (chunk) => chunk);
  return records
    .map((record) => ({ record, unseen: openCount([record]) - (shownIn.get(record.chunk)?.length ?? 0) }))
    .filter(({ unseen }) => unseen > 0);
};

/**
 * Asks about each open payout of these chunks that the lists of what is open did not show.
 *
 * @returns whether one had changed before the marks, since the changes should have shown it; and whether all were answered
 */
const askUnseen = async (
  { dependencies, sweep }: RailSweep,
  records: readonly ChunkRecord[],
  shown: ShownRows,
  { marks }: ListState,
): Promise<{ readonly isMissed: boolean; readonly isWhole: boolean }> => {
  let isMissed = false;
  let isWhole = true;
  const mark = earliest(Object.values(marks)) ?? '';
  const wanting = withUnseen(records, shown).map(({ record }) => record);
  await eachChunk(dependencies, sweep, wanting, ({ payouts }) =>
    lookUpEach(
      dependencies,
      sweep,
      payouts.filter(({ status, row }) => payoutStatusIs(status, 'isWithProvider') && !shown.has(row)),
      (payout, evidence) => {
        if (evidence.kind === 'unknown') isWhole = false;
        const [told] = shownBy(evidence);
        if (told !== undefined && told.status !== payout.status) isMissed ||= (told.updatedAt ?? '') <= mark;
        return follow(evidence);
      },
    ),
  );
  return { isMissed, isWhole: isWhole && sweep.stoppedAt === undefined };
};

/** The chunks to ask about next where there are too many: a few hundred payouts from where the last ones ended. */
const nextSlice = (of: RailSweep, from: number): { readonly asked: readonly ChunkRecord[]; readonly slice: number } => {
  const asked: ChunkRecord[] = [];
  for (const record of openChunks(of).toSorted((one, other) => one.chunk - other.chunk)) {
    if (openCount(asked) >= manySingly) return { asked, slice: record.chunk };
    if (record.chunk >= from) asked.push(record);
  }
  return { asked, slice: 0 };
};

/** Whether reading what has ended costs less than asking about each: there is one list of it a status. */
const hasManyUnseen = ({ dependencies: { provider }, rail }: RailSweep, unseen: number): boolean =>
  provider.pageSize(rail) > 0 && unseen > provider.statusLists(rail, 'ended').length;

/**
 * Confirms each open payout by the lists of what is open: nothing rests on the changes being right. As often as it costs
 * no more than a read a sweep, each hour, and each sweep while the changes leave something out. Sweeps beside submitting
 * do not count: what is submitted next would have to be confirmed again.
 */
const confirmOpen = async (of: RailSweep, state: ListState): Promise<ListState> => {
  const { sweep, rail, dependencies } = of;
  const { provider, log } = dependencies;
  const open = openCount(openChunks(of));
  const pages = provider.statusLists(rail, 'open').length * Math.ceil(open / provider.pageSize(rail));
  const sweepsSince = state.sweepsSince + Number(!sweep.isSubmitting);
  const isHourly = sweep.nowMs - Date.parse(state.confirmedAt) >= confirmAfterMs;
  const isDue = (requests: number): boolean => state.isDistrusted || isHourly || open <= few || requests <= sweepsSince;
  if (open === 0 || !isDue(state.isLong === true ? open : Math.min(open, pages))) return { ...state, sweepsSince };
  // A list that fails costs the whole confirmation, a question only itself: where lists save nothing each payout is asked about.
  const isSingly = open <= Math.max(few, pages);
  const shown = isSingly ? new Map<number, number>() : await readOpen(of, 4 * pages + 20);
  const isLong = shown === undefined;
  if (isLong) log.warn('follow.lists_too_long', { batchId: sweep.batchId, rail });
  if (isLong && !isDue(open)) return { ...state, isLong, sweepsSince };
  await addUpTouched(dependencies, sweep);
  // What ended while lists were read is among the changes by now: asking singly would cost a read each.
  const unseen = withUnseen(openChunks(of), shown ?? new Map()).reduce((sum, chunk) => sum + chunk.unseen, 0);
  const known = hasManyUnseen(of, unseen) ? await readAllChanges(of, state) : state;
  // Others fill the lists, or the batch is too large. While the changes are trusted some payouts are asked about each hour.
  const isPart = isLong && !state.isDistrusted && open > Math.max(sweepsSince, manySingly);
  const { asked, slice } = isPart ? nextSlice(of, state.slice ?? 0) : { asked: openChunks(of), slice: 0 };
  const { isMissed, isWhole } = await askUnseen(of, asked, shown ?? new Map(), known);
  // What was not answered is asked again in the next sweep, not after a whole round. A slice has its turn again.
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
 * Brings the payouts of one rail that the provider works on to what it says of them: changes first, then what they did not
 * show, each list read once for all chunks. An outage of the provider costs this sweep and nothing else.
 */
export const readLists = async (dependencies: FollowDependencies, sweep: Sweep, rail: Rail): Promise<ListState> => {
  const payouts = createShownPayouts(dependencies, sweep, rail);
  const { batch, kept, now } = sweep;
  const began = new Date(Date.parse(batch.statusSince) - clocksDifferMs).toISOString();
  const of: RailSweep = { dependencies, sweep, rail, began, payouts, hasShownDoubt: false };
  const hasLists = dependencies.provider.pageSize(rail) > 0;
  // Whatever the batch made before the first look at the lists, it made just now.
  let state = kept.lists?.[rail] ?? {
    marks: {},
    confirmedAt: now,
    sweepsSince: 0,
    isDistrusted: false,
    isSubmitting: true,
  };
  try {
    // Without lists nothing tells of changes: each sweep asks about each payout.
    if (!hasLists) state = { ...state, isDistrusted: true };
    else if (openCount(openChunks(of)) > few) state = await readAllChanges(of, state);
    return await confirmOpen(of, state);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    // That there are none was just found out.
    if (hasLists && dependencies.provider.pageSize(rail) === 0) return readLists(dependencies, sweep, rail);
    sweep.isUnanswered = true;
    dependencies.log.warn('follow.provider_out', { batchId: sweep.batchId, rail, error: error.name });
    await addUpTouched(dependencies, sweep);
    return state;
  }
};
