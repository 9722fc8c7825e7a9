import type { Batch } from '../../domain/batch/batch.ts';
import type { ChunkRecord } from '../../domain/batch/chunk.ts';
import type { PlanSummary } from '../../domain/batch/plan.ts';
import { countIn } from '../../domain/batch/progress.ts';
import { givenBy } from '../../domain/given.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import type { FollowState, ListState, SweepPart } from '../../domain/payout/follow-state.ts';
import { sweepParts } from '../../domain/payout/follow-state.ts';
import type { Payout, Rail } from '../../domain/payout/payout.ts';
import type { PayoutStatus } from '../../domain/payout/payout-status.ts';
import { payoutStatuses, payoutStatusesThat } from '../../domain/payout/payout-status.ts';
import { applyAll } from '../../payouts/apply.ts';
import type { Policy } from '../../payouts/decide-by-evidence.ts';
import { follow, leave } from '../../payouts/decide-by-evidence.ts';
import type { Evidence } from '../../payouts/evidence.ts';
import type { LookupProvider } from '../../payouts/inspect.ts';
import { inspect } from '../../payouts/inspect.ts';
import type { Random } from '../../ports/environment.ts';
import type { FollowLedger } from '../../ports/ledger/follow-ledger.ts';
import type { ChunkContents, PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import type { Needs } from '../../ports/needs.ts';
import type { Invocation } from '../as-step.ts';

export type FollowDependencies = Needs<
  {
    ledger:
      | Exclude<keyof PayoutLedger, 'registerPayouts' | 'claimCall'>
      | keyof FollowLedger
      | 'getBatch'
      | 'moveBatch';
    /** Nothing that moves money. */
    provider: keyof LookupProvider | 'listDisbursements' | 'pageSize' | 'statusLists' | 'downloadProof';
    files: 'putProof' | 'putSubmitManifest';
    ids: 'sortable';
  },
  'settings' | 'clock' | 'random' | 'log'
>;

export const chunksAtOnce = 8;
const concurrentLookups = 8;
/**
 * Milliseconds kept at the end of an invocation. Enough to finish work in progress (a lookup of 25 s and its write), to update
 * counts and to write the sweep's state.
 */
const marginMs = 60_000;

/** One sweep's state: a batch's chunks, as far as they are known. */
export interface Sweep {
  readonly batchId: string;
  readonly batch: Batch;
  /** The notes of the previous sweep. */
  readonly kept: FollowState;
  /** The round of submitting that this execution began last, as `roundId` names it. Of number 0 when it began none. */
  readonly thisRound: string;
  /** When the sweeps of this round began, ISO 8601 UTC. */
  readonly roundSince: string;
  /** True while children may still be submitting. */
  readonly isSubmitting: boolean;
  /** What no child has registered. Nothing while children submit. */
  readonly unregistered: ReturnType<typeof unregisteredOf>;
  readonly nowMs: number;
  /** The same time, ISO 8601 UTC. */
  readonly now: string;
  /** True for the first sweep of an execution, which looks at quarantined payouts and missing proofs once more. */
  readonly isFirst: boolean;
  readonly records: Map<number, ChunkRecord>;
  /** By rail, how far the provider's lists were read. */
  readonly lists: Partial<Record<Rail, ListState>>;
  /** True once the provider left a request unanswered: then the next sweep comes sooner. */
  isUnanswered: boolean;
  /** Chunks whose payouts were moved, but whose counts are not updated yet. */
  readonly touched: Set<number>;
  /** The part that is being worked on. */
  part: SweepPart;
  /** Milliseconds kept for the parts after it. */
  reservedMs: number;
  /** Parts that were due in this sweep. */
  readonly begun: Set<SweepPart>;
  /** By part, the first chunk for which the time did not suffice. */
  readonly stoppedAt: Map<SweepPart, number>;
  /** Chunks with quarantined payouts for which the time did not suffice. */
  readonly unasked: Set<number>;
  /** The earliest time before the next regular sweep at which something is due, milliseconds since 1970. */
  dueAt: number | undefined;
  /** Milliseconds left for this part to begin new work. */
  readonly remainingMs: () => number;
  readonly hasTime: () => boolean;
}

/** Chunks of the plan without a record, and the number of their rows. */
export const unregisteredOf = ({ chunks, validRows }: PlanSummary, records: readonly ChunkRecord[]) => {
  const registered = new Set(records.map(({ chunk }) => chunk));
  return {
    chunks: Array.from({ length: chunks }, (_, index) => index + 1).filter((chunk) => !registered.has(chunk)),
    rows: Math.max(0, validRows - countIn(records, ...payoutStatuses)),
  };
};

export const beginSweep = (
  nowMs: number,
  start: Pick<Sweep, 'batch' | 'kept' | 'thisRound' | 'isSubmitting' | 'unregistered' | 'isFirst'>,
  records: readonly ChunkRecord[],
  invocation: Invocation,
): Sweep => {
  const { batch, kept, thisRound } = start;
  const now = new Date(nowMs).toISOString();
  const remainingMs = () => invocation.remainingMs() - marginMs - sweep.reservedMs;
  const sweep: Sweep = {
    ...start,
    batchId: batch.batchId,
    nowMs,
    now,
    roundSince: (kept.round === thisRound ? kept.roundSince : undefined) ?? now,
    records: new Map(records.map((record) => [record.chunk, record])),
    lists: { ...kept.lists },
    isUnanswered: false,
    touched: new Set(),
    part: 'proofs',
    reservedMs: 0,
    begun: new Set(),
    stoppedAt: new Map(),
    unasked: new Set(),
    dueAt: undefined,
    remainingMs,
    hasTime: () => remainingMs() > 0,
  };
  return sweep;
};

/** What the parts of a sweep work with. */
export type Run = FollowDependencies & { readonly sweep: Sweep };

/** A part of a sweep. Without chunks there is nothing to do in it. */
export interface Part<Own = Run> {
  readonly name: SweepPart;
  readonly chunks: (run: Own) => readonly ChunkRecord[];
  readonly work: (run: Own, chunks: readonly ChunkRecord[]) => Promise<void>;
}

/**
 * Works on the due parts of a sweep, in order. Each may use an equal share of the time that is left, and leaves to the others what
 * it does not need. So a part that never ends, such as lookups that hang, keeps no other from being done.
 */
export const eachPart = async <Own extends Pick<Run, 'sweep'>>(
  run: Own,
  parts: readonly Part<Own>[],
): Promise<void> => {
  const { sweep } = run;
  for (const [index, { name, chunks, work }] of parts.entries()) {
    const due = chunks(run);
    if (due.length === 0) continue;
    const later = parts.slice(index + 1).filter((part) => part.chunks(run).length > 0).length;
    sweep.part = name;
    sweep.begun.add(name);
    sweep.reservedMs = 0;
    sweep.reservedMs = (sweep.remainingMs() * later) / (later + 1);
    await work(run, due);
  }
  sweep.part = 'proofs';
  sweep.begun.add('proofs');
  sweep.reservedMs = 0;
};

const stopAt = ({ part, stoppedAt, unasked }: Sweep, chunk: number): void => {
  if (!stoppedAt.has(part)) stoppedAt.set(part, chunk);
  if (part === 'quarantined') unasked.add(chunk);
};

/**
 * Returns where each part begins when it is due again: at the chunk where it ran out of time. Quarantined payouts are not due for many
 * sweeps in between, and would otherwise begin with the same chunks each time.
 */
export const cursorsOf = ({ kept, begun, stoppedAt }: Sweep): NonNullable<FollowState['cursors']> =>
  givenBy(sweepParts, (part) => stoppedAt.get(part) ?? (begun.has(part) ? undefined : kept.cursors?.[part]));

/**
 * Notes when something is due next. What is due already was tried without success in this sweep and waits for the next one.
 * Otherwise an outage would cause one sweep per second.
 */
export const noteDue = (sweep: Sweep, atMs: number): void => {
  if (atMs > sweep.nowMs) sweep.dueAt = Math.min(sweep.dueAt ?? atMs, atMs);
};

/** Returns the records with payouts in one of these statuses. */
export const chunksWith = (sweep: Sweep, ...statuses: readonly PayoutStatus[]): readonly ChunkRecord[] =>
  [...sweep.records.values()].filter((record) => countIn([record], ...statuses) > 0);

const withProvider = payoutStatusesThat('isWithProvider');

/** The chunks of a rail with payouts that the provider may still end. */
export const openChunks = ({ sweep, rail }: { readonly sweep: Sweep; readonly rail: Rail }): readonly ChunkRecord[] =>
  chunksWith(sweep, ...withProvider).filter((record) => record.rail === rail);

/** The number of payouts in these chunks that the provider may still end. */
export const openCount = (records: readonly ChunkRecord[]): number => countIn(records, ...withProvider);

/** While children submit, the table's busiest seconds are theirs, so a sweep writes a quarter as much at a time. */
const partBesideSubmits = 1 / 4;

/** The number of writes at a time, where `most` is the usual one. Once its time is up, a sweep must end before its function does. */
export const writesAtOnce = (
  { isSubmitting, hasTime }: Pick<Sweep, 'isSubmitting' | 'hasTime'>,
  most: number,
): number => (isSubmitting && hasTime() ? Math.ceil(most * partBesideSubmits) : most);

/** Chunks whose counts are updated between two looks at the time. */
const chunksPerLook = 100;

/**
 * Updates the counts of touched chunks, once each, however many pages showed changes. If a sweep dies before this, the next
 * confirmation finds payouts that outdated records call open, and the report finds the rest.
 */
export const addUpTouched = async (run: Needs<{ ledger: 'refreshChunk' }> & Pick<Run, 'sweep'>): Promise<void> => {
  const { ledger, sweep } = run;
  const chunks = [...sweep.touched];
  sweep.touched.clear();
  for (let from = 0; from < chunks.length; from += chunksPerLook)
    await inParallel(chunks.slice(from, from + chunksPerLook), writesAtOnce(sweep, chunksAtOnce), async (chunk) => {
      const record = await ledger.refreshChunk(sweep.batchId, chunk);
      if (record !== undefined) sweep.records.set(chunk, record);
    });
};

/** The records, beginning with those that this part had no time for in the last sweep. */
const fromCursor = ({ kept, part }: Sweep, records: readonly ChunkRecord[]): readonly ChunkRecord[] => {
  const cursor = kept.cursors?.[part] ?? 0;
  const isAfter = ({ chunk }: ChunkRecord): boolean => chunk >= cursor;
  return [...records.filter(isAfter), ...records.filter((record) => !isAfter(record))];
};

/**
 * Works on chunks, several concurrently, while there is time. Updates each chunk's counts from the payouts that `work` returns.
 */
export const eachChunk = async (
  { ledger, sweep }: Run,
  records: readonly ChunkRecord[],
  work: (contents: ChunkContents) => Promise<readonly Payout[]>,
): Promise<void> =>
  inParallel(fromCursor(sweep, records), chunksAtOnce, async ({ chunk }) => {
    if (!sweep.hasTime()) return stopAt(sweep, chunk);
    const contents = await ledger.readChunk(sweep.batchId, chunk);
    if (contents === undefined) return;
    const { record } = await ledger.recount(contents, await work(contents));
    sweep.records.set(chunk, record);
  });

/** Begins anywhere, because there may be time for only some of these: those that hang must not keep the others waiting. */
export const fromAnywhere = <Item>(random: Random, items: readonly Item[]): readonly Item[] => {
  const first = Math.floor(random() * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
};

/**
 * Looks up each of these payouts and records the answer. A failed lookup affects no other payout, and is repeated in the next
 * sweep. Returns the latest payouts.
 */
export const lookUpEach = async (
  run: Run,
  payouts: readonly Payout[],
  policyOf: (evidence: Evidence, payout: Payout) => Policy = follow,
): Promise<readonly Payout[]> => {
  const { provider, random, log, sweep } = run;
  const ask = async (payout: Payout): Promise<Policy> => {
    const { batchId, chunk, row } = payout;
    if (!sweep.hasTime()) {
      stopAt(sweep, chunk);
      return leave;
    }
    const evidence = await inspect(provider, payout);
    if (evidence.kind === 'unknown') {
      sweep.isUnanswered = true;
      log.warn('payout.not_answered', { batchId, chunk, row, cause: evidence.cause });
    }
    return policyOf(evidence, payout);
  };
  return applyAll(run, fromAnywhere(random, payouts), ask, concurrentLookups);
};
