import type { Tallies } from '../money/tally.ts';
import { sumTallies } from '../money/tally.ts';
import type { Rail } from '../payout/payout.ts';
import type { PayoutStatus } from '../payout/payout-status.ts';
import { payoutStatuses, payoutStatusesBeforeAnEnd, payoutStatusesThat } from '../payout/payout-status.ts';
import { proofsDue, proofsExpected } from '../payout/proofs.ts';
import type { OrchestratorSettings } from '../settings.ts';
import type { Batch } from './batch.ts';
import type { Permission } from './batch-status.ts';
import { permissionOf } from './batch-status.ts';
import { heldByCanary } from './canary-hold.ts';
import type { ChunkRecord, ContradictionTally, WaitingStatus } from './chunk.ts';
import { waitingStatuses } from './chunk.ts';

/** What a batch's chunk records add up to. */
export interface Progress {
  /** When the first of the records was read, ISO 8601 UTC: whatever changed later may be missing. */
  readonly asOf: string;
  /** Chunks that are registered. */
  readonly chunks: number;
  /** Payouts of those chunks. */
  readonly payouts: number;
  readonly currencies: readonly { readonly rail: Rail; readonly currency: string; readonly tallies: Tallies }[];
  /** `expected`: completed bank transfers, but for those whose money came back before they had a proof. */
  readonly proofs: { readonly archived: number; readonly expected: number };
  /** Since when the oldest payout in each status that waits is in it; only where there is one. */
  readonly waitingSince: Partial<Record<WaitingStatus, string>>;
  /** Pending payouts of the chunks that have one which is pending for more than a day, and since when the oldest is. */
  readonly longPending: { readonly count: number; readonly since?: string };
  readonly contradictions: Omit<ContradictionTally, 'withoutProof'>;
  /** Sum of the records' versions: every change of a payout that reached its chunk's record makes it larger. */
  readonly chunkVersions: number;
}

/** Milliseconds after which a payout that is still pending makes one wonder: banks and networks need hours at most. */
const longPendingMs = 24 * 3_600_000;

/** True while something in a chunk is left to do: a payout has not ended, or a proof that may be had is not archived. */
export const isChunkOpen = (record: ChunkRecord): boolean =>
  countIn([record], ...payoutStatusesBeforeAnEnd) > 0 || proofsDue(record, false) > 0;

/** The first of these times, of one form of ISO 8601 UTC, which sorts as they follow each other; undefined of none. */
export const earliest = (times: readonly (string | undefined)[]): string | undefined =>
  times.filter((time) => time !== undefined).toSorted()[0];

/** The earliest of these times, as a field that is absent where there is none. */
const sinceOf = (times: readonly (string | undefined)[]): { since?: string } => {
  const since = earliest(times);
  return since === undefined ? {} : { since };
};

const addByCurrency = (records: readonly ChunkRecord[]): Progress['currencies'] =>
  [...Map.groupBy(records, ({ rail, currency }) => `${rail} ${currency}`).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { rail, currency } = first;
    const tallies: Tallies = {};
    for (const status of payoutStatuses) {
      const found = same.flatMap((record) => record.tallies[status] ?? []);
      if (found.length > 0) tallies[status] = sumTallies(currency, found);
    }
    return [{ rail, currency, tallies }];
  });

const waitingSinceOf = (records: readonly ChunkRecord[]): Progress['waitingSince'] => {
  const since: Partial<Record<WaitingStatus, string>> = {};
  for (const status of waitingStatuses) {
    const first = earliest(records.map(({ waitingSince }) => waitingSince[status]));
    if (first !== undefined) since[status] = first;
  }
  return since;
};

const sumOf = (records: readonly ChunkRecord[], number: (record: ChunkRecord) => number): number =>
  records.reduce((sum, record) => sum + number(record), 0);

/** @param nowMs when reading the records began */
export const sumProgress = (records: readonly ChunkRecord[], nowMs: number): Progress => {
  const currencies = addByCurrency(records);
  const longPending = records.filter(
    ({ waitingSince: { pending } }) => pending !== undefined && nowMs - Date.parse(pending) >= longPendingMs,
  );
  return {
    asOf: new Date(nowMs).toISOString(),
    chunks: records.length,
    payouts: countIn(currencies, ...payoutStatuses),
    currencies,
    proofs: { archived: sumOf(records, ({ proofs }) => proofs), expected: sumOf(records, proofsExpected) },
    waitingSince: waitingSinceOf(records),
    longPending: {
      count: countIn(longPending, 'pending'),
      ...sinceOf(longPending.map(({ waitingSince }) => waitingSince.pending)),
    },
    contradictions: {
      recorded: sumOf(records, ({ contradictions }) => contradictions.recorded),
      payouts: sumOf(records, ({ contradictions }) => contradictions.payouts),
      ...sinceOf(records.map(({ contradictions }) => contradictions.since)),
    },
    chunkVersions: sumOf(records, ({ version }) => version),
  };
};

/** How many payouts these sums, or records, count in one of these statuses. */
export const countIn = (
  counted: readonly { readonly tallies: Tallies }[],
  ...statuses: readonly PayoutStatus[]
): number =>
  counted
    .flatMap(({ tallies }) => statuses.map((status) => tallies[status]?.count ?? 0))
    .reduce((sum, count) => sum + count, 0);

/** Whether payouts are left that have never been claimed, or may be again. */
export const hasLeftToSubmit = (
  { plan }: Pick<Batch, 'plan'>,
  { payouts, currencies }: Pick<Progress, 'payouts' | 'currencies'>,
): boolean => (plan?.validRows ?? 0) > payouts || countIn(currencies, 'ready') > 0;

/**
 * What a batch that may submit has not submitted for longer than is usual: payouts that are ready, and planned ones
 * that are not registered. `since` (ISO 8601 UTC) the oldest is ready, and the batch in its status. Undefined of none.
 */
export const overdueToSubmit = (
  batch: Pick<Batch, 'status' | 'cancelRequestedAt' | 'statusSince' | 'plan' | 'claimUpTo' | 'canary'>,
  progress: Pick<Progress, 'currencies' | 'payouts' | 'waitingSince'>,
  nowMs: number,
  { readyTooLongMinutes }: Pick<OrchestratorSettings, 'readyTooLongMinutes'>,
): { readonly count: number; readonly since: string } | undefined => {
  if (permissionOf(batch) !== 'may_submit') return undefined;
  // What waits for the canary is not overdue.
  const unregistered = Math.max(0, (batch.plan?.validRows ?? 0) - heldByCanary(batch) - progress.payouts);
  const count = unregistered + countIn(progress.currencies, 'ready');
  if (count === 0) return undefined;
  const ready = progress.waitingSince.ready ?? batch.statusSince;
  // What was ready before the batch was resumed could not be submitted until then.
  const since = unregistered > 0 || ready < batch.statusSince ? batch.statusSince : ready;
  return nowMs - Date.parse(since) > readyTooLongMinutes * 60_000 ? { count, since } : undefined;
};

/** What is left to do of a batch, in payouts. */
export interface OpenWork {
  /** Ready, or not registered yet. */
  readonly toSubmit: number;
  /** Claimed by a call that no answer told of. */
  readonly inDoubt: number;
  /** With the provider, which may end them. On hold for longer than a batch waits for that does not count. */
  readonly withProvider: number;
  /** Proofs that may still be had. */
  readonly proofs: number;
}

/** @param unregistered rows of the plan that are in no record */
export const openWorkOf = (
  records: readonly ChunkRecord[],
  unregistered: number,
  nowMs: number,
  { onHoldFollowMinutes }: Pick<OrchestratorSettings, 'onHoldFollowMinutes'>,
): OpenWork => {
  // By the newest: a bank that puts one more on hold is given the same time for it, whatever else it holds.
  const notHeldForLong = records.filter(({ lastHeldAt, waitingSince }) => {
    const at = lastHeldAt ?? waitingSince.on_hold;
    return at === undefined || nowMs - Date.parse(at) < onHoldFollowMinutes * 60_000;
  });
  return {
    toSubmit: unregistered + countIn(records, 'ready'),
    inDoubt: countIn(records, ...payoutStatusesThat('isInDoubt')),
    withProvider: countIn(records, 'pending') + countIn(notHeldForLong, 'on_hold'),
    proofs: sumOf(records, (record) => proofsDue(record, false)),
  };
};

/** Whether only the provider's word, or a person, is waited for. */
export const isSettledButForOthers = ({ toSubmit, inDoubt }: OpenWork, permission: Permission): boolean =>
  inDoubt === 0 && (toSubmit === 0 || permission === 'paused');

/** Whether nothing of the batch is open any more. What waits for a person alone does not hold it up. */
export const isNothingOpen = ({ toSubmit, inDoubt, withProvider, proofs }: OpenWork): boolean =>
  toSubmit + inDoubt + withProvider + proofs === 0;
