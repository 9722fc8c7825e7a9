import { describe, expect, it } from 'vitest';
import { createPace } from '../../functions/ledger/pace/pace.ts';
import type { Pace, RequestKind, Turn } from '../../functions/ports/pace.ts';
import { silentLog } from '../support/silent-log.ts';
import { times } from './example.ts';
import { useLedger } from './table.ts';
import { onVirtualTime } from './virtual-time.ts';

const { dependencies: onTable, time } = useLedger();

/** Functions that share the provider's limit. Time passes when all of them wait. */
const scene = (limits: Readonly<Record<RequestKind, number>>) => {
  // Longer than anything is remembered, so that each test starts with a fresh provider.
  time.now += 3 * 3_600_000;
  const startedAt = time.now;
  const { dependencies, wait, pass, requests } = onVirtualTime(onTable, time);
  const counted: string[] = [];
  const warnings: string[] = [];
  const instance = (): Pace =>
    createPace({
      ...dependencies,
      limits,
      log: { warn: (code) => warnings.push(code) },
      count: (metric) => counted.push(metric),
    });
  const made: { asker: string; atMs: number }[] = [];
  const sinceStart = () => time.now - startedAt;
  /** Asks until it gets a turn, like a step that waits between attempts. */
  const post = async (pace: Pace, batchId: string, withinMs = 10_000): Promise<number> => {
    for (;;) {
      const turn = await pace.turn('post', { batchId, withinMs });
      if (turn.kind === 'now') break;
      await wait(turn.waitMs);
    }
    made.push({ asker: batchId, atMs: sinceStart() });
    return sinceStart();
  };
  const writes = () => requests.filter((name) => name === 'PutCommand').length;
  return { instance, post, made, wait, pass, requests, writes, counted, warnings, sinceStart };
};

const mostInASecond = (times: readonly number[]): number =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length));

describe('POSTs of many functions', () => {
  it('share one limit, and use all of it', async () => {
    const { instance, post, made, pass } = scene({ post: 20, read: 50 });
    const child = async (pace: Pace): Promise<void> => {
      for (let call = 0; call < 5; call += 1) await post(pace, 'b-1');
    };
    await pass(times(40, () => child(instance())));
    const all = made.map(({ atMs }) => atMs);
    expect(all).toHaveLength(200);
    expect(mostInASecond(all)).toBeLessThanOrEqual(21);
    expect(Math.max(...all)).toBeLessThanOrEqual(11_000);
  });

  it.each([
    [20, 5000],
    [1, 6000],
  ])('of a small batch beside a large one leave within seconds, at %d a second', async (limit, most) => {
    const { instance, post, made, wait, pass } = scene({ post: limit, read: 0 });
    let isOver = false;
    const large = async (): Promise<void> => {
      const pace = instance();
      while (!isOver) await post(pace, 'large');
    };
    const small = async (): Promise<void> => {
      await wait(20_000);
      await times(2, () => post(instance(), 'small'));
      isOver = true;
    };
    await pass(Promise.all([small(), times(40, large)]));
    const ofSmall = made.filter(({ asker }) => asker === 'small').map(({ atMs }) => atMs);
    expect(ofSmall).toHaveLength(2);
    expect(Math.max(...ofSmall)).toBeLessThanOrEqual(20_000 + most);
  });

  it('do not use the turns to register chunks, which have the same limit', async () => {
    const { instance, pass, sinceStart } = scene({ post: 2, read: 0 });
    const registered: number[] = [];
    const pace = instance();
    await pass(times(6, () => pace.turn('post', { batchId: 'b-1', withinMs: 10_000 })));
    const began = sinceStart();
    await pass(
      times(6, async () => {
        await pace.turn('register', { batchId: 'b-1', withinMs: 10_000 });
        registered.push(sinceStart() - began);
      }),
    );
    expect(mostInASecond(registered)).toBeLessThanOrEqual(3);
    expect(Math.max(...registered)).toBeLessThanOrEqual(3000);
    expect((await pace.state()).map(({ kind }) => kind)).toEqual(['post', 'read']);
  });

  it('that cannot leave in time reserve nothing', async () => {
    const { instance, pass } = scene({ post: 1, read: 0 });
    const pace = instance();
    const turns = await pass(times(5, () => pace.turn('post', { batchId: 'b-1', withinMs: 1000 })));
    expect(turns.filter(({ kind }) => kind === 'now')).toHaveLength(2);
    expect((await pace.state())[0]).toMatchObject({ kind: 'post', queuedMs: 1000 });
    const waits = turns.flatMap((turn) => (turn.kind === 'later' ? [turn.waitMs] : []));
    expect(new Set(waits).size).toBe(3);
  });
});

describe('a 429', () => {
  it('stops all functions for the stated time, and slows them down', async () => {
    const { instance, pass, counted, warnings, sinceStart } = scene({ post: 20, read: 0 });
    const [one, other] = [instance(), instance()];
    await pass(one.report('post', { kind: 'throttled', retryAfterMs: 60_000 }));
    const turn = await pass(other.turn('post', { batchId: 'b-2', withinMs: 10_000 }));
    expect(turn.kind === 'later' && turn.waitMs).toBeGreaterThan(45_000);
    expect(await other.state()).toMatchObject([
      { kind: 'post', limitPerSecond: 20, perSecond: 10, blockedUntil: expect.stringMatching(/Z$/) },
      { kind: 'read', limitPerSecond: 0 },
    ]);
    expect(await pass(other.turn('post', { batchId: 'b-2', withinMs: 90_000 }))).toEqual({ kind: 'now' });
    expect(sinceStart()).toBeGreaterThanOrEqual(60_000);
    expect([counted, warnings]).toEqual([['ProviderThrottled'], ['provider.slowed_down']]);
  });

  it('also stops a POST that already waits for its turn', async () => {
    const { instance, post, wait, pass } = scene({ post: 1, read: 0 });
    const [one, other] = [instance(), instance()];
    await pass(post(one, 'b-1'));
    const second = post(other, 'b-1', 20_000);
    const refused = wait(500).then(() => one.report('post', { kind: 'throttled', retryAfterMs: 8000 }));
    expect(await pass(second)).toBeGreaterThanOrEqual(8500);
    await pass(refused);
  });

  it('can be waited out, unless its pause is too long, and takes no turn', async () => {
    const { instance, pass, requests, sinceStart } = scene({ post: 0, read: 50 });
    const pace = instance();
    expect(await pass(pace.waitOutPause('read', 60_000))).toBe(false);
    await pass(pace.report('read', { kind: 'throttled', retryAfterMs: 30_000 }));
    expect(await pass(pace.waitOutPause('read', 29_000))).toBe(false);
    expect(sinceStart()).toBeLessThan(1000);
    requests.length = 0;
    expect(await pass(pace.waitOutPause('read', 60_000))).toBe(true);
    expect(sinceStart()).toBeGreaterThanOrEqual(30_000);
    expect(requests).toEqual(['GetCommand']);
    expect(await pass(pace.turn('read', { withinMs: 0 }))).toEqual({ kind: 'now' });
  });

  it('drops leased reads, and delays the next', async () => {
    const { instance, pass } = scene({ post: 0, read: 50 });
    const pace = instance();
    const read = () => pace.turn('read', { withinMs: 2000 });
    for (let n = 0; n < 40; n += 1) await pass(read());
    await pass(pace.report('read', { kind: 'throttled', retryAfterMs: 30_000 }));
    expect(await pass(read())).toMatchObject({ kind: 'later' });
  });
});

describe('answers', () => {
  it('that are missing five times in a row slow all functions down, unless one comes between', async () => {
    const { instance, pass, requests } = scene({ post: 20, read: 0 });
    const paces = Array.from({ length: 5 }, instance);
    const perSecond = async () => (await paces[0]?.state())?.[0]?.perSecond;
    const fail = (pace: Pace) => pass(pace.report('post', { kind: 'unanswered' }));
    for (const pace of paces.slice(0, 4)) await fail(pace);
    const [lucky] = paces;
    const before = requests.length;
    await lucky?.report('post', { kind: 'answered' });
    expect(requests.length).toBe(before);
    if (lucky !== undefined) await pass(lucky.turn('post', { batchId: 'b-1', withinMs: 1000 }));
    await fail(paces[4] ?? instance());
    expect(await perSecond()).toBe(20);
    for (const pace of paces.slice(0, 4)) await fail(pace);
    expect(await perSecond()).toBe(10);
  });

  it('speed the pace up again, without a write of their own', async () => {
    const { instance, post, pass, writes } = scene({ post: 20, read: 0 });
    const pace = instance();
    await pass(pace.report('post', { kind: 'throttled' }));
    const before = writes();
    for (let call = 0; call < 700; call += 1) {
      await pass(post(pace, 'b-1'));
      await pace.report('post', { kind: 'answered' });
    }
    expect(writes() - before).toBe(700);
    expect((await pace.state())[0]?.perSecond).toBe(20);
  });

  it('that cannot be recorded delay their function by one second', async () => {
    const { wait, pass, warnings, sinceStart } = scene({ post: 20, read: 0 });
    const silent = Object.create(onTable.client, { send: { value: () => wait(60_000) } });
    const pace = createPace({
      ...onTable,
      client: silent,
      wait,
      limits: { post: 20, read: 0 },
      log: { warn: (code) => warnings.push(code) },
      count: () => undefined,
    });
    await pass(pace.report('post', { kind: 'unanswered' }));
    expect(sinceStart()).toBe(1000);
  });
});

describe('reads', () => {
  /** This many callers, each reading one after the other. A read takes a tenth of a second. */
  const sweep = async (
    { wait, sinceStart }: Pick<ReturnType<typeof scene>, 'wait' | 'sinceStart'>,
    pace: Pace,
    { callers, reads }: { readonly callers: number; readonly reads: number },
  ): Promise<readonly number[]> => {
    const at: number[] = [];
    let left = reads;
    await times(callers, async () => {
      while (left > 0) {
        left -= 1;
        const turn = await pace.turn('read', { withinMs: 10_000 });
        expect(turn.kind).toBe('now');
        at.push(sinceStart());
        await wait(100);
      }
    });
    return at;
  };

  it.each([8, 16])('of a sweep with %d callers are leased in batches, within the limit', async (callers) => {
    const made = scene({ post: 0, read: 50 });
    const at = await made.pass(sweep(made, made.instance(), { callers, reads: 500 }));
    expect(at).toHaveLength(500);
    expect(made.writes()).toBeLessThanOrEqual(500 / 10);
    expect(mostInASecond(at)).toBeLessThanOrEqual(55);
    expect(Math.max(...at)).toBeLessThanOrEqual(11_000);
  });

  it('of two concurrent sweeps share the limit', async () => {
    const made = scene({ post: 0, read: 50 });
    const [one, other] = await made.pass(
      Promise.all([1, 2].map(() => sweep(made, made.instance(), { callers: 16, reads: 500 }))),
    );
    const both = [...(one ?? []), ...(other ?? [])];
    expect(mostInASecond(both)).toBeLessThanOrEqual(55);
    expect(Math.max(...both)).toBeLessThanOrEqual(22_000);
    expect(Math.max(...(one ?? [])) / Math.max(...(other ?? []))).toBeGreaterThan(0.8);
    expect(made.writes()).toBeLessThanOrEqual(1000 / 10);
  });

  it('made one by one lease one slot each', async () => {
    const { instance, pass, wait, writes } = scene({ post: 0, read: 50 });
    const pace = instance();
    for (let n = 0; n < 5; n += 1) {
      expect(await pass(pace.turn('read', { withinMs: 1000 }))).toEqual({ kind: 'now' });
      await pass(wait(5000));
    }
    expect(writes()).toBe(5);
    expect((await pace.state())[1]?.queuedMs).toBe(0);
  });

  it('made once a second never lease more ahead', async () => {
    const { instance, pass, wait } = scene({ post: 0, read: 50 });
    const pace = instance();
    for (let n = 0; n < 20; n += 1) {
      await pass(pace.turn('read', { withinMs: 1000 }));
      expect((await pace.state())[1]?.queuedMs).toBeLessThanOrEqual(20);
      await pass(wait(990));
    }
  });

  it('do not catch up on slots that passed unused', async () => {
    const { instance, pass, wait, sinceStart } = scene({ post: 0, read: 50 });
    const pace = instance();
    for (let n = 0; n < 60; n += 1) await pass(pace.turn('read', { withinMs: 1000 }));
    await pass(wait(10_000));
    const since = sinceStart();
    const at: number[] = [];
    const one = async () => {
      await pace.turn('read', { withinMs: 1000 });
      at.push(sinceStart() - since);
    };
    await pass(times(10, one));
    expect(Math.max(...at)).toBeGreaterThanOrEqual(160);
  });

  it('of low priority are leased in batches, and lease no more until those have passed', async () => {
    const made = scene({ post: 0, read: 50 });
    const proofs = made.instance();
    const archive = async (): Promise<void> => {
      for (let n = 0; n < 50; n += 1) {
        await proofs.turn('read', { withinMs: 10_000, isSpare: true });
        await made.wait(100);
      }
    };
    await made.pass(times(6, archive));
    expect(made.writes()).toBeLessThanOrEqual(300 / 7);
    expect(made.requests.length).toBeLessThanOrEqual(2 * made.writes() + 5);
    // 40 a second.
    expect(made.sinceStart()).toBeLessThanOrEqual(8500);
  });

  it('of low priority use only what others leave, without delay to them', async () => {
    const made = scene({ post: 0, read: 50 });
    const { instance, pass, wait, sinceStart } = made;
    const [status, proofs] = [instance(), instance()];
    let isOver = false;
    const spareAt: number[] = [];
    const archive = async (): Promise<void> => {
      while (!isOver) {
        const turn: Turn = await proofs.turn('read', { withinMs: 2000, isSpare: true });
        if (turn.kind === 'now') spareAt.push(sinceStart());
      }
    };
    const waits: number[] = [];
    const ask = async (): Promise<void> => {
      for (let n = 0; n < 20; n += 1) {
        await wait(1000);
        const since = sinceStart();
        expect(await status.turn('read', { withinMs: 2000 })).toEqual({ kind: 'now' });
        waits.push(sinceStart() - since);
      }
      // Then the whole limit, for five seconds.
      await sweep(made, status, { callers: 16, reads: 250 });
      isOver = true;
    };
    await pass(Promise.all([ask(), times(4, archive)]));
    expect(Math.max(...waits)).toBeLessThanOrEqual(300);
    expect(spareAt.filter((at) => at < 20_000).length).toBeGreaterThan(20 * 50 * 0.6);
    expect(spareAt.filter((at) => at > 21_000 && at < 24_500).length).toBeLessThan(20);
    expect(sinceStart()).toBeLessThanOrEqual(27_000);
  });
});

describe('without a limit', () => {
  it('every turn is now, without a request to the ledger', async () => {
    const { instance, requests, counted } = scene({ post: 0, read: 0 });
    const pace = instance();
    expect(await times(100, () => pace.turn('post', { batchId: 'b-1', withinMs: 0 }))).toEqual(
      Array.from({ length: 100 }, () => ({ kind: 'now' })),
    );
    expect(await pace.turn('read', { withinMs: 0, isSpare: true })).toEqual({ kind: 'now' });
    await pace.report('read', { kind: 'throttled', retryAfterMs: 1000 });
    expect(await pace.waitOutPause('read', 60_000)).toBe(false);
    expect(await pace.state()).toMatchObject([
      { kind: 'post', limitPerSecond: 0 },
      { kind: 'read', limitPerSecond: 0 },
    ]);
    expect([requests, counted]).toEqual([[], []]);
  });
});

describe('an outage of the ledger', () => {
  it('reaches everyone who waits for a turn', async () => {
    const { pass, wait } = scene({ post: 1, read: 1 });
    const broken = Object.create(onTable.client, {
      send: { value: () => Promise.reject(new Error('no route to the ledger')) },
    });
    const pace = createPace({
      ...onTable,
      client: broken,
      wait,
      limits: { post: 1, read: 1 },
      log: silentLog,
      count: () => undefined,
    });
    const turns = [...(['read', 'read', 'post'] as const)].map((kind) => pace.turn(kind, { withinMs: 1000 }));
    const outcomes = await pass(Promise.allSettled(turns));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});
