import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rate } from '../../../../functions/ledger/pace/rate.ts';
import { answered, fullRate, perSecondAt, throttled, unanswered } from '../../../../functions/ledger/pace/rate.ts';
import type { TurnKind } from '../../../../functions/ports/pace.ts';

const at = Date.parse('2026-11-21T08:00:00Z');
const limit = 32;
const slow: Rate = throttled(fullRate, limit, at);

/** This many unanswered requests, a tenth of a second apart. */
const run = (rate: Rate, count: number, fromMs = at): Rate =>
  Array.from({ length: count }).reduce<Rate>(
    (before, _, index) => unanswered(before, limit, fromMs + index * 100),
    rate,
  );

describe('a 429', () => {
  it('halves the rate and stops everyone for the stated time, or a second', () => {
    expect(throttled(fullRate, limit, at, 30_000)).toEqual({
      perSecond: 16,
      changedAtMs: at,
      halvedAtMs: at,
      blockedUntilMs: at + 30_000,
      unanswered: 0,
    });
    expect(slow.blockedUntilMs).toBe(at + 1000);
  });

  it('halves it once for requests in flight, and again for later ones', () => {
    const meanwhile = throttled(throttled(fullRate, limit, at, 5000), limit, at + 4000, 3000);
    expect([meanwhile.perSecond, meanwhile.blockedUntilMs]).toEqual([16, at + 7000]);
    expect(throttled(meanwhile, limit, at + 7500).perSecond).toBe(8);
  });

  it('halves it although an answer has just sped it up', () => {
    const faster = answered(slow, limit, at + 60_000, 'post');
    expect(throttled(faster, limit, at + 60_100, 30_000).perSecond).toBeCloseTo((faster.perSecond ?? 0) / 2);
  });

  it('never shortens an earlier wait', () => {
    const long = throttled(fullRate, limit, at, 60_000);
    expect(throttled(long, limit, at + 100, 1000).blockedUntilMs).toBe(at + 60_000);
  });

  it('that names days stops requests for an hour', () => {
    expect(throttled(fullRate, limit, at, 7 * 86_400_000).blockedUntilMs).toBe(at + 3_600_000);
  });

  it.each([
    [32, 1],
    [1, 0.1],
    [0.05, 0.05],
  ])('repeated never slows %d a second below %d', (perSecond, slowest) => {
    let rate = fullRate;
    for (let second = 0; second < 60; second += 3) rate = throttled(rate, perSecond, at + second * 1000);
    expect(rate.perSecond).toBe(slowest);
  });
});

describe('requests without an answer', () => {
  it('slow it down when five come in a row, and stop nobody', () => {
    expect(perSecondAt(run(fullRate, 4), limit, at)).toBe(32);
    const five = run(fullRate, 5);
    expect([five.perSecond, five.blockedUntilMs, five.unanswered]).toEqual([16, undefined, 0]);
  });

  it('do not count as a run with an answer between them', () => {
    const broken = run(answered(run(fullRate, 4), limit, at + 400, 'post'), 4, at + 500);
    expect(perSecondAt(broken, limit, at + 900)).toBe(32);
  });

  it('in more runs slow it further', () => {
    const rate = [1, 2, 3].reduce((before, n) => run(before, 5, at + n * 10_000), fullRate);
    expect(rate.perSecond).toBe(4);
  });
});

describe('success', () => {
  const succeeding = (kind: TurnKind, from: Rate, seconds: number, everyMs = 1000): Rate => {
    let rate = from;
    const sinceMs = Math.max(at, from.blockedUntilMs ?? 0);
    for (let ms = 0; ms <= seconds * 1000; ms += everyMs) rate = answered(rate, limit, sinceMs + ms, kind);
    return rate;
  };

  it.each([
    ['post', 50, 16, 46],
    ['post', 1000, 16, 46],
    ['register', 4000, 16, 46],
    ['read', 50, 4, 12],
    ['read', 1000, 4, 12],
    ['read', 4000, 4, 12],
  ] as const)(
    'of a %s every %d ms speeds it up: by a third in %d s, and to twice in %d',
    (kind, everyMs, third, all) => {
      const meanwhile = perSecondAt(succeeding(kind, slow, third, everyMs), limit, at + third * 1000 + 1000);
      expect(meanwhile).toBeGreaterThan(20);
      expect(meanwhile).toBeLessThan(22);
      expect(succeeding(kind, slow, all, everyMs)).toEqual(fullRate);
    },
  );

  it.each(['post', 'register', 'read'] as const)('of a slow %s doubles it in less than a minute', (kind) => {
    const { perSecond = 0 } = succeeding(kind, { ...slow, perSecond: 0.1 }, 45);
    expect(perSecond).toBeGreaterThan(0.2);
    expect(perSecond).toBeLessThan(0.25);
  });

  it.each([
    ['post', 2, 20],
    ['read', 2, 20],
    ['read', 5, 100],
  ] as const)(
    'of a %s speeds it up in proportion, so a provider that allows %d a second refuses less than one in %d',
    (kind, allowed, least) => {
      // Each refusal blocks for 30 s.
      let rate = fullRate;
      let nowMs = at;
      const answers: number[] = [];
      for (let refusals = 0; refusals < 12; refusals += 1) {
        let count = 0;
        for (nowMs = Math.max(nowMs, rate.blockedUntilMs ?? 0); perSecondAt(rate, 50, nowMs) <= allowed; count += 1) {
          rate = answered(rate, 50, nowMs, kind);
          nowMs += 1000 / perSecondAt(rate, 50, nowMs);
        }
        answers.push(count);
        rate = throttled(rate, 50, nowMs, 30_000);
      }
      expect(Math.min(...answers.slice(6))).toBeGreaterThan(least);
    },
  );

  it('of reads speeds them up between 429s that come at any rate', () => {
    let rate = fullRate;
    let nowMs = at;
    let count = 0;
    for (; nowMs < at + 3_600_000; count += 1) {
      rate = count % 67 === 0 ? throttled(rate, 50, nowMs) : answered(rate, 50, nowMs, 'read');
      nowMs = Math.max(nowMs + 1000 / perSecondAt(rate, 50, nowMs), rate.blockedUntilMs ?? 0);
    }
    expect(count / 3600).toBeGreaterThan(5);
    expect(count / 3600).toBeLessThan(7);
  });

  it('during a stop does not speed it up', () => {
    const stopped = throttled(fullRate, limit, at, 60_000);
    expect(answered(stopped, limit, at + 59_000, 'post')).toEqual(stopped);
  });

  it('after a long silence counts for only five seconds', () => {
    expect(answered(slow, limit, at + 300_000, 'post').perSecond).toBeCloseTo(16 + (16 / 60) * 5);
  });

  it('and failure in any order keep it between minimum and limit', () => {
    const steps = {
      throttled,
      unanswered,
      answered: (rate: Rate, most: number, nowMs: number) => answered(rate, most, nowMs, 'post'),
      read: (rate: Rate, most: number, nowMs: number) => answered(rate, most, nowMs, 'read'),
    };
    const step = fc.tuple(fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])), fc.nat(20_000));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (done) => {
        let nowMs = at;
        let rate = fullRate;
        for (const [name, pauseMs] of done) {
          nowMs += pauseMs;
          rate = steps[name](rate, limit, nowMs);
          expect(perSecondAt(rate, limit, nowMs)).toBeGreaterThanOrEqual(1);
          expect(perSecondAt(rate, limit, nowMs)).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });
});

describe('the rate', () => {
  it('is full again ten minutes after the last report, and after a stop', () => {
    expect(perSecondAt(slow, limit, at + 600_000)).toBe(16);
    expect(perSecondAt(slow, limit, at + 602_000)).toBe(32);
    const stopped = throttled(fullRate, limit, at, 1_800_000);
    expect(perSecondAt(stopped, limit, at + 1_900_000)).toBe(16);
  });

  it('is never above a limit that was lowered since', () => {
    expect(perSecondAt(slow, 5, at)).toBe(5);
  });
});
