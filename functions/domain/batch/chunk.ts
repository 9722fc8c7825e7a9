import * as z from 'zod';
import type { ChunkContents } from '../../ports/ledger/payout-ledger.ts';
import type { Tallies } from '../money/tally.ts';
import { once } from '../once.ts';
import type { Payout } from '../payout/payout.ts';
import type { PayoutStatusThat } from '../payout/payout-status.ts';
import { payoutStatusesThat } from '../payout/payout-status.ts';
import { counter, record } from '../records.ts';
import type { ChunkFile } from './chunk-file.ts';

/** The outcome of a call. Written once. */
const callOutcome = once(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['accepted', 'not_sent']) }).readonly(),
    z
      .object({
        kind: z.literal('rejected'),
        message: z.string(),
        isTaken: z.literal(true).exactOptional(),
        isBalanceTooLow: z.literal(true).exactOptional(),
        /** A single row was refused, in words that may concern more than this row. */
        isUnconfirmed: z.literal(true).exactOptional(),
      })
      .readonly(),
    z.object({ kind: z.literal('halted'), madeNothing: z.literal(true).exactOptional() }).readonly(),
    z.object({ kind: z.literal('unknown'), cause: z.string() }).readonly(),
  ]),
);
export type CallOutcome = z.infer<ReturnType<typeof callOutcome>>;

/** One POST that may move money. Recorded before it is made. */
export const storedCall = record(() => ({
  batchId: z.string(),
  chunk: counter(),
  /** From 1, without gaps. Creating CALL#k fails when it exists, so k is also the version of the chunk's submissions. */
  k: counter(),
  rows: z.array(counter()).readonly(),
  /** SHA-256 of the request body. */
  payloadHash: z.string(),
  claimId: z.string(),
  /** ISO 8601 UTC. */
  claimedAt: z.string(),
  outcome: callOutcome().exactOptional(),
}));
export type Call = z.infer<ReturnType<typeof storedCall>>;

export type RefusedCall = Call & { readonly outcome: Extract<CallOutcome, { readonly kind: 'rejected' }> };

/** True when a call was refused for what its rows contain. When the balance is too low, no row is at fault. */
export const isRefusedForItsRows = (call: Call | undefined): call is RefusedCall =>
  call?.outcome?.kind === 'rejected' && call.outcome.isBalanceTooLow !== true;

/** True when a call was sent, and no answer shows what it made. */
const isUnanswered = (call: Call | undefined): call is Call => call?.outcome?.kind === 'unknown';

const isAccepted = (call: Call): boolean => call.outcome?.kind === 'accepted';

/** Statuses in which a payout waits for a person, and `ready`, `pending` and `unknown`, which need attention when they last. */
export const waitingStatuses = payoutStatusesThat('isTimed');
export type WaitingStatus = PayoutStatusThat<'isTimed'>;

/** How many of a chunk's payouts the provider contradicts. See Contradiction in payout.ts. */
const storedContradictionTally = record(() => ({
  /** Recorded contradictions, noted or not. */
  recorded: counter(),
  /** Payouts with a contradiction that nobody has noted. */
  payouts: counter(),
  /** When the oldest of these was recorded, ISO 8601 UTC. */
  since: z.string().exactOptional(),
  /**
   * Completed bank transfers that never get a proof: their money came back before they had one, or a person vouched for them.
   * Absent: none.
   */
  withoutProof: counter().exactOptional(),
}));
export type ContradictionTally = z.infer<ReturnType<typeof storedContradictionTally>>;

/** The fields of a chunk record that the ledger stores in the same form. It leaves out zeros: see payout-codec.ts. */
export const chunkRecordFields = () => ({
  /** Completed bank transfers whose proof is archived. */
  proofs: counter().default(0),
  /** Completed bank transfers whose proof the provider did not have in any of the allowed attempts. Absent: none. */
  proofsGivenUp: counter().exactOptional(),
  /** Since when the oldest payout has been in each waiting status. Absent for a status without payouts. */
  waitingSince: z.partialRecord(z.enum(waitingStatuses), z.string()).readonly().default({}),
  /** When the most recent of the payouts on hold was put there, ISO 8601 UTC. Absent: none is on hold. */
  lastHeldAt: z.string().exactOptional(),
  contradictions: storedContradictionTally().default({ recorded: 0, payouts: 0 }),
  /** When it was registered, ISO 8601 UTC. */
  registeredAt: z.string(),
  version: counter(),
});

/** The chunk's item in the ledger: totals of its payouts, written once per step. */
export interface ChunkRecord
  extends Omit<ChunkFile, 'payouts'>,
    Readonly<z.infer<z.ZodObject<ReturnType<typeof chunkRecordFields>>>> {
  readonly tallies: Tallies;
}

/** The chunk's next call. `k` is the number of calls so far plus one, so two concurrent decisions collide. */
export type NextCall = Pick<Call, 'k' | 'rows'>;

/** How many rows a call may have. */
export interface CallSizes {
  readonly payoutsPerCall: number;
  /** How the rows of a refused call go out again. */
  readonly afterRefusal: 'halves' | 'alone';
}

/** How many rows a call may have after these: twice as many as the newest accepted call, or half of a newer unanswered one. */
const sizeAfter = (calls: readonly Call[]): number => {
  const newest = calls.findLast((call) => isAccepted(call) || isUnanswered(call));
  const rows = newest?.rows.length ?? 0;
  return isUnanswered(newest) ? Math.ceil(rows / 2) : 2 * rows;
};

/**
 * Decides the next call of a chunk from the ledger. Undefined when no payout is `ready`. Rows without an unanswered call come
 * first, then those of the oldest unanswered call. Otherwise faulty rows whose calls take minutes would come again before those
 * behind them in the file. The last call of the first row decides which rows go with it:
 *
 * - None: all rows that were never called.
 * - One that made nothing, but not because of its rows: that call's rows.
 * - One refused for its rows, or unanswered: half of that call's rows. One faulty row would hold up the others forever. So it is
 *   alone after log2(rows) rounds. `afterRefusal` says whether refused rows go out alone instead: where each round takes many minutes,
 *   the good ones would wait for all of these.
 * - An unanswered one, and a later call was accepted: an outage is over, which left many small calls without an answer. Half of the
 *   rows of all of them, but at most twice as many as the newest accepted call, or half of a newer unanswered one. If faulty rows
 *   were the cause, they are soon alone again.
 */
export const decideNextCall = (
  { payouts, calls }: ChunkContents,
  { payoutsPerCall, afterRefusal }: CallSizes,
): NextCall | undefined => {
  const callOf = (payout: Payout): Call | undefined => calls.find(({ k }) => k === payout.call);
  const unansweredCall = (payout: Payout): number => {
    const call = callOf(payout);
    return isUnanswered(call) ? call.k : 0;
  };
  const ready = payouts
    .filter(({ status }) => status === 'ready')
    .toSorted((one, other) => unansweredCall(one) - unansweredCall(other));
  const [first] = ready;
  if (first === undefined) return undefined;
  const lastAccepted = calls.findLast(isAccepted)?.k ?? 0;
  const isFromPastOutage = (call: Call | undefined): call is Call => isUnanswered(call) && call.k < lastAccepted;
  const lastCall = callOf(first);
  const together = ready.filter(
    (payout) => payout.call === first.call || (isFromPastOutage(lastCall) && isFromPastOutage(callOf(payout))),
  );
  const halved = Math.ceil(Math.max(lastCall?.rows.length ?? 0, together.length) / 2);
  const isRefused = isRefusedForItsRows(lastCall);
  const divided = isRefused && afterRefusal === 'alone' ? 1 : halved;
  const most = isRefused || isUnanswered(lastCall) ? divided : payoutsPerCall;
  const size = Math.min(most, payoutsPerCall, isFromPastOutage(lastCall) ? sizeAfter(calls) : most);
  const rows = together.slice(0, size).map((payout) => payout.row);
  return { k: calls.length + 1, rows };
};
