import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BatchStatus } from '../../../../functions/domain/batch/batch-status.ts';
import type { StartDecision } from '../../../../functions/domain/batch/start-time.ts';
import {
  decideStart,
  isStartDue,
  msUntilStart,
  startTimeRefusal,
} from '../../../../functions/domain/batch/start-time.ts';

const now = Date.parse('2026-01-05T09:00:00Z');
const dayMs = 86_400_000;

describe('a start time', () => {
  it.each([
    ['2026-01-05T16:00:01+07:00', undefined],
    ['2026-01-05T09:00:00.001Z', undefined],
    ['2027-01-05T09:00:00Z', undefined],
    ['2026-01-05T09:00:00Z', /is in the past/],
    ['2026-01-05T15:59:59+07:00', /is in the past: it is 2026-01-05T09:00:00.000Z now/],
    ['2027-01-05T09:00:01Z', /more than 365 days ahead/],
  ])('%s has the refusal %s', (startAt, why) => {
    const refusal = startTimeRefusal(startAt, now);
    if (why === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toMatch(why);
  });

  it('is the same moment in any offset', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 365 * dayMs }), fc.integer({ min: -12, max: 14 }), (ms, hours) => {
        const local = new Date(now + ms + hours * 3_600_000).toISOString().slice(0, -1);
        const offset = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
        const startAt = `${local}${offset}`;
        expect(startTimeRefusal(startAt, now)).toBeUndefined();
        expect(msUntilStart({ startAt }, now)).toBe(ms);
        expect(isStartDue({ startAt }, now + ms)).toBe(true);
        expect(isStartDue({ startAt }, now + ms - 60_001)).toBe(false);
      }),
    );
  });

  it('is now for a batch without one', () => {
    expect(msUntilStart({}, now)).toBe(0);
    expect(isStartDue({}, now)).toBe(true);
  });
});

const hourMs = 3_600_000;
const canceled = { cancelRequestedAt: '2026-01-05T08:59:00Z' };

describe('an execution that waits for a start', () => {
  /** Status, newest execution of the batch, execution that asks, milliseconds until the start, differences, and what it does. */
  const cases: readonly (readonly [BatchStatus, number, number, number, object, StartDecision])[] = [
    ['validating', 1, 1, 0, {}, 'go_on'],
    ['validating', 1, 1, hourMs, {}, 'schedule'],
    ['validating', 1, 1, 1000, {}, 'schedule'],
    ['validating', 2, 1, hourMs, {}, 'rest'],
    ['validating', 1, 1, hourMs, canceled, 'cancel'],
    ['validating', 2, 1, 0, canceled, 'rest'],
    ['scheduled', 2, 1, hourMs, {}, 'rest'],
    ['scheduled', 2, 1, 0, {}, 'rest'],
    ['scheduled', 2, 1, hourMs, canceled, 'cancel'],
    ['scheduled', 2, 2, hourMs, {}, 'rest'],
    ['scheduled', 2, 2, 60_001, {}, 'rest'],
    ['scheduled', 2, 2, 60_000, {}, 'wait'],
    ['scheduled', 2, 2, 0, {}, 'begin'],
    ['scheduled', 2, 2, 0, canceled, 'cancel'],
    ['awaiting_funds', 2, 2, 0, {}, 'go_on'],
    ['awaiting_funds', 3, 2, 0, {}, 'rest'],
    ['processing', 2, 2, 0, canceled, 'go_on'],
  ];

  it.each(cases)('of a batch that is %s, with %i executions: number %i, %i ms before, %o → %s', (...of) => {
    const [status, executions, own, leftMs, changes, decision] = of;
    const startAt = new Date(now + leftMs).toISOString();
    expect(decideStart({ status, executions, startAt, ...changes }, own, now)).toBe(decision);
  });
});
