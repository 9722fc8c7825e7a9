import type { ChunkContents } from '../ports/payout-ledger.ts';

/** The call a chunk should make next. `k` is the number of calls so far plus one: two who decide this at once collide. */
export interface NextCall {
  readonly k: number;
  readonly rows: readonly number[];
}

/**
 * Decides the next call of a chunk from what the ledger says, or undefined when no payout is `ready`. Payouts that
 * were in a call the provider refused go out in halves of it, so that the row at fault is found in log2(rows) rounds;
 * payouts never called, or whose call made nothing, go out together.
 */
export const decideNextCall = ({ payouts, calls }: ChunkContents, payoutsPerCall: number): NextCall | undefined => {
  const ready = payouts.filter((payout) => payout.status === 'ready');
  const [first] = ready;
  if (first === undefined) return undefined;
  const lastCall = calls.find((call) => call.k === first.call);
  const size =
    lastCall?.outcome?.kind === 'rejected' ? Math.max(1, Math.ceil(lastCall.rows.length / 2)) : payoutsPerCall;
  const together = ready.filter((payout) => payout.call === first.call);
  return {
    k: calls.length + 1,
    rows: together.slice(0, Math.min(size, payoutsPerCall)).map((payout) => payout.row),
  };
};
