import { ensureExecution } from '../batches/start-execution.ts';
import type { Batch } from '../domain/batch/batch.ts';
import type { ChunkRecord } from '../domain/batch/chunk.ts';
import { countIn, sumProgress } from '../domain/batch/progress.ts';
import { createRowSet } from '../domain/batch/row-set.ts';
import type { Rail } from '../domain/payout/payout.ts';
import type { RailLeft, Reconciliation } from '../domain/payout/reconciliation.ts';
import { reconcileAt } from '../domain/payout/reconciliation.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { Clock } from '../ports/environment.ts';
import type { BatchLedger } from '../ports/ledger/batch-ledger.ts';
import type { ReconcileLedger } from '../ports/ledger/ledger.ts';
import type { PayoutLedger } from '../ports/ledger/payout-ledger.ts';
import type { Workflow } from '../ports/workflow.ts';
import { clock, ledger, log, provider, settings, workflow } from '../runtime.ts';
import type { CompareDependencies } from './compare-with-lists.ts';
import { compareWithLists } from './compare-with-lists.ts';

export interface ReconcileDependencies extends CompareDependencies {
  readonly ledger: CompareDependencies['ledger'] &
    ReconcileLedger &
    Pick<BatchLedger, 'getBatch' | 'beginExecution'> &
    Pick<PayoutLedger, 'listChunks'>;
  readonly workflow: Pick<Workflow, 'start'>;
  readonly settings: Pick<OrchestratorSettings, 'reconcileAfterDays'>;
  readonly clock: Clock;
}

/** Milliseconds kept at the end of an invocation: for what is under way when it is noticed, and for writing down how far it came. */
const marginMs = 60_000;
/** What is not done a day after it was due is told to a person. */
const overdueMs = 86_400_000;

/** Says which rows are reported anew, in the batch's timeline. */
const why = 'The provider has changed payouts since the reports were written.';

/**
 * Compares ended batches with the provider's lists, those first that are due the longest. README.md says why, and what comes
 * of it. May run twice, at once and late.
 */
export const reconcileBatches = async (
  dependencies: ReconcileDependencies,
  invocation: { readonly remainingMs: () => number },
): Promise<void> => {
  const { ledger, clock, log } = dependencies;
  const within: Bounds = { hasTime: () => invocation.remainingMs() > marginMs, out: new Set() };
  for (const of of await ledger.listDueReconciliations()) {
    if (clock() - Date.parse(of.dueAt) > overdueMs) log.alarm('BatchNotReconciled', { ...of });
    const mayGoOn = within.hasTime() && within.out.size < unread.length;
    const due = mayGoOn ? await ledger.readReconciliation(of) : undefined;
    if (due !== undefined) await reconcile(dependencies, due, within);
  }
};

interface Bounds {
  readonly hasTime: () => boolean;
  /** Rails on which the provider gave no answer in this run: they are left for the next one. */
  readonly out: Set<Rail>;
}

const reconcile = async (dependencies: ReconcileDependencies, due: Reconciliation, within: Bounds): Promise<void> => {
  const { ledger, settings, log } = dependencies;
  const { batchId, endedAt, round } = due;
  const batch = await ledger.getBatch(batchId);
  // It ended anew since: with that end another one is due.
  if (batch === undefined || batch.statusSince !== endedAt) {
    await ledger.endReconciliation(due);
    return;
  }
  const { records, rest } = await compare(dependencies, batch, due, within);
  if (rest.cursor !== undefined) {
    await ledger.keepReconciliation(rest);
    return;
  }
  await reportAnew(dependencies, batch, records);
  const held = countIn(records, 'on_hold');
  if (held > 0) log.alarm('PayoutsHeld', { batchId, payouts: held });
  const dueAt = reconcileAt(endedAt, round + 1, settings);
  await ledger.endReconciliation(due, dueAt === undefined ? undefined : { ...rest, round: round + 1, dueAt });
  log.info('reconcile.done', { batchId, round });
};

const unread: readonly RailLeft[] = [{ rail: 'fiat' }, { rail: 'crypto' }];

/** Each rail from where it stopped: none waits for another. `rest` has a cursor when something is left to be compared. */
const compare = async (
  dependencies: ReconcileDependencies,
  { batchId, plan }: Batch,
  { cursor, firstPages, ...due }: Reconciliation,
  { hasTime, out }: Bounds,
): Promise<{ readonly records: readonly ChunkRecord[]; readonly rest: Reconciliation }> => {
  const seen = createRowSet(plan?.rows ?? 0, cursor?.seen);
  const pages = { ...firstPages };
  const left: RailLeft[] = [];
  let records = await dependencies.ledger.listChunks(batchId);
  for (const standing of cursor?.rails ?? unread) {
    const { rail, page } = standing;
    const ofRail = records.filter((record) => record.rail === rail);
    if (ofRail.length === 0) continue;
    if (out.has(rail) || !hasTime()) {
      left.push(standing);
      continue;
    }
    const own = { batchId, rail, records: ofRail, seen, hasTime };
    const compared = await compareWithLists(dependencies, own, { firstPage: pages[rail], page });
    const stands = new Map(compared.records.map((record) => [record.chunk, record]));
    records = records.map((record) => stands.get(record.chunk) ?? record);
    if (compared.firstPage !== undefined) pages[rail] = compared.firstPage;
    if (compared.isOut) out.add(rail);
    if (!compared.isWhole) left.push({ rail, ...(compared.page === undefined ? {} : { page: compared.page }) });
  }
  const goesOn = left.length === 0 ? {} : { cursor: { rails: left, seen: seen.toText() } };
  return { records, rest: { ...due, firstPages: pages, ...goesOn } };
};

/** Gives the batch another execution where its report is out of date: it follows what is open, and reports. */
const reportAnew = async (
  { ledger, workflow, log }: ReconcileDependencies,
  batch: Batch,
  records: readonly ChunkRecord[],
): Promise<void> => {
  const reported = batch.report?.chunkVersions;
  const { chunkVersions } = sumProgress(records, 0);
  if (reported === undefined || reported === chunkVersions) return;
  log.warn('reconcile.report_outdated', { batchId: batch.batchId });
  await ensureExecution({ ledger, workflow }, batch, 'system', why);
};

export const handler = (_event: unknown, context: { getRemainingTimeInMillis(): number }): Promise<void> =>
  reconcileBatches(
    { ledger: ledger(), provider: provider(), workflow: workflow(), settings: settings(), clock, log },
    { remainingMs: () => context.getRemainingTimeInMillis() },
  );
