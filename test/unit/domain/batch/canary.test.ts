import { describe, expect, it } from 'vitest';
import { judgeCanary } from '../../../../functions/domain/batch/canary.ts';
import { heldByCanary, mayClaimChunk } from '../../../../functions/domain/batch/canary-hold.ts';
import type { ChunkRecord } from '../../../../functions/domain/batch/chunk.ts';
import type { PayoutStatus } from '../../../../functions/domain/payout/payout-status.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const settings = { onHoldFollowMinutes: 60 };
const held = { canary: 3, claimUpTo: 2 };

const record = (
  chunk: number,
  counts: Partial<Record<PayoutStatus, number>>,
  more: Partial<ChunkRecord> = {},
): ChunkRecord =>
  exampleChunk('b-1', {
    chunk,
    tallies: Object.fromEntries(
      Object.entries(counts).map(([status, count]) => [status, { count, amount: '0', fee: '0' }]),
    ),
    ...more,
  });

describe('a canary', () => {
  it.each([
    ['passes once all of it is completed', [record(1, { completed: 2 }), record(2, { completed: 1 })], 'passed'],
    ['is open while one is not registered', [record(1, { completed: 2 })], 'open'],
    ['is open while nothing is', [], 'open'],
    ['is open while one is under way', [record(1, { completed: 2 }), record(2, { pending: 1 })], 'open'],
    ['is open while one is in doubt', [record(1, { completed: 2 }), record(2, { unknown: 1 })], 'open'],
    ['fails by one that failed', [record(1, { completed: 2 }), record(2, { failed: 1 })], 'failed'],
    ['fails by one that was refused, whatever the others do', [record(1, { rejected: 1, pending: 1 })], 'failed'],
    ['fails by one that rests with a person', [record(1, { quarantined: 1, pending: 1 })], 'failed'],
    [
      'fails by one that is contradicted',
      [record(1, { completed: 2 }), record(2, { completed: 1 }, { contradictions: { recorded: 1, payouts: 1 } })],
      'failed',
    ],
    [
      'is open while the provider holds one for a while',
      [record(1, { completed: 2 }), record(2, { on_hold: 1 }, { lastHeldAt: '2026-11-21T11:30:00.000Z' })],
      'open',
    ],
    [
      'fails by one that the provider holds for long',
      [record(1, { completed: 2 }), record(2, { on_hold: 1 }, { lastHeldAt: '2026-11-21T10:30:00.000Z' })],
      'failed',
    ],
    ['ignores later chunks', [record(1, { completed: 2 }), record(3, { failed: 1 })], 'open'],
  ] as const)('%s', (_name, records, kind) => {
    expect(judgeCanary(records, held, now, settings).kind).toBe(kind);
  });

  it('delays the chunks after it, and their payouts, until it has passed', () => {
    expect([1, 2, 3].map((chunk) => mayClaimChunk(held, chunk))).toEqual([true, true, false]);
    expect(mayClaimChunk({}, 3)).toBe(true);
    expect(heldByCanary({ ...held, plan: { validRows: 10 } })).toBe(7);
    expect(heldByCanary({ canary: 3, plan: { validRows: 10 } })).toBe(0);
  });
});
