import type { ChunkRecord } from '../domain/batch/chunk.ts';
import { countIn, earliest } from '../domain/batch/progress.ts';
import type { RowSet } from '../domain/batch/row-set.ts';
import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import { inParallel } from '../domain/in-parallel.ts';
import type { Payout, Rail } from '../domain/payout/payout.ts';
import type { PayoutStatus } from '../domain/payout/payout-status.ts';
import { payoutStatusesThat } from '../domain/payout/payout-status.ts';
import { clocksDifferMs } from '../domain/payout/polling.ts';
import { apply } from '../payouts/apply.ts';
import { followNews } from '../payouts/decide.ts';
import { weigh } from '../payouts/evidence.ts';
import { inspect } from '../payouts/inspect.ts';
import type { Log } from '../ports/environment.ts';
import type { PayoutLedger } from '../ports/ledger/payout-ledger.ts';
import type { Disbursement, DisbursementPage, PaymentProvider } from '../ports/provider.ts';

export interface CompareDependencies {
  readonly ledger: Pick<
    PayoutLedger,
    'getPayoutsOf' | 'getPayouts' | 'refreshChunk' | 'movePayout' | 'recordContradiction' | 'countAbsence'
  >;
  /** Nothing that moves money. */
  readonly provider: Pick<PaymentProvider, 'lookUp' | 'listByReference' | 'listDisbursements' | 'pageSize'>;
  readonly log: Log;
}

/** Payouts of a rail that are sooner asked about one by one than looked for in lists. */
const few = 10;
/** Times that a page, or a payout, is asked for in a run: each waits for its turn. */
const mostTries = 3;
/** A million rows are ten thousand pages: so many at once are read in one run, and a run reads the ledger once. */
const pagesAtOnce = 4;
const chunksAtOnce = 8;
const questionsAtOnce = 8;

/** What is held, and what is completed: all that the provider may still change, or take back. */
const compared: readonly PayoutStatus[] = ['completed', ...payoutStatusesThat('isOpen')];

/** As little of a payout as tells whether the provider shows it the same: a million of them are held at once. */
type Known = Pick<Payout, 'chunk' | 'row' | 'status'> & { readonly disbursementId?: string | undefined };

/** One rail of an ended batch during one run. */
export interface Comparison {
  readonly batchId: string;
  readonly rail: Rail;
  readonly records: readonly ChunkRecord[];
  /** Rows that were compared, in this run or one before. */
  readonly seen: RowSet;
  readonly hasTime: () => boolean;
}

interface Run extends Comparison {
  readonly dependencies: CompareDependencies;
  /** By reference. */
  readonly known: ReadonlyMap<string, Known>;
  /** How many of them are not seen. */
  left: number;
  readonly touched: Set<number>;
  /** The page to be read next; 0: the rest is to be asked about. Undefined before the first. */
  page: number | undefined;
}

const load = async ({ ledger }: CompareDependencies, comparison: Comparison): Promise<ReadonlyMap<string, Known>> => {
  const known = new Map<string, Known>();
  await inParallel(comparison.records, chunksAtOnce, async ({ chunk }) => {
    for (const payout of await ledger.getPayoutsOf(comparison.batchId, chunk)) {
      const { row, status, disbursementId, reference } = payout;
      if (compared.includes(status)) known.set(reference, { chunk, row, status, disbursementId });
    }
  });
  return known;
};

const readPage = async (
  { dependencies: { provider }, rail, hasTime }: Run,
  page: number,
): Promise<DisbursementPage> => {
  const query = { rail, order: 'created', page, isSpare: true } as const;
  for (let tries = 1; ; tries += 1) {
    try {
      return await provider.listDisbursements(query);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable) || tries >= mostTries || !hasTime()) throw error;
    }
  }
};

/**
 * The page on which what was made since a time begins; undefined when there was no time to find it. A page that tells no
 * times is read as if it did not come before.
 */
const findFirstPage = async (run: Run, since: string): Promise<number | undefined> => {
  const endsBefore = ({ disbursements }: DisbursementPage): boolean => {
    const last = disbursements.at(-1)?.createdAt;
    return last !== undefined && Date.parse(last) < Date.parse(since) - clocksDifferMs;
  };
  const first = await readPage(run, 1);
  if (!endsBefore(first)) return 1;
  let [low, high] = [2, first.totalPages];
  while (low < high) {
    if (!run.hasTime()) return undefined;
    const middle = (low + high) >> 1;
    if (endsBefore(await readPage(run, middle))) low = middle + 1;
    else high = middle;
  }
  return low;
};

const readTogether = async (run: Run, from: number, count: number): Promise<readonly DisbursementPage[]> => {
  const pages: DisbursementPage[] = [];
  const numbers = Array.from({ length: count }, (_, index) => from + index);
  await inParallel(numbers, pagesAtOnce, async (page) => {
    pages.push(await readPage(run, page));
  });
  return pages.toSorted((one, other) => one.page - other.page);
};

const saw = (run: Run, row: number): void => {
  if (run.seen.has(row)) return;
  run.seen.add(row);
  run.left -= 1;
};

/** Writes what the provider says of one payout now, where it is another thing. `shown`: by a page. */
const look = async (run: Run, { chunk, row }: Known, shown?: Disbursement): Promise<void> => {
  const { dependencies, batchId } = run;
  const { ledger, provider, log } = dependencies;
  const [payout] = await ledger.getPayouts([{ batchId, chunk, row }]);
  if (payout === undefined) return;
  const asked = {
    lookUp: (rail: Rail, id: string) => provider.lookUp(rail, id, { isSpare: true }),
    listByReference: provider.listByReference,
  };
  // A page may show one of several: what has no disbursement of its own is asked about.
  const isShown = shown !== undefined && payout.disbursementId !== undefined;
  const evidence = isShown ? weigh(payout, [shown]) : await inspect(asked, payout);
  if (evidence.kind === 'unknown') {
    log.warn('reconcile.not_answered', { batchId, chunk, row, cause: evidence.cause });
    return;
  }
  if (evidence.kind === 'absent') log.warn('reconcile.absent', { batchId, chunk, row });
  await apply(dependencies, payout, followNews(evidence));
  run.touched.add(chunk);
  // Another disbursement under its reference says nothing of its own.
  if (!isShown || shown.disbursementId === payout.disbursementId) saw(run, row);
};

const takePage = async (run: Run, disbursements: readonly Disbursement[]): Promise<void> => {
  const differing: { readonly known: Known; readonly shown: Disbursement }[] = [];
  for (const shown of disbursements) {
    const known = run.known.get(shown.reference ?? '');
    if (known === undefined) continue;
    if (known.disbursementId === shown.disbursementId && known.status === shown.status) saw(run, known.row);
    else differing.push({ known, shown });
  }
  await inParallel(differing, questionsAtOnce, ({ known, shown }) => look(run, known, shown));
};

/**
 * Reads the list of all that was made, in the order in which it was: it only grows at its end, whatever becomes of what is in
 * it, and whatever the provider makes of filters and times of change. Stops when that costs more than asking about the rest.
 */
const readPages = async (run: Run, from: number): Promise<void> => {
  run.page = from;
  let last = from;
  for (let inVain = 0; run.left > 0 && run.page <= last && inVain <= Math.max(few, run.left); ) {
    if (!run.hasTime()) return;
    const wanted = Math.ceil(run.left / run.dependencies.provider.pageSize(run.rail));
    const pages = await readTogether(run, run.page, Math.min(pagesAtOnce, wanted, last - run.page + 1));
    const before = run.left;
    for (const { disbursements, totalPages } of pages) {
      await takePage(run, disbursements);
      last = totalPages;
    }
    inVain = run.left < before ? 0 : inVain + pages.length;
    run.page += pages.length;
  }
  run.page = 0;
};

/** Asks about what no page showed, and again about what was not answered. */
const askUnseen = async (run: Run): Promise<void> => {
  for (let tries = 1; run.left > 0 && tries <= mostTries; tries += 1) {
    await inParallel(run.known.values(), questionsAtOnce, async (known) => {
      if (!run.seen.has(known.row) && run.hasTime()) await look(run, known);
    });
  }
};

/** Adds up what was moved, and what holds open payouts: who moved one before may have died before the record told of it. */
const addUp = async ({ dependencies, batchId, records, touched }: Run): Promise<readonly ChunkRecord[]> => {
  const chunks = new Set(touched);
  for (const record of records) if (countIn([record], ...payoutStatusesThat('isOpen')) > 0) chunks.add(record.chunk);
  const refreshed = new Map<number, ChunkRecord>();
  await inParallel(chunks, chunksAtOnce, async (chunk) => {
    const record = await dependencies.ledger.refreshChunk(batchId, chunk);
    if (record !== undefined) refreshed.set(chunk, record);
  });
  return records.map((record) => refreshed.get(record.chunk) ?? record);
};

export interface Compared {
  /** The rail's, as they then stand. */
  readonly records: readonly ChunkRecord[];
  readonly firstPage: number | undefined;
  /** Every payout was compared. */
  readonly isWhole: boolean;
  /** The provider gave no answer: the rest is for later. */
  readonly isOut: boolean;
  /** Where to go on: see RailLeft. */
  readonly page: number | undefined;
}

/**
 * Compares the completed and the open payouts of one rail of an ended batch with the provider's list, page by page, with what
 * requests its limit leaves. What differs is written: contradictions of ends, moves of the rest.
 */
export const compareWithLists = async (
  dependencies: CompareDependencies,
  comparison: Comparison,
  from: { readonly firstPage?: number | undefined; readonly page?: number | undefined },
): Promise<Compared> => {
  const records = comparison.records.filter((record) => countIn([record], ...compared) > 0);
  const known = await load(dependencies, { ...comparison, records });
  const left = [...known.values()].filter(({ row }) => !comparison.seen.has(row)).length;
  const run: Run = { ...comparison, records, dependencies, known, left, touched: new Set(), page: from.page };
  let { firstPage } = from;
  let isOut = false;
  try {
    if (run.page !== 0 && left > few && dependencies.provider.pageSize(run.rail) > 0) {
      firstPage ??= await findFirstPage(run, earliest(records.map(({ registeredAt }) => registeredAt)) ?? '');
      if (firstPage !== undefined) await readPages(run, run.page ?? firstPage);
    } else run.page = 0;
    if (run.page === 0) await askUnseen(run);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    dependencies.log.warn('reconcile.provider_out', { batchId: run.batchId, rail: run.rail, error: error.name });
    isOut = true;
  }
  return { records: await addUp(run), firstPage, isWhole: run.left === 0, isOut, page: run.page };
};
