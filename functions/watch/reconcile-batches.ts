import { ensureExecution } from '../batches/start-execution.ts';
import type { Batch } from '../domain/batch/batch.ts';
import type { ChunkRecord } from '../domain/batch/chunk.ts';
import { otherAccountOf } from '../domain/batch/plan.ts';
import { countIn, isReportOutdated, sumProgress } from '../domain/batch/progress.ts';
import { createRowSet } from '../domain/batch/row-set.ts';
import { dayMs } from '../domain/durations.ts';
import { eachByItself } from '../domain/each-by-itself.ts';
import { given } from '../domain/given.ts';
import type { Rail } from '../domain/payout/payout.ts';
import { rails } from '../domain/payout/payout.ts';
import type { RailLeft, Reconciliation } from '../domain/payout/reconciliation.ts';
import { reconcileAt } from '../domain/payout/reconciliation.ts';
import type { ReconcileLedger } from '../ports/ledger/reconcile-ledger.ts';
import type { Needs } from '../ports/needs.ts';
import { bind, ledger, pace, provider, settings, workflow } from '../runtime.ts';
import type { CompareDependencies } from './compare-with-provider.ts';
import { compareWithProvider } from './compare-with-provider.ts';

export type ReconcileDependencies = CompareDependencies &
  Needs<
    {
      ledger: keyof ReconcileLedger | 'getBatch' | 'beginExecution' | 'listChunks';
      provider: 'account';
      workflow: 'start';
      settings: 'reconcileAfterDays';
    },
    'clock'
  >;

/** Milliseconds kept at the end of an invocation: for work in progress when the time runs out, and for recording the progress. */
const marginMs = 60_000;
/** Pauses that the provider demands are waited for only while this many milliseconds are left: in the first half of a run. */
const waitingMarginMs = 420_000;
/** An alarm reports a reconciliation that is not done a day after it was due. */
const overdueMs = dayMs;

/** Explains in the batch's timeline why it is reported again. */
const why = 'The provider has changed payouts since the reports were written.';

/**
 * Compares ended batches with the provider's lists, longest overdue first. ENDED-BATCHES.md explains why, and what follows. Safe to
 * run concurrently, repeatedly or late. A batch that fails does not hold up the others, but the run then ends with an error.
 */
export const reconcileBatches = async (
  dependencies: ReconcileDependencies,
  invocation: { readonly remainingMs: () => number },
): Promise<void> => {
  const { ledger, clock, log } = dependencies;
  const within: Bounds = {
    nowMs: clock(),
    hasTime: () => invocation.remainingMs() > marginMs,
    mayWait: () => invocation.remainingMs() > waitingMarginMs,
    out: new Set(),
  };
  const { attempt, failed } = eachByItself((batchId, error) => log.warn('reconcile.failed', { batchId, error }));
  const listed = await ledger.listDueReconciliations();
  for (const one of listed) if (isOverdue(one, within)) log.alarm('BatchNotReconciled', { ...one });
  // New reports ask the provider nothing. They come first, and wait for no comparison that takes long or gets no answer.
  for (const isReport of [true, false])
    for (const one of listed) {
      if (!within.hasTime() || within.out.size === unread.length) break;
      await attempt(one.batchId, async () => {
        const due = await ledger.readReconciliation(one);
        if (due !== undefined && isReportOnly(due) === isReport) await reconcile(dependencies, due, within);
      });
    }
  if (failed.size > 0) throw new Error(`${failed.size} ended batches could not be compared`);
};

const isOverdue = ({ dueAt }: Pick<Reconciliation, 'dueAt'>, { nowMs }: Bounds): boolean =>
  nowMs - Date.parse(dueAt) > overdueMs;

interface Bounds {
  /** When this run began, milliseconds since 1970. */
  readonly nowMs: number;
  readonly hasTime: () => boolean;
  readonly mayWait: () => boolean;
  /** Rails without an answer from the provider in this run. They are left for the next run. */
  readonly out: Set<Rail>;
}

const reconcile = async (dependencies: ReconcileDependencies, due: Reconciliation, within: Bounds): Promise<void> => {
  const { ledger, provider, workflow, log } = dependencies;
  const { batchId, endedAt, round } = due;
  const batch = await ledger.getBatch(batchId);
  const isOfEarlierEnd = batch?.statusSince !== endedAt;
  // The batch has ended again since, and that end is compared by itself. This comparison only looks up what it has left.
  if (batch === undefined || (isOfEarlierEnd && !isLeftToLookUp(due))) return ledger.endReconciliation(due);
  const finish = (rest: Reconciliation): Promise<void> =>
    isOfEarlierEnd ? ledger.endReconciliation(due) : endRound(dependencies, due, rest);
  if (otherAccountOf(batch, provider.account) !== undefined) {
    // The deployed account shows none of the payouts, which would look like a complete comparison. So there is none. A day
    // later the alarm is raised, and this comparison is left out.
    log.warn('reconcile.other_account', { batchId, round });
    if (isOverdue(due, within)) await finish(due);
    return;
  }
  const { records, rest } = await compare(dependencies, batch, due, within);
  const isLeft = rest.cursor !== undefined && !isGivenUp(dependencies, rest, within);
  // Kept before a new report is begun: that ends the batch again, and then only what is kept is looked up.
  if (isLeft) await ledger.keepReconciliation(rest);
  // What only waits for single answers may wait for days. The report does not.
  if (isListRead(rest) && isToReportAnew(batch, records)) {
    log.warn('reconcile.report_outdated', { batchId });
    // It follows open payouts, and reports again.
    await ensureExecution({ ledger, workflow }, batch, 'system', why);
  }
  if (isLeft) return;
  // A new report raises the alarm itself.
  const held = isReportOnly(due) ? 0 : countIn(records, 'on_hold');
  if (held > 0) log.alarm('PayoutsHeld', { batchId, payouts: held });
  await finish(rest);
  log.info('reconcile.done', { batchId, round, isWhole: rest.cursor === undefined });
};

/** 0: chunk files were altered. Another report would find them altered again, until a person restores them and resumes. */
const isToReportAnew = (batch: Batch, records: readonly ChunkRecord[]): boolean =>
  batch.report?.chunkVersions !== 0 && isReportOutdated(batch, sumProgress(records, 0));

/** True when nothing is compared: see newReportDue. */
const isReportOnly = ({ cursor }: Pick<Reconciliation, 'cursor'>): boolean => cursor?.rails.length === 0;

/** True when the provider's lists are read to their ends, and at most single payouts are left. */
const isListRead = ({ cursor }: Pick<Reconciliation, 'cursor'>): boolean =>
  cursor?.rails.every(({ page }) => page === 0) ?? true;

const isLeftToLookUp = (begun: Pick<Reconciliation, 'cursor'>): boolean =>
  begun.cursor !== undefined && isListRead(begun);

/**
 * True when only payouts are left that the provider does not answer for, and the next comparison is due. Otherwise one such payout
 * would end all comparing of its batch. The last comparison waits as long again as it came after the batch's end.
 */
const isGivenUp = ({ settings }: ReconcileDependencies, rest: Reconciliation, { nowMs }: Bounds): boolean => {
  const { endedAt, dueAt, round } = rest;
  const next = reconcileAt(endedAt, round + 1, settings);
  const untilMs = next === undefined ? 2 * Date.parse(dueAt) - Date.parse(endedAt) : Date.parse(next);
  return nowMs >= untilMs && isListRead(rest);
};

/** Ends one comparison and makes the next one due, if one is left. */
const endRound = async (
  { ledger, settings }: ReconcileDependencies,
  due: Reconciliation,
  { cursor: _cursor, ...rest }: Reconciliation,
): Promise<void> => {
  const round = due.round + 1;
  const dueAt = reconcileAt(due.endedAt, round, settings);
  await ledger.endReconciliation(due, dueAt === undefined ? undefined : { ...rest, round, dueAt });
};

const unread: readonly RailLeft[] = rails.map((rail) => ({ rail }));

/** Continues each rail where it stopped, independently of the others. `rest` has a cursor when the comparison is incomplete. */
const compare = async (
  dependencies: ReconcileDependencies,
  { batchId, plan }: Batch,
  { cursor, firstPages, ...due }: Reconciliation,
  { hasTime, mayWait, out }: Bounds,
): Promise<{ readonly records: readonly ChunkRecord[]; readonly rest: Reconciliation }> => {
  const seen = createRowSet(plan?.rows ?? 0, cursor?.seen);
  const pages = { ...firstPages };
  const left: RailLeft[] = [];
  const listed = await dependencies.ledger.listChunks(batchId);
  const records = new Map(listed.map((record) => [record.chunk, record]));
  for (const railLeft of cursor?.rails ?? unread) {
    const { rail, page } = railLeft;
    if (!listed.some((record) => record.rail === rail)) continue;
    if (out.has(rail) || !hasTime()) {
      left.push(railLeft);
      continue;
    }
    const own = { ...dependencies, batchId, rail, records, seen, hasTime, mayWait };
    const compared = await compareWithProvider(own, { firstPage: pages[rail], page });
    if (compared.firstPage !== undefined) pages[rail] = compared.firstPage;
    if (compared.isOut) out.add(rail);
    if (!compared.isWhole) left.push({ rail, ...given({ page: compared.page }) });
  }
  const cursorLeft = left.length === 0 ? {} : { cursor: { rails: left, seen: seen.toText() } };
  return { records: [...records.values()], rest: { ...due, firstPages: pages, ...cursorLeft } };
};

const run = bind(reconcileBatches, { ledger, provider, pace, workflow, settings });

export const handler = (_event: unknown, context: { getRemainingTimeInMillis(): number }): Promise<void> =>
  run({ remainingMs: () => context.getRemainingTimeInMillis() });
