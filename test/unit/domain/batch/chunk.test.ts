import { describe, expect, it } from 'vitest';
import type { Call, CallOutcome } from '../../../../functions/domain/batch/chunk.ts';
import { decideNextCall } from '../../../../functions/domain/batch/chunk.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';
import { payout } from '../../payouts/example.ts';

const callWith = (outcome: CallOutcome): Call => ({
  ...{ batchId: 'b-1', chunk: 1, k: 1, rows: [1, 2, 3, 4], payloadHash: 'p', claimId: 'i', claimedAt: 't' },
  outcome,
});

describe('the next call', () => {
  it('has a row of a refused call only with rows of that call', () => {
    const payouts = [
      { ...payout, row: 1, status: 'ready', call: 1 } as const,
      { ...payout, row: 5, status: 'ready' } as const,
    ];
    const calls = [callWith({ kind: 'rejected', message: 'm' })];
    const next = decideNextCall({ record: exampleChunk('b-1'), payouts, calls }, 98);
    expect(next).toEqual({ k: 2, rows: [1] });
  });

  it.each<[string, CallOutcome, readonly number[]]>([
    ['half of the rows refused for their content', { kind: 'rejected', message: 'm' }, [1, 2]],
    [
      'all rows refused because the balance is too low',
      { kind: 'rejected', message: 'm', isBalanceTooLow: true },
      [1, 2, 3, 4],
    ],
    ['all rows of a call that was not sent', { kind: 'not_sent' }, [1, 2, 3, 4]],
  ])('has %s', (_, outcome, rows) => {
    const payouts = [1, 2, 3, 4].map((row) => ({ ...payout, row, status: 'ready', call: 1 }) as const);
    const next = decideNextCall({ record: exampleChunk('b-1'), payouts, calls: [callWith(outcome)] }, 98);
    expect(next).toEqual({ k: 2, rows });
  });
});
