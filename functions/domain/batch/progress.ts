import * as z from 'zod';
import { dayMs } from '../durations.ts';
import { given, givenBy } from '../given.ts';
import { storedCurrencyTallies } from '../money/money-records.ts';
import type { Tallies } from '../money/tally.ts';
import { sumTallies } from '../money/tally.ts';
import { once } from '../once.ts';
import type { PayoutStatus } from '../payout/payout-status.ts';
import {
  payoutStatuses,
  payoutStatusesBeforeAnEnd,
  payoutStatusesNotAtProvider,
  payoutStatusesThat,
} from '../payout/payout-status.ts';
import { proofsDue, proofsExpected } from '../payout/proofs.ts';
import { counter, record } from '../records.ts';
import type { OrchestratorSettings } from '../settings.ts';
import type { Batch } from './batch.ts';
import type { PermissionToClaim } from './batch-status.ts';
import { permissionToClaim } from './batch-status.ts';
import { heldByCanary } from './canary-hold.ts';
import type { ChunkRecord, WaitingStatus } from './chunk.ts';
import { waitingStatuses } from './chunk.ts';

const since = once(() => z.string().exactOptional());

/** Totals of a batch's chunk records. */
export const storedProgress = record(() => ({
  /** When the first of the records was read, ISO 8601 UTC. Later changes may be missing. */
  asOf: z.string(),
  /** Registered chunks. */
  chunks: counter(),
  /** Payouts of those chunks. */
  payouts: counter(),
  currencies: z.array(storedCurrencyTallies()).readonly(),
  /** `expected`: completed bank transfers, except those that never get a proof. */
  proofs: z.object({ archived: counter(), expected: counter() }).readonly(),
  /** Since when the oldest payout has been in each waiting status. Absent for a status without payouts. */
  waitingSince: z.partialRecord(z.enum(waitingStatuses), z.string()).readonly(),
  /** When the oldest chunk was registered that has payouts the provider does not have, as far as known. Absent: none. */
  notAtProviderSince: since(),
  /**
   * `count`: pending payouts in chunks where one has been pending for more than a day. `since`: when the oldest became pending.
   */
  longPending: z.object({ count: counter(), since: since() }).readonly(),
  /** Sums of the chunks' tallies. */
  contradictions: z.object({ recorded: counter(), payouts: counter(), since: since() }).readonly(),
  /** Sum of the records' versions. It grows with every payout change that reaches a chunk record. */
  chunkVersions: counter(),
}));
export type Progress = z.infer<ReturnType<typeof storedProgress>>;

/** Milliseconds after which a pending payout needs attention. Banks and networks take hours at most. */
const longPendingMs = dayMs;

/** True while a chunk has work left: a payout has not ended, or an obtainable proof is not archived. */
export const isChunkOpen = (record: ChunkRecord): boolean =>
  countIn([record], ...payoutStatusesBeforeAnEnd) > 0 || proofsDue(record, false) > 0;

/** Returns the earliest time. All are in the same form of ISO 8601 UTC, which sorts by time. Undefined when there is none. */
export const earliest = (times: readonly (string | undefined)[]): string | undefined =>
  times.filter((time) => time !== undefined).toSorted()[0];

/** Returns the earliest time as `since`, or no field when there is none. */
const sinceOf = (times: readonly (string | undefined)[]) => given({ since: earliest(times) });

const addByCurrency = (records: readonly ChunkRecord[]): Progress['currencies'] =>
  [...Map.groupBy(records, ({ rail, currency }) => `${rail} ${currency}`).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { rail, currency } = first;
    const tallies = givenBy(payoutStatuses, (status) => {
      const found = same.flatMap((record) => record.tallies[status] ?? []);
      return found.length === 0 ? undefined : sumTallies(currency, found);
    });
    return [{ rail, currency, tallies }];
  });

/** Collects the earliest time of each waiting status. Statuses without a time are left out. */
export const earliestByStatus = (
  timesIn: (status: WaitingStatus) => readonly (string | undefined)[],
): Progress['waitingSince'] => givenBy(waitingStatuses, (status) => earliest(timesIn(status)));

const sumOf = (records: readonly ChunkRecord[], number: (record: ChunkRecord) => number): number =>
  records.reduce((sum, record) => sum + number(record), 0);

/** @param nowMs when reading the records began */
export const sumProgress = (records: readonly ChunkRecord[], nowMs: number): Progress => {
  const currencies = addByCurrency(records);
  const notAtProvider = records.filter((record) => countIn([record], ...payoutStatusesNotAtProvider) > 0);
  const longPending = records.filter(
    ({ waitingSince: { pending } }) => pending !== undefined && nowMs - Date.parse(pending) >= longPendingMs,
  );
  return {
    asOf: new Date(nowMs).toISOString(),
    chunks: records.length,
    payouts: countIn(currencies, ...payoutStatuses),
    currencies,
    proofs: { archived: sumOf(records, ({ proofs }) => proofs), expected: sumOf(records, proofsExpected) },
    waitingSince: earliestByStatus((status) => records.map(({ waitingSince }) => waitingSince[status])),
    ...given({ notAtProviderSince: earliest(notAtProvider.map(({ registeredAt }) => registeredAt)) }),
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

/** Counts payouts of these sums or records in the given statuses. */
export const countIn = (
  counted: readonly { readonly tallies: Tallies }[],
  ...statuses: readonly PayoutStatus[]
): number =>
  counted
    .flatMap(({ tallies }) => statuses.map((status) => tallies[status]?.count ?? 0))
    .reduce((sum, count) => sum + count, 0);

/** Completed bank transfers whose proof is not archived. Includes those whose proof was given up. */
export const countMissingProofs = ({ proofs: { expected, archived } }: Pick<Progress, 'proofs'>): number =>
  expected - archived;

/** True when a payout changed after the batch's reports were written. */
export const isReportOutdated = (
  { report }: Pick<Batch, 'report'>,
  { chunkVersions }: Pick<Progress, 'chunkVersions'>,
): boolean => report?.chunkVersions !== undefined && report.chunkVersions !== chunkVersions;

/** True when planned payouts are left that are not registered. */
export const hasUnregistered = ({ plan }: Pick<Batch, 'plan'>, { payouts }: Pick<Progress, 'payouts'>): boolean =>
  (plan?.validRows ?? 0) > payouts;

/** True when payouts are left that were never claimed, or may be claimed again. */
export const hasLeftToSubmit = (
  batch: Pick<Batch, 'plan'>,
  progress: Pick<Progress, 'payouts' | 'currencies'>,
): boolean => hasUnregistered(batch, progress) || countIn(progress.currencies, 'ready') > 0;

/**
 * Returns payouts that have not reached the provider for too long: planned ones that are not registered, ready ones, and those in
 * doubt. `since` (ISO 8601 UTC) is when the oldest of their chunks was registered, or the batch reached its status. When a payout
 * became `ready` does not count: each failed call would begin it anew. Undefined when there are none.
 */
export const lateToProvider = (
  batch: Pick<Batch, 'statusSince' | 'plan' | 'claimUpTo' | 'canary'>,
  progress: Pick<Progress, 'currencies' | 'payouts' | 'notAtProviderSince'>,
  nowMs: number,
  { readyTooLongMinutes }: Pick<OrchestratorSettings, 'readyTooLongMinutes'>,
): { readonly count: number; readonly since: string } | undefined => {
  // Payouts that wait for the canary are not overdue.
  const unregistered = Math.max(0, (batch.plan?.validRows ?? 0) - heldByCanary(batch) - progress.payouts);
  const count = unregistered + countIn(progress.currencies, ...payoutStatusesNotAtProvider);
  if (count === 0) return undefined;
  const registered = progress.notAtProviderSince ?? batch.statusSince;
  // Payouts that were registered before the batch was resumed could not be submitted until then.
  const since = unregistered > 0 || registered < batch.statusSince ? batch.statusSince : registered;
  return nowMs - Date.parse(since) > readyTooLongMinutes * 60_000 ? { count, since } : undefined;
};

/** Like lateToProvider, for a batch that may submit. Undefined for any other: nothing is overdue there. */
export const overdueToSubmit = (
  batch: Pick<Batch, 'status' | 'cancelRequestedAt'> & Parameters<typeof lateToProvider>[0],
  progress: Parameters<typeof lateToProvider>[1],
  nowMs: number,
  settings: Pick<OrchestratorSettings, 'readyTooLongMinutes'>,
): ReturnType<typeof lateToProvider> =>
  permissionToClaim(batch) === 'granted' ? lateToProvider(batch, progress, nowMs, settings) : undefined;

/**
 * Returns numbers of payouts with work left.
 *
 * @param unregistered rows of the plan that are in no record
 */
export const openWorkOf = (
  records: readonly ChunkRecord[],
  unregistered: number,
  nowMs: number,
  { onHoldFollowMinutes }: Pick<OrchestratorSettings, 'onHoldFollowMinutes'>,
) => {
  // The newest hold counts. When a bank puts one more payout on hold, it gets the full time for it, whatever else it holds.
  const notHeldForLong = records.filter(({ lastHeldAt, waitingSince }) => {
    const at = lastHeldAt ?? waitingSince.on_hold;
    return at === undefined || nowMs - Date.parse(at) < onHoldFollowMinutes * 60_000;
  });
  return {
    /** Ready, or not registered yet. */
    toSubmit: unregistered + countIn(records, 'ready'),
    /** Claimed by a call whose outcome is unknown. */
    inDoubt: countIn(records, ...payoutStatusesThat('isInDoubt')),
    /** With the provider, which may end them. Excludes payouts on hold for longer than a batch waits. */
    withProvider: countIn(records, 'pending') + countIn(notHeldForLong, 'on_hold'),
    /** Proofs that can still be obtained. */
    proofs: sumOf(records, (record) => proofsDue(record, false)),
  };
};
export type OpenWork = Readonly<ReturnType<typeof openWorkOf>>;

/**
 * True when the batch waits only for the provider or a person. Late payouts count as waiting for these, because nothing here has
 * moved them in time.
 *
 * @param isLate true when payouts are late to the provider: see lateToProvider
 */
export const waitsOnlyForOthers = (
  { toSubmit, inDoubt }: OpenWork,
  permission: PermissionToClaim,
  isLate: boolean,
): boolean => isLate || (inDoubt === 0 && (toSubmit === 0 || permission === 'stopped'));

/** True when nothing of the batch is open. Payouts that only a person can move do not count. */
export const isNothingOpen = ({ toSubmit, inDoubt, withProvider, proofs }: OpenWork): boolean =>
  toSubmit + inDoubt + withProvider + proofs === 0;
