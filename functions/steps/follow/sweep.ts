import type { Batch } from '../../domain/batch/batch.ts';
import type { ChunkRecord } from '../../domain/batch/chunk.ts';
import { countIn } from '../../domain/batch/progress.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import type { FollowState } from '../../domain/payout/follow-state.ts';
import type { Payout, Rail } from '../../domain/payout/payout.ts';
import type { PayoutStatus } from '../../domain/payout/payout-status.ts';
import { payoutStatusesThat } from '../../domain/payout/payout-status.ts';
import { applyAll } from '../../payouts/apply.ts';
import type { Policy } from '../../payouts/decide.ts';
import { follow, leave } from '../../payouts/decide.ts';
import { inspect } from '../../payouts/inspect.ts';
import type { FollowLedger } from '../../ports/ledger/ledger.ts';
import type { ChunkContents, PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import type { Invocation, Needs } from '../step.ts';

export type FollowDependencies = Needs<
  {
    ledger:
      | Exclude<keyof PayoutLedger, 'registerPayouts' | 'claimCall'>
      | keyof FollowLedger
      | 'getBatch'
      | 'moveBatch';
    /** Nothing that moves money. */
    provider:
      | 'lookUp'
      | 'listByReference'
      | 'listDisbursements'
      | 'pageSize'
      | 'statusLists'
      | 'downloadProof'
      | 'traits';
    files: 'putProof' | 'putSubmitManifest';
    ids: 'sortable';
  },
  'settings' | 'clock' | 'random' | 'log'
>;

export const chunksAtOnce = 8;
const questionsAtOnce = 8;
/**
 * Milliseconds kept at the end of an invocation: for what is under way when it is noticed (a question of 25 s and its write), and
 * for adding up and writing the sweep's state down.
 */
const marginMs = 60_000;

/** The chunks of a batch during one sweep, as far as they are known. */
export interface Sweep {
  readonly batchId: string;
  readonly batch: Batch;
  /** What the sweep before this one left. */
  readonly kept: FollowState;
  /** Whether children may still be submitting. */
  readonly isSubmitting: boolean;
  readonly nowMs: number;
  /** The same, ISO 8601 UTC. */
  readonly now: string;
  /** The first of its execution: what rests is looked at once more. */
  readonly isFirst: boolean;
  readonly records: Map<number, ChunkRecord>;
  /** Whether the provider left something unanswered: the next sweep comes sooner for it. */
  isUnanswered: boolean;
  /** Chunks whose payouts were moved, and which are not added up again yet. */
  readonly touched: Set<number>;
  /** The chunk to begin with, where the sweep before this one ran out of time. */
  readonly cursor: number;
  /** The first chunk that there was no time for. */
  stoppedAt: number | undefined;
  /** When something is due before the next regular sweep, milliseconds since 1970. */
  dueAt: number | undefined;
  /** Milliseconds in which something may be begun. */
  readonly remainingMs: () => number;
  readonly hasTime: () => boolean;
}

export const beginSweep = (
  nowMs: number,
  of: Pick<Sweep, 'batch' | 'kept' | 'isSubmitting' | 'isFirst' | 'cursor'>,
  records: readonly ChunkRecord[],
  invocation: Invocation,
): Sweep => {
  const remainingMs = () => invocation.remainingMs() - marginMs;
  return {
    ...of,
    batchId: of.batch.batchId,
    nowMs,
    now: new Date(nowMs).toISOString(),
    records: new Map(records.map((record) => [record.chunk, record])),
    isUnanswered: false,
    touched: new Set(),
    stoppedAt: undefined,
    dueAt: undefined,
    remainingMs,
    hasTime: () => remainingMs() > 0,
  };
};

/** What is due already was tried in this sweep, in vain: it waits for the next sweep, else an outage would make one sweep a second. */
export const comesDue = (sweep: Sweep, atMs: number): void => {
  if (atMs > sweep.nowMs) sweep.dueAt = Math.min(sweep.dueAt ?? atMs, atMs);
};

/** The records in which some payout is in one of these statuses; first those that the last sweep had no time for. */
export const chunksWith = (sweep: Sweep, ...statuses: readonly PayoutStatus[]): readonly ChunkRecord[] => {
  const found = [...sweep.records.values()].filter((record) => countIn([record], ...statuses) > 0);
  const isAfter = ({ chunk }: ChunkRecord): boolean => chunk >= sweep.cursor;
  return [...found.filter(isAfter), ...found.filter((record) => !isAfter(record))];
};

const withProvider = payoutStatusesThat('isWithProvider');

/** The chunks of a rail with payouts that the provider may still end. */
export const openChunks = ({ sweep, rail }: { readonly sweep: Sweep; readonly rail: Rail }): readonly ChunkRecord[] =>
  chunksWith(sweep, ...withProvider).filter((record) => record.rail === rail);

/** How many payouts of these chunks the provider may still end. */
export const openCount = (records: readonly ChunkRecord[]): number => countIn(records, ...withProvider);

/**
 * Adds the touched chunks up again, each once however many pages showed changes of it. A sweep that dies before leaves records that
 * are behind: the next confirmation finds what they call open, and the report the rest.
 */
export const addUpTouched = async ({ ledger }: Pick<FollowDependencies, 'ledger'>, sweep: Sweep): Promise<void> => {
  const chunks = [...sweep.touched];
  sweep.touched.clear();
  await inParallel(chunks, chunksAtOnce, async (chunk) => {
    const record = await ledger.refreshChunk(sweep.batchId, chunk);
    if (record !== undefined) sweep.records.set(chunk, record);
  });
};

/** Works on chunks one by one, some at once, while there is time; adds each up from what the work leaves. */
export const eachChunk = async (
  { ledger }: Pick<FollowDependencies, 'ledger'>,
  sweep: Sweep,
  records: readonly ChunkRecord[],
  work: (contents: ChunkContents) => Promise<readonly Payout[]>,
): Promise<void> =>
  inParallel(records, chunksAtOnce, async ({ chunk }) => {
    if (!sweep.hasTime()) {
      sweep.stoppedAt ??= chunk;
      return;
    }
    const contents = await ledger.readChunk(sweep.batchId, chunk);
    if (contents === undefined) return;
    const { record } = await ledger.recount(contents, await work(contents));
    sweep.records.set(chunk, record);
  });

/**
 * Asks the provider about each of these payouts and writes down what it says. A question that fails costs no other payout
 * anything: it is asked again in the next sweep. Answers the payouts as they then stand.
 */
export const lookUpEach = async (
  dependencies: FollowDependencies,
  sweep: Sweep,
  payouts: readonly Payout[],
  policyOf: (payout: Payout, evidence: Awaited<ReturnType<typeof inspect>>) => Policy = (_payout, evidence) =>
    follow(evidence),
): Promise<readonly Payout[]> => {
  const ask = async (payout: Payout): Promise<Policy> => {
    const { batchId, chunk, row } = payout;
    if (!sweep.hasTime()) {
      sweep.stoppedAt ??= chunk;
      return leave;
    }
    const evidence = await inspect(dependencies.provider, payout);
    if (evidence.kind === 'unknown') {
      sweep.isUnanswered = true;
      dependencies.log.warn('payout.not_answered', { batchId, chunk, row, cause: evidence.cause });
    }
    return policyOf(payout, evidence);
  };
  return applyAll(dependencies, payouts, ask, questionsAtOnce);
};
