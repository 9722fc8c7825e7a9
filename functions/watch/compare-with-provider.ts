import type { ChunkRecord } from '../domain/batch/chunk.ts';
import { countIn, earliest } from '../domain/batch/progress.ts';
import type { RowSet } from '../domain/batch/row-set.ts';
import { isProviderError } from '../domain/errors.ts';
import { inParallel } from '../domain/in-parallel.ts';
import type { Payout } from '../domain/payout/payout.ts';
import type { PayoutStatus } from '../domain/payout/payout-status.ts';
import { isEnd, payoutStatusesThat, payoutStatusIs } from '../domain/payout/payout-status.ts';
import { settledNotPaidCode, settledPaidCode, writtenOffCode } from '../domain/payout/retries.ts';
import type { ApplyDependencies } from '../payouts/apply.ts';
import { apply } from '../payouts/apply.ts';
import { followNews } from '../payouts/decide-by-evidence.ts';
import type { Evidence } from '../payouts/evidence.ts';
import { showsWork, weigh } from '../payouts/evidence.ts';
import type { LookupProvider } from '../payouts/inspect.ts';
import { inspect } from '../payouts/inspect.ts';
import type { Needs } from '../ports/needs.ts';
import type { Disbursement } from '../ports/provider.ts';
import type { ProviderListBounds, ProviderListDependencies } from './provider-list.ts';
import { concurrentPages, createProviderList } from './provider-list.ts';

export type CompareDependencies = ApplyDependencies &
  ProviderListDependencies &
  Needs<{
    ledger: 'getPayoutsOf' | 'getPayouts' | 'refreshChunk';
    /** Nothing that moves money. */
    provider: keyof LookupProvider | 'pageSize';
  }>;

/** The most payouts of a rail for which single lookups are cheaper than lists. */
const mostSingly = 10;
/** Attempts per run to look up a payout. Each waits for its turn. Those that end in a pause of the provider do not count. */
const lookupAttempts = 3;
const concurrentChunks = 8;
const concurrentLookups = 8;

/** Open payouts, and those that the provider or an operator ended: the provider may still change them, or take them back. */
const statusesToFind: readonly PayoutStatus[] = ['completed', 'failed', ...payoutStatusesThat('isOpen')];

/**
 * True for a payout that is looked up when no page shows it. One that was settled as not paid may be paid under a new reference
 * by now, so money would go out twice if the provider made it after all. False for a payout that was refused, or canceled before
 * it was submitted. It is compared only if a page shows it.
 */
const mustBeFound = ({ status, disbursementId, reason }: Payout): boolean =>
  disbursementId !== undefined || statusesToFind.includes(status) || reason?.code === settledNotPaidCode;

/** The few fields needed to see whether the provider shows the same: a million of these are in memory together. */
type Known = Pick<Payout, 'chunk' | 'row' | 'status'> & {
  readonly disbursementId?: string | undefined;
  readonly mustBeFound: boolean;
};

/** One rail of an ended batch during one run. */
interface Comparison extends CompareDependencies, ProviderListBounds {
  readonly batchId: string;
  /** The batch's records by chunk, of all rails. Those of this rail are brought up to date. */
  readonly records: Map<number, ChunkRecord>;
  /** Rows that were compared, in this run or an earlier one. */
  readonly seen: RowSet;
}

interface Run extends Comparison {
  /** Keyed by reference. */
  readonly known: ReadonlyMap<string, Known>;
  /** How many of those that must be found are not yet compared. */
  left: number;
  readonly touched: Set<number>;
  /** Rows that the provider works on again. The next run looks them up. */
  readonly later: Set<number>;
  readonly list: ReturnType<typeof createProviderList>;
  /** The next page to read. 0: all pages are read, and the rest is looked up singly. Undefined before the first page. */
  page: number | undefined;
}

const recordsOf = ({ records, rail }: Comparison): readonly ChunkRecord[] =>
  [...records.values()].filter((record) => record.rail === rail);

const load = async (comparison: Comparison): Promise<ReadonlyMap<string, Known>> => {
  const known = new Map<string, Known>();
  await inParallel(recordsOf(comparison), concurrentChunks, async ({ chunk }) => {
    for (const payout of await comparison.ledger.getPayoutsOf(comparison.batchId, chunk)) {
      const { row, status, disbursementId, reference, heldBy } = payout;
      // The reference is another payout's, which is compared by itself.
      if (heldBy !== undefined) continue;
      known.set(reference, { chunk, row, status, disbursementId, mustBeFound: mustBeFound(payout) });
    }
  });
  return known;
};

const markSeen = (run: Run, known: Known): void => {
  if (run.seen.has(known.row)) return;
  run.seen.add(known.row);
  if (known.mustBeFound) run.left -= 1;
};

/** Ends that an operator gave, knowing that the provider had given none. */
const decidedCodes: readonly (string | undefined)[] = [settledPaidCode, writtenOffCode];

/**
 * True when the provider works on a payout that it had ended. It may still pay a failed one, or take back a completed one. So the
 * payout counts as compared only once its end is known again.
 */
const isWorkedOnAgain = ({ status, reason }: Payout, evidence: Evidence): boolean =>
  isEnd(status) && !decidedCodes.includes(reason?.code) && showsWork(evidence);

/**
 * Records the provider's latest status of one payout if it differs. Returns true when something was recorded.
 *
 * @param shown the disbursement from a page
 */
const look = async (run: Run, known: Known, shown?: Disbursement): Promise<boolean> => {
  const { chunk, row } = known;
  const { ledger, provider, log, batchId } = run;
  const [payout] = await ledger.getPayouts([{ batchId, chunk, row }]);
  if (payout === undefined) return false;
  // A page may show only one of several disbursements. So a payout without one of its own is looked up.
  const isShown = shown !== undefined && payout.disbursementId !== undefined;
  const evidence = isShown ? weigh(payout, [shown]) : await inspect(provider, payout, { isSpare: true });
  if (evidence.kind === 'unknown') {
    log.warn('reconcile.not_answered', { batchId, chunk, row, cause: evidence.cause });
    return (await run.list.waitOutPause()) && look(run, known, shown);
  }
  if (evidence.kind === 'absent' && !payoutStatusIs(payout.status, 'endsUnpaid'))
    log.warn('reconcile.absent', { batchId, chunk, row });
  const { payout: latest, hasChanged } = await apply(run, payout, followNews(evidence));
  run.touched.add(chunk);
  if (isWorkedOnAgain(latest, evidence)) {
    log.warn('reconcile.worked_on_again', { batchId, chunk, row });
    run.later.add(row);
    // Another disbursement with its reference proves nothing about its own.
  } else if (!isShown || shown.disbursementId === payout.disbursementId) markSeen(run, known);
  return hasChanged;
};

/** Updates the counts of chunks, and their records. */
const countAgain = ({ ledger, batchId, records }: Run, chunks: Iterable<number>): Promise<void> =>
  inParallel(chunks, concurrentChunks, async (chunk) => {
    const record = await ledger.refreshChunk(batchId, chunk);
    if (record !== undefined) records.set(chunk, record);
  });

const takePage = async (run: Run, disbursements: readonly Disbursement[]): Promise<void> => {
  const differing: { readonly known: Known; readonly shown: Disbursement }[] = [];
  for (const shown of disbursements) {
    const known = run.known.get(shown.reference ?? '');
    if (known === undefined) continue;
    if (known.disbursementId === shown.disbursementId && known.status === shown.status) markSeen(run, known);
    else differing.push({ known, shown });
  }
  const changed = new Set<number>();
  await inParallel(differing, concurrentLookups, async ({ known, shown }) => {
    if (await look(run, known, shown)) changed.add(known.chunk);
  });
  // As soon as something is recorded, and not only at the end of the run: GetFileLink decides by these counts whether it gives
  // out a file that lists unpaid payouts.
  await countAgain(run, changed);
};

/**
 * Reads the list of all disbursements in order of creation. That list only grows at its end, whatever happens to its entries,
 * and however the provider handles filters and times of change. Stops when reading on costs more than looking up the rest.
 */
const readPages = async (run: Run, from: number): Promise<void> => {
  run.page = from;
  let last = from;
  for (let uselessPages = 0; run.left > 0 && run.page <= last && uselessPages <= Math.max(mostSingly, run.left); ) {
    if (!run.hasTime()) return;
    const wanted = Math.ceil(run.left / run.provider.pageSize(run.rail));
    const pages = await run.list.readTogether(run.page, Math.min(concurrentPages, wanted, last - run.page + 1));
    const before = run.left;
    for (const { disbursements, totalPages } of pages) {
      await takePage(run, disbursements);
      last = totalPages;
    }
    uselessPages = run.left < before ? 0 : uselessPages + pages.length;
    run.page += pages.length;
  }
  run.page = 0;
};

const isLeft = ({ seen, later }: Run, { mustBeFound, row }: Known): boolean =>
  mustBeFound && !seen.has(row) && !later.has(row);

/** Looks up payouts that no page showed, and retries unanswered lookups. */
const askUnseen = async (run: Run): Promise<void> => {
  for (let attempt = 1; run.left > 0 && attempt <= lookupAttempts; attempt += 1) {
    await inParallel(run.known.values(), concurrentLookups, async (known) => {
      if (isLeft(run, known) && run.hasTime() && (await look(run, known))) await countAgain(run, [known.chunk]);
    });
  }
};

/**
 * Compares the payouts of one rail of an ended batch with the provider's list, page by page. Pages and lookups are spare
 * requests of the provider's limit; searches by reference are not. Records differences: contradictions of ended payouts, moves
 * of the others.
 *
 * @returns isWhole: true when every payout that must be found was compared. isOut: true when the provider refused a read or gave
 *   no answer, and the rest is left for later. firstPage: where it began. page: where to continue (see RailLeft)
 */
export const compareWithProvider = async (
  comparison: Comparison,
  from: { readonly firstPage?: number | undefined; readonly page?: number | undefined },
) => {
  const known = await load(comparison);
  const left = [...known.values()].filter((one) => one.mustBeFound && !comparison.seen.has(one.row)).length;
  const run: Run = {
    ...comparison,
    known,
    left,
    touched: new Set(),
    later: new Set(),
    page: from.page,
    list: createProviderList(comparison),
  };
  let { firstPage } = from;
  let isOut = false;
  try {
    if (run.page !== 0 && left > mostSingly && run.provider.pageSize(run.rail) > 0) {
      firstPage ??= await run.list.findFirstPage(
        earliest(recordsOf(run).map(({ registeredAt }) => registeredAt)) ?? '',
      );
      if (firstPage !== undefined) await readPages(run, run.page ?? firstPage);
    } else run.page = 0;
    if (run.page === 0) await askUnseen(run);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    run.log.warn('reconcile.provider_out', { batchId: run.batchId, rail: run.rail, error: error.name });
    isOut = true;
  }
  // A run may have moved a payout of an open chunk earlier, and died before it updated the counts.
  const open = recordsOf(run).filter((record) => countIn([record], ...payoutStatusesThat('isOpen')) > 0);
  await countAgain(run, run.touched.union(new Set(open.map(({ chunk }) => chunk))));
  return { firstPage, isWhole: run.left === 0, isOut, page: run.page };
};
