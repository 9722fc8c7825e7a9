import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { chanceOf } from '../support/chance.ts';
import { drawTerms } from './draw/draw-terms.ts';
import { Process } from './process.ts';
import type { Fortunes } from './provider/life.ts';
import { planLife } from './provider/life.ts';
import type { ListTerms } from './provider/lists.ts';
import { listPage } from './provider/lists.ts';
import { Network } from './provider/network.ts';
import { RateLimit } from './provider/rate-limit.ts';
import { Service } from './provider/service.ts';
import type { Rail, TruePayment } from './provider/truth.ts';
import { Truth } from './provider/truth.ts';
import { History } from './world/history.ts';
import { Timeline } from './world/timeline.ts';
import { fairWeather } from './world/weather.ts';

const asDocumented: ListTerms = { ignoresSort: false, ignoresStatus: false, freezesUpdatedAt: false, behindMs: 0 };

const paymentOf = (id: string, createdAt: number): TruePayment => ({
  id,
  groupId: 'g',
  rail: 'fiat',
  currency: 'IDR',
  amount: 1_000_000n,
  fee: 0n,
  reference: `ref-${id}`,
  destination: { recipientId: 'r' },
  madeBy: 'orchestrator',
  createdAt,
  visibleAt: createdAt,
  status: 'pending',
  words: ['pending'],
  since: [createdAt],
});

const pageShape = z.object({
  docs: z.array(z.object({ disbursementId: z.string(), status: z.string(), updatedAt: z.string() })),
});

/** A list read after 11 s. `a`, `b` and `c` were created one second apart, and `a` completed after 10 s. */
const listed = async (query: string, terms: Partial<ListTerms> = {}) => {
  const timeline = new Timeline(0);
  const truth = new Truth(timeline);
  for (const [index, id] of ['a', 'b', 'c'].entries()) {
    timeline.in(index * 1000, () => truth.create(paymentOf(id, timeline.now)));
  }
  timeline.in(10_000, () => truth.payments.slice(0, 1).map((payment) => truth.move(payment, 'completed')));
  timeline.in(11_000, () => {});
  await timeline.run(100, () => false);
  const page = listPage(
    truth,
    { lists: { ...asDocumented, ...terms }, foldsCase: false },
    'fiat',
    timeline.now,
    new URLSearchParams(query),
  );
  return pageShape.parse(page).docs.map(({ disbursementId, status, updatedAt }) => {
    const second = Date.parse(updatedAt) / 1000;
    return `${disbursementId} ${status} ${second}`;
  });
};

const [a, b, c] = ['a completed 10', 'b pending 1', 'c pending 2'];

describe('the lists of the simulated provider', () => {
  it.each([
    ['', {}, [a, b, c]],
    ['sort=-createdAt', {}, [c, b, a]],
    ['sort=updatedAt', {}, [b, c, a]],
    ['sort=-updatedAt', {}, [a, c, b]],
    ['sort=-updatedAt&limit=2&page=2', {}, [b]],
    ['status=pending', {}, [b, c]],
    ['currency=IDR&status=completed', {}, [a]],
    ['currency=PHP', {}, []],
    ['sort=-updatedAt', { ignoresSort: true }, [a, b, c]],
    ['status=pending', { ignoresStatus: true }, [a, b, c]],
    ['sort=-updatedAt', { freezesUpdatedAt: true }, [c, b, 'a completed 0']],
    ['', { behindMs: 5_000 }, ['a pending 0', b, c]],
    ['', { behindMs: 9_500 }, ['a pending 0', b]],
    ['reference=ref-c', { behindMs: 9_500 }, [c]],
  ])('answer "%s" under %j', async (query, terms, expected) => {
    expect(await listed(query, terms)).toEqual(expected);
  });
});

describe('the rate limit of the simulated provider', () => {
  const terms = { postsPerSecond: 1, readsPerSecond: 2, retryAfterSeconds: 3, shownIn: 'both' } as const;

  it('refuses excess requests within a second, reads and POSTs apart, and admits later ones', () => {
    const limit = new RateLimit(terms);
    const asked = [
      [false, 0],
      [false, 10],
      [false, 20],
      [true, 30],
      [true, 900],
      [false, 1000],
      [false, 1009],
      [false, 1010],
      [true, 1030],
    ] as const;
    const refused = asked.filter(([isPost, at]) => limit.refuse(isPost, at) !== undefined);
    expect(refused).toEqual([
      [false, 20],
      [true, 900],
      [false, 1009],
    ]);
  });

  it.each([
    ['http', 429, { message: 'Too many requests' }],
    ['body', 200, { statusCode: 429, message: 'Too many requests' }],
    ['both', 429, { statusCode: 429, message: 'Too many requests' }],
    ['gateway', 429, Buffer.from('<html><body>429 Too Many Requests</body></html>')],
  ] as const)('answers 429 in %s, with the time to retry', (shownIn, status, body) => {
    const limit = new RateLimit({ ...terms, postsPerSecond: 0, shownIn });
    expect(limit.refuse(true, 0)).toEqual({ status, body, headers: { 'retry-after': '3' } });
  });

  it('sends the time to retry to the orchestrator', async () => {
    const chance = chanceOf(7);
    const timeline = new Timeline(0);
    const history = new History(timeline, false);
    const weather = fairWeather(0);
    const network = new Network({
      timeline,
      chance,
      weather,
      service: new Service(new Truth(timeline), drawTerms(chance, false), timeline, chance),
      rate: { ...terms, postsPerSecond: 0 },
      history,
      areCredentialsRefused: () => false,
      isRouteLost: () => false,
      onPost: () => {},
      onRequest: () => {},
    });
    const process = new Process({ timeline, chance, weather, history }, 'SubmitChunk', 60_000);
    const path = '/v2/disbursement/fiat';
    const url = new URL(path, 'https://provider.example');
    const request = {
      method: 'POST',
      url,
      path,
      headers: {},
      timeoutMilliseconds: 25_000,
      maximumBytes: 1000,
    } as const;
    const answered = network.of(process).requestOnce(request);
    await timeline.run(100, () => false);
    expect(await answered).toMatchObject({ kind: 'response', status: 429, retryAfter: '3' });
  });
});

describe('the life of a simulated payment', () => {
  const hours = (ms: number | undefined): number => (ms ?? 0) / 3_600_000;
  const livesOf = (fortunes: Partial<Fortunes>, rail: Rail) => {
    const chance = chanceOf(7);
    return Array.from({ length: 200 }, () => planLife(chance, { odd: 0, slow: 0, held: 0, ...fortunes }, rail));
  };

  it('ends within an hour, when it is neither slow nor held', () => {
    expect(livesOf({}, 'crypto').every((life) => hours(life.at(-1)?.inMs) <= 1)).toBe(true);
  });

  it('takes hours, up to two days, when it is slow', () => {
    const taken = livesOf({ slow: 1 }, 'fiat').map((life) => hours(life.at(-1)?.inMs));
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...taken)).toBeGreaterThan(24);
    expect(Math.max(...taken)).toBeLessThanOrEqual(48);
  });

  it('fails and completes within hours when its end is taken back', () => {
    for (const life of livesOf({ takenBack: 1 }, 'fiat')) {
      expect(life.map(({ word }) => word)).toEqual(['failed', 'completed']);
      expect(hours(life[1]?.inMs) - hours(life[0]?.inMs)).toBeLessThan(4);
    }
  });

  it.each([
    ['fiat', false],
    ['crypto', true],
  ] as const)('is held for days and then ends; a %s payment shows that it is held: %s', (rail, showsHold) => {
    for (const life of livesOf({ held: 1 }, rail)) {
      expect(life.some(({ word }) => word === 'need_check')).toBe(showsHold);
      expect(hours(life.at(-1)?.inMs)).toBeGreaterThanOrEqual(24);
      expect(['completed', 'failed', 'canceled']).toContain(life.at(-1)?.word);
    }
  });
});
