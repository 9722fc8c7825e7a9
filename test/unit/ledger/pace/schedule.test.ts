import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lease, LeaseRequest, Schedule } from '../../../../functions/ledger/pace/schedule.ts';
import { emptySchedule, lease, queuedMs } from '../../../../functions/ledger/pace/schedule.ts';
import { runs } from '../../../support/fast-loop.ts';
import { lastOf, makeCalls, mostWithin } from './callers.ts';

const startedAt = Date.parse('2026-11-21T08:00:00Z');
const rates = [50, 20, 7, 1, 0.5, 0.2, 0.02] as const;

const asking = (changes: Partial<LeaseRequest> = {}): LeaseRequest => ({
  asker: 'b-1',
  count: 1,
  nowMs: startedAt,
  withinMs: 20_000,
  isSpare: false,
  ...changes,
});
const slotsOf = (answer: Lease): readonly number[] => (answer.kind === 'granted' ? answer.slots : []);

/** Requests against one schedule, one after the other. */
const oneByOne = (requests: readonly LeaseRequest[], perSecond: number): readonly Lease[] => {
  let schedule: Schedule = emptySchedule;
  return requests.map((request) => {
    const answer = lease(schedule, perSecond, request);
    schedule = answer.schedule ?? schedule;
    return answer;
  });
};

describe('slots', () => {
  const request = fc.record({
    asker: fc.constantFrom('a', 'b', 'c', 'd'),
    count: fc.integer({ min: 1, max: 25 }),
    pauseMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 })),
    withinMs: fc.integer({ min: 0, max: 20_000 }),
    isSpare: fc.boolean(),
  });

  it('never exceed the rate plus one in a second, and are within the requested time', () => {
    fc.assert(
      fc.property(fc.constantFrom(...rates), fc.array(request, { maxLength: 60 }), (perSecond, wanted) => {
        let nowMs = startedAt;
        const requests = wanted.map(({ pauseMs, ...one }) => {
          nowMs += pauseMs;
          return { ...one, nowMs };
        });
        const answers = oneByOne(requests, perSecond);
        const slots = answers.flatMap(slotsOf);
        expect(mostWithin(slots, 1000)).toBeLessThanOrEqual(Math.ceil(perSecond) + 1);
        expect(slots).toEqual(slots.toSorted((one, other) => one - other));
        for (const [index, answer] of answers.entries()) {
          const { nowMs: at = 0, withinMs = 0, count = 0, isSpare } = requests[index] ?? {};
          expect(answer.kind === 'granted' || answer.waitMs >= 1).toBe(true);
          const [first = at] = slotsOf(answer);
          expect(slotsOf(answer).length).toBeLessThanOrEqual(count);
          expect(first).toBeGreaterThanOrEqual(at);
          if (!isSpare) expect(slotsOf(answer).at(-1) ?? at).toBeLessThanOrEqual(at + withinMs);
        }
      }),
    );
  });

  it.each(rates)('at %d a second are immediate with nobody before, however little time there is', (perSecond) => {
    const [first] = oneByOne([asking({ withinMs: 0 })], perSecond);
    expect(slotsOf(first ?? { kind: 'later', waitMs: 0 })).toEqual([startedAt]);
  });

  it('do not accumulate while idle', () => {
    const answers = oneByOne([asking(), asking({ nowMs: startedAt + 60_000, count: 5 })], 2);
    expect(answers.flatMap(slotsOf).map((at) => at - startedAt)).toEqual([0, 60_000, 60_500, 61_000, 61_500, 62_000]);
  });

  it('are not given out before the end of a provider’s pause, and begin with it', () => {
    const blocked = { ...emptySchedule, rate: { unanswered: 0, blockedUntilMs: startedAt + 30_000 } };
    expect(lease(blocked, 20, asking())).toMatchObject({ kind: 'later', waitMs: 27_500 });
    const after = lease(blocked, 20, asking({ nowMs: startedAt + 28_000 }));
    expect(slotsOf(after)).toEqual([startedAt + 30_000]);
  });

  it('that are leased show as a queue, for operators', () => {
    const { schedule = emptySchedule } = lease(emptySchedule, 10, asking({ count: 20 }));
    expect([queuedMs(schedule, startedAt), queuedMs(schedule, startedAt + 60_000)]).toEqual([2000, 0]);
  });
});

describe('a batch alone', () => {
  it.each([
    [20, 6000],
    [5, 1500],
    [1, 300],
    [0.2, 60],
  ])('has the whole rate of %d a second', (perSecond, calls) => {
    const { made } = makeCalls([{ asker: 'large', calls, children: 40 }], perSecond);
    expect(made).toHaveLength(calls);
    expect(lastOf(made, 'large')).toBeLessThanOrEqual((1020 * (calls - 1)) / perSecond);
  });

  it.each([
    [20, 0.1],
    [5, 2],
    [1, 2],
  ])('with too many children for %d a second makes each wait %d times at most on average', (perSecond, most) => {
    const calls = 300 * perSecond;
    expect(makeCalls([{ asker: 'large', calls, children: 40 }], perSecond).refusals / calls).toBeLessThanOrEqual(most);
  });
});

describe('concurrent batches', () => {
  const large = { asker: 'large', calls: 100_000, children: 40 };

  it.each([
    [20, 3],
    [5, 4],
    [1, 5],
    [0.5, 8],
    [0.2, 20],
  ])('at %d a second: two calls beside forty children of another batch leave within %d s', (rate, most) => {
    fc.assert(
      fc.property(fc.integer({ min: 50_000, max: 90_000 }), (startsAtMs) => {
        const small = { asker: 'small', calls: 2, children: 2, startsAtMs };
        const { made } = makeCalls([large, small], rate, 150_000);
        expect(made.filter(({ asker }) => asker === 'small')).toHaveLength(2);
        expect(lastOf(made, 'small') - startsAtMs).toBeLessThanOrEqual(most * 1000);
      }),
      { numRuns: runs(25) },
    );
  });

  it('let ten small ones that start beside a large one leave within seconds', () => {
    const small = Array.from({ length: 10 }, (_, index) => `small-${index}`);
    const crowds = small.map((asker) => ({ asker, calls: 2, children: 2, startsAtMs: 60_000 }));
    const { made } = makeCalls([large, ...crowds], 20, 90_000);
    for (const asker of small) expect(lastOf(made, asker) - 60_000).toBeLessThanOrEqual(4000);
  });

  it.each([20, 5, 1])('share %d a second equally, soon after the second began', (perSecond) => {
    const second = { ...large, asker: 'second', startsAtMs: 60_000 };
    const { made } = makeCalls([large, second], perSecond, 200_000);
    const together = made.filter(({ atMs }) => atMs > 65_000 && atMs < 185_000);
    const ofSecond = together.filter(({ asker }) => asker === 'second').length;
    expect(together.length).toBeGreaterThanOrEqual(119 * perSecond);
    expect(ofSecond / together.length).toBeGreaterThan(0.4);
    expect(ofSecond / together.length).toBeLessThan(0.6);
  });

  it('do not delay one that ran alone until a newcomer has had as much', () => {
    const second = { ...large, asker: 'second', startsAtMs: 300_000 };
    const { made } = makeCalls([large, second], 20, 320_000);
    const soon = made.filter(({ asker, atMs }) => asker === 'large' && atMs > 303_000 && atMs < 313_000);
    expect(soon.length).toBeGreaterThan(60);
  });

  it('are remembered in little space, at any number', () => {
    const requests = Array.from({ length: 200 }, (_, index) => asking({ asker: `b-${index}` }));
    const last = oneByOne(requests, 1000).at(-1);
    expect(Object.keys(last?.schedule?.askers ?? {}).length).toBeLessThanOrEqual(20);
  });
});

describe('low-priority requests', () => {
  const spare = (changes: Partial<LeaseRequest> = {}) => asking({ isSpare: true, asker: 'proofs', ...changes });

  it('wait while others have turns, and reserve nothing', () => {
    const [first, second] = oneByOne([asking({ count: 10 }), spare()], 10);
    expect(first?.kind).toBe('granted');
    expect(second).toEqual({ kind: 'later', waitMs: 1000 });
  });

  it.each([
    [50, 250],
    [20, 250],
    [1, 1250],
  ])('at %d a second delay no other by more than %d ms', (perSecond, most) => {
    const [, other] = oneByOne([spare({ count: 25 }), asking()], perSecond);
    const [slot = Number.POSITIVE_INFINITY] = slotsOf(other ?? { kind: 'later', waitMs: 0 });
    expect(slot - startedAt).toBeLessThanOrEqual(most);
  });

  it('alone get four fifths of the rate', () => {
    let schedule: Schedule = emptySchedule;
    let made = 0;
    for (let nowMs = startedAt; nowMs < startedAt + 60_000; nowMs += 10) {
      const answer = lease(schedule, 50, spare({ nowMs, count: 8 }));
      schedule = answer.schedule ?? schedule;
      made += slotsOf(answer).length;
    }
    expect(made / 60 / 50).toBeGreaterThan(0.75);
    expect(made / 60 / 50).toBeLessThanOrEqual(0.81);
  });
});
