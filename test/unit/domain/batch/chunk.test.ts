import { describe, expect, it } from 'vitest';
import type { Call, CallOutcome } from '../../../../functions/domain/batch/chunk.ts';
import { decideNextCall } from '../../../../functions/domain/batch/chunk.ts';
import type { Payout } from '../../../../functions/domain/payout/payout.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';
import { payout } from '../../payouts/example.ts';

const callWith = (outcome: CallOutcome, k = 1, rows: readonly number[] = [1, 2, 3, 4]): Call => ({
  ...{ batchId: 'b-1', chunk: 1, k, rows, payloadHash: 'p', claimId: 'i', claimedAt: 't' },
  outcome,
});
const sizes = { payoutsPerCall: 98, afterRefusal: 'halves' } as const;
const unanswered = { kind: 'unknown', cause: 'status_500' } as const;

describe('the next call', () => {
  it('has a row of a refused call only with rows of that call', () => {
    const payouts = [
      { ...payout, row: 1, status: 'ready', call: 1 } as const,
      { ...payout, row: 5, status: 'ready' } as const,
    ];
    const calls = [callWith({ kind: 'rejected', message: 'm' })];
    const next = decideNextCall({ record: exampleChunk('b-1'), payouts, calls }, sizes);
    expect(next).toEqual({ k: 2, rows: [1] });
  });

  it.each<[string, CallOutcome, readonly number[]]>([
    ['half of the rows refused for their content', { kind: 'rejected', message: 'm' }, [1, 2]],
    [
      'all rows refused because the balance is too low',
      { kind: 'rejected', message: 'm', isBalanceTooLow: true },
      [1, 2, 3, 4],
    ],
    ['half of the rows that no answer speaks of', unanswered, [1, 2]],
    ['all rows of a call that was not sent', { kind: 'not_sent' }, [1, 2, 3, 4]],
  ])('has %s', (_, outcome, rows) => {
    const payouts = [1, 2, 3, 4].map((row) => ({ ...payout, row, status: 'ready', call: 1 }) as const);
    const next = decideNextCall({ record: exampleChunk('b-1'), payouts, calls: [callWith(outcome)] }, sizes);
    expect(next).toEqual({ k: 2, rows });
  });

  it.each<[string, CallOutcome, readonly number[]]>([
    ['one row refused for its content', { kind: 'rejected', message: 'm' }, [1]],
    [
      'all rows refused because the balance is too low',
      { kind: 'rejected', message: 'm', isBalanceTooLow: true },
      [1, 2, 3, 4],
    ],
  ])('has %s, where refused rows go out alone', (_, outcome, rows) => {
    const payouts = [1, 2, 3, 4].map((row) => ({ ...payout, row, status: 'ready', call: 1 }) as const);
    const chunk = { record: exampleChunk('b-1'), payouts, calls: [callWith(outcome)] };
    expect(decideNextCall(chunk, { payoutsPerCall: 98, afterRefusal: 'alone' })).toEqual({ k: 2, rows });
  });

  it.each<[string, CallOutcome, readonly number[]]>([
    ['twice the rows of a later call that is accepted', { kind: 'accepted' }, [1, 2]],
    ['only rows of the same call while none is', { kind: 'rejected', message: 'm' }, [1]],
  ])('of rows that were in several unanswered calls has %s', (_, outcome, rows) => {
    const payouts = [1, 2, 3, 4, 5].map((row) => ({ ...payout, row, status: 'ready', call: row }) as const);
    const calls = payouts.map(({ row, call }) => callWith(unanswered, call, [row]));
    const next = decideNextCall(
      { record: exampleChunk('b-1'), payouts, calls: [...calls, callWith(outcome, 6, [6])] },
      sizes,
    );
    expect(next).toEqual({ k: 7, rows });
  });

  it('has rows of other calls before rows of an unanswered call, and without them', () => {
    const payouts = [
      { ...payout, row: 1, status: 'ready', call: 1 } as const,
      { ...payout, row: 2, status: 'ready', call: 2 } as const,
      { ...payout, row: 3, status: 'ready' } as const,
    ];
    const calls = [
      callWith(unanswered, 1, [1]),
      callWith({ kind: 'not_sent' }, 2, [2]),
      callWith({ kind: 'accepted' }, 3, [4]),
    ];
    const next = decideNextCall({ record: exampleChunk('b-1'), payouts, calls }, sizes);
    expect(next).toEqual({ k: 4, rows: [2] });
  });
});

describe('rows of several unanswered calls', () => {
  it('come again in the order of their calls', () => {
    const payouts = [3, 1, 2].map((call, index) => ({ ...payout, row: index + 1, status: 'ready', call }) as const);
    const calls = [callWith(unanswered, 1, [2]), callWith(unanswered, 2, [3]), callWith(unanswered, 3, [1])];
    expect(decideNextCall({ record: exampleChunk('b-1'), payouts, calls }, sizes)).toEqual({ k: 4, rows: [2] });
  });
});

describe('rows of unanswered calls between two accepted ones', () => {
  it('come again together, because the outage is over', () => {
    const payouts = [2, 3, 4, 5].map((call, index) => ({ ...payout, row: index + 1, status: 'ready', call }) as const);
    const calls = [
      callWith({ kind: 'accepted' }, 1, [5, 6]),
      ...payouts.map(({ call, row }) => callWith(unanswered, call, [row])),
      callWith({ kind: 'accepted' }, 6, [7, 8]),
    ];
    const next = decideNextCall({ record: exampleChunk('b-1'), payouts, calls }, sizes);
    expect(next).toEqual({ k: 7, rows: [1, 2] });
  });
});

/** Makes calls in rounds, as SubmitChunk and Follow do, until all good rows are accepted. Returns the number of rounds. */
const roundsUntilPaid = (isFaulty: (row: number) => boolean): number => {
  const { call: _call, ...unposted } = payout;
  let payouts = Array.from({ length: 98 }, (_, index): Payout => ({ ...unposted, row: index + 1, status: 'ready' }));
  const calls: Call[] = [];
  const decide = () => decideNextCall({ record: exampleChunk('b-1'), payouts, calls }, sizes);
  for (let round = 1; round <= 100; round += 1) {
    for (let next = decide(); next !== undefined; next = decide()) {
      const { k, rows } = next;
      const outcome = rows.some(isFaulty) ? unanswered : ({ kind: 'accepted' } as const);
      const status = outcome.kind === 'accepted' ? 'pending' : 'unknown';
      calls.push(callWith(outcome, k, rows));
      payouts = payouts.map((one) => (rows.includes(one.row) ? { ...one, status, call: k } : one));
    }
    if (payouts.every(({ row, status }) => status === 'pending' || isFaulty(row))) return round;
    // The provider does not know them.
    payouts = payouts.map((one) => (one.status === 'unknown' ? { ...one, status: 'ready' } : one));
  }
  return Number.POSITIVE_INFINITY;
};

describe('rows that the provider answers with an error', () => {
  it.each<[string, (row: number) => boolean]>([
    ['one row', (row) => row === 50],
    ['every tenth row', (row) => row % 10 === 0],
    ['every fourth row', (row) => row % 4 === 0],
    ['every second row', (row) => row % 2 === 0],
    ['nine of ten rows', (row) => row % 10 !== 0],
  ])('hold up the others for hours at most, when it is %s', (_, isFaulty) => {
    // One round takes 14 minutes.
    expect(roundsUntilPaid(isFaulty)).toBeLessThanOrEqual(12);
  });
});
