import type { ChunkRecord } from '../../domain/chunk.ts';
import type { ListState } from '../../domain/follow-state.ts';
import { payoutStatusIs } from '../../domain/payout-status.ts';
import { countIn } from '../../domain/progress.ts';
import { follow } from '../../payouts/decide.ts';
import { shownBy } from '../../payouts/evidence.ts';
import type { DisbursementPage } from '../../ports/provider.ts';
import type { Rails } from './list-pages.ts';
import { openCount, pagesOf, readPage, takePage, withProvider } from './list-pages.ts';
import { manySingly, readAllChanges } from './read-changes.ts';
import { addUpTouched, askSingly, chunksWith, eachChunk } from './sweep.ts';

/** Milliseconds after which every open payout is confirmed; where the lists are too long for that, some of them. */
const confirmAfterMs = 3_600_000;

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
export const askUnseen = async (
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
export const confirmOpen = async (
  of: Rails,
  state: ListState,
  from: string,
  isSubmitting: boolean,
): Promise<ListState> => {
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
