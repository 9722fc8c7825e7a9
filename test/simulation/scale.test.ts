import { describe, expect, it } from 'vitest';
import { measureOutage } from '../bench/scale/measure-outage.ts';
import { measureScale } from '../bench/scale/measure-scale.ts';
import { OrderedList } from '../bench/scale/ordered-list.ts';
import { chanceOf } from '../support/chance.ts';
import { hour, minute } from '../support/durations.ts';

/** Like the bench, but over in hours. Three days of sweeps would exceed a test's time. */
const soon = { medianMs: 2 * minute, slowMs: 30 * minute, longestMs: hour, heldMs: 6 * hour };
const quietly = (): void => {};
/** In milliseconds, generous enough for a busy machine. */
const timeout = 240_000;

describe('2,000 payouts on virtual time', () => {
  it('are all sent although some are held, and all end', { timeout }, async () => {
    const measured = await measureScale(quietly, 2000, soon);
    expect(measured['scale.heldUpBy']).toBe(0);
    expect(measured.scale.withoutEnd).toBe(0);
    expect(measured.scale.held).toBeGreaterThan(0);
    expect(measured.scale.refused).toBe(0);
    expect(measured['scale.smallBatchSeconds']).toBeLessThan(10);
    expect(measured['scale.lateBy']).toBeLessThan(1.2);
  });
});

describe('a bank that is down for a day', () => {
  it('delays only its own payouts, and the operator is notified', { timeout }, async () => {
    const { outage } = await measureOutage(quietly, 200, 26 * hour);
    expect(outage.held).toBeGreaterThan(0);
    expect(outage.othersPaidMinutes.last).toBeLessThan(24 * 60 + 10);
    expect(outage.heldPaidMinutes.first).toBeGreaterThan(26 * 60);
    const whats = outage.timeline.map(({ what }) => what);
    expect(whats.some((what) => what.startsWith('interim reports'))).toBe(true);
    expect(whats.some((what) => what.startsWith('attention payouts_pending'))).toBe(true);
    expect(whats).toContain('final reports');
  });
});

describe('a list of records that are added and removed', () => {
  it('has the same pages as a full sort', () => {
    const chance = chanceOf(7);
    const list = new OrderedList<number>();
    const plain = new Set<number>();
    for (let place = 0; place < 3000; place += 1) {
      list.put(place, place);
      plain.add(place);
      if (!chance.happens(0.4)) continue;
      const gone = chance.int(0, place);
      list.remove(gone);
      plain.delete(gone);
    }
    const sorted = [...plain].toSorted((a, b) => a - b);
    expect(list.size).toBe(sorted.length);
    for (const page of [1, 2, 9, 1000]) {
      expect(list.page(page, 100, false)).toEqual(sorted.slice((page - 1) * 100, page * 100));
      expect(list.page(page, 100, true)).toEqual(sorted.toReversed().slice((page - 1) * 100, page * 100));
    }
  });
});
