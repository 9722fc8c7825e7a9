import { describe, expect, it } from 'vitest';
import type { PermissionToClaim } from '../../../../functions/domain/batch/batch-status.ts';
import type { ChunkRecord } from '../../../../functions/domain/batch/chunk.ts';
import { isNothingOpen, openWorkOf, waitsOnlyForOthers } from '../../../../functions/domain/batch/progress.ts';
import type { PayoutStatus } from '../../../../functions/domain/payout/payout-status.ts';
import { payoutStatuses } from '../../../../functions/domain/payout/payout-status.ts';
import { tally } from '../../../support/money.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';

const nowMs = Date.parse('2026-11-21T10:00:00.000Z');
const settings = { onHoldFollowMinutes: 60 };

const record = (counts: Partial<Record<PayoutStatus, number>>, changes: Partial<ChunkRecord> = {}): ChunkRecord =>
  exampleChunk('b-1', {
    tallies: Object.fromEntries(Object.entries(counts).map(([status, count]) => [status, tally(count)])),
    ...changes,
  });

describe('the remaining work', () => {
  it('is the sum over all chunks and unregistered rows', () => {
    const records = [
      record({ ready: 1, submitting: 2, unknown: 3, pending: 4 }),
      record({ ready: 5, completed: 6, on_hold: 7 }, { proofs: 2 }),
    ];
    expect(openWorkOf(records, 8, nowMs, settings)).toEqual({ toSubmit: 14, inDoubt: 5, withProvider: 11, proofs: 4 });
  });

  it.each<[PayoutStatus, keyof ReturnType<typeof openWorkOf> | 'nothing']>([
    ['ready', 'toSubmit'],
    ['submitting', 'inDoubt'],
    ['unknown', 'inDoubt'],
    ['pending', 'withProvider'],
    ['on_hold', 'withProvider'],
    ['quarantined', 'nothing'],
    ['completed', 'proofs'],
    ['failed', 'nothing'],
    ['canceled', 'nothing'],
    ['rejected', 'nothing'],
  ])('of a payout that is %s is %s', (status, what) => {
    const standing = openWorkOf([record({ [status]: 1 })], 0, nowMs, settings);
    expect(Object.entries(standing).filter(([, count]) => count > 0)).toEqual(what === 'nothing' ? [] : [[what, 1]]);
    expect(isNothingOpen(standing)).toBe(what === 'nothing');
    expect(payoutStatuses).toContain(status);
  });

  it('omits only payouts on hold for longer than a batch waits for them', () => {
    const at = (minutes: number): string => new Date(nowMs - minutes * 60_000).toISOString();
    const held = (minutes: number) =>
      record({ on_hold: 1, pending: 1 }, { waitingSince: { on_hold: at(500) }, lastHeldAt: at(minutes) });
    expect(openWorkOf([held(59)], 0, nowMs, settings).withProvider).toBe(2);
    expect(openWorkOf([held(60)], 0, nowMs, settings).withProvider).toBe(1);
    expect(openWorkOf([held(60), held(59)], 0, nowMs, settings).withProvider).toBe(3);
  });
});

const nothing = { toSubmit: 0, inDoubt: 0, withProvider: 0, proofs: 0 };

it.each([
  { toSubmit: 1, inDoubt: 1 },
  { inDoubt: 1, withProvider: 1 },
  { withProvider: 1, proofs: 1 },
])('a batch with %o is open', (left) => {
  expect(isNothingOpen({ ...nothing, ...left })).toBe(false);
});

describe('only others are waited for', () => {
  it.each<[object, PermissionToClaim, boolean]>([
    [{ withProvider: 3 }, 'granted', true],
    [{ withProvider: 3, toSubmit: 1 }, 'granted', false],
    [{ withProvider: 3, toSubmit: 1 }, 'stopped', true],
    [{ withProvider: 3, toSubmit: 1 }, 'canceled', false],
    [{ withProvider: 3, inDoubt: 1 }, 'stopped', false],
    [{ withProvider: 3, proofs: 1 }, 'granted', true],
  ])('with %o of a batch that is %s: %s, and always once payouts are late', (left, permission, expected) => {
    expect(waitsOnlyForOthers({ ...nothing, ...left }, permission, false)).toBe(expected);
    expect(waitsOnlyForOthers({ ...nothing, ...left }, permission, true)).toBe(true);
  });
});
