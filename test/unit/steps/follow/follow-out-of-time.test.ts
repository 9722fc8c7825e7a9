import { describe, expect, it } from 'vitest';
import { drawsAll } from '../../../support/fast-loop.ts';
import { usdt } from '../../../support/money.ts';
import type { BatchScene, SceneOptions } from '../../../support/scenes/batch-scene.ts';
import { exampleChunkFile } from '../../../support/scenes/example-batch.ts';
import { begun } from './follow-scene.ts';

/** A batch whose lookups each take this many seconds of a sweep. */
const slow = async (lookUpSeconds: number, options: SceneOptions) => {
  const { scene, run } = await begun(options);
  const { provider } = scene.dependencies;
  const { lookUp } = provider;
  let left = 0;
  provider.lookUp = async (...of) => {
    left -= lookUpSeconds;
    return lookUp(...of);
  };
  const sweepFor = (seconds: number) => {
    left = seconds;
    return run.sweep({ remainingMs: () => left * 1000 });
  };
  return { scene, run, sweepFor };
};

/** The provider makes all payments of the next call, and its answer is lost. */
const loseAnswer = (scene: BatchScene): void => {
  scene.answers.push((references) => {
    scene.accept(references);
    return { kind: 'unknown', cause: 'timeout' };
  });
};

/** Ten payouts with the provider, and a hundred in doubt. Each of their lookups takes 20 s and gets no answer. */
const hanging = async () => {
  const slowly = await slow(20, { chunks: 11, rows: 10 });
  const { scene, run } = slowly;
  await run.submit([1]);
  for (let count = 0; count < 10; count += 1) loseAnswer(scene);
  await run.submit([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  await run.endRound();
  scene.listed.ways.fails = (what) => what === 'look_up';
  return slowly;
};

/** Minutes of a day. */
const day = 24 * 60;

describe('a sweep that runs out of time', () => {
  it('continues from its last chunk, and reaches every one', async () => {
    const { scene, run, sweepFor } = await slow(20, { chunks: 40, rows: 2 });
    for (let count = 0; count < 40; count += 1) loseAnswer(scene);
    await run.submitAll();
    scene.passSeconds(120);
    let times = 0;
    for (let sweeps = 0; scene.statuses().includes('unknown') && sweeps < 50; sweeps += 1) {
      const { next } = await sweepFor(300);
      const { cursors = {} } = await scene.ledger.readFollow(scene.batchId);
      times += 1;
      expect(next).toBe(cursors.in_doubt === undefined ? 'wait' : 'go_on');
    }
    expect(scene.statuses()).toEqual(Array(80).fill('pending'));
    expect(times).toBeGreaterThan(3);
    expect(scene.listed.asked.lookUps.length).toBeLessThan(100);
  });

  it('begins the next pass with the chunk whose lookups were incomplete', async () => {
    const { scene, run, sweepFor } = await slow(20, { chunks: 1, rows: 30 });
    loseAnswer(scene);
    await run.submitAll();
    scene.passSeconds(120);
    expect(await sweepFor(200)).toMatchObject({ next: 'go_on' });
    expect((await scene.ledger.readFollow(scene.batchId)).cursors).toMatchObject({ in_doubt: 1 });
    expect(scene.statuses().filter((status) => status === 'unknown').length).toBeGreaterThan(0);
    expect(await sweepFor(1500)).toMatchObject({ next: 'wait' });
    expect((await scene.ledger.readFollow(scene.batchId)).cursors).toEqual({});
    expect(scene.statuses()).toEqual(Array(30).fill('pending'));
  });

  it('reaches every chunk although none of its lookups shows an end', async () => {
    const { scene, run, sweepFor } = await slow(15, { chunks: 24, rows: 3 });
    await run.submitAll();
    scene.listed.settle('on_hold');
    await run.sweep();
    scene.listed.forgetAsked();
    // Lists of bank transfers omit payouts on hold, so each is looked up, and stays on hold.
    for (let passes = 0; passes < 8; passes += 1) await sweepFor(300);
    expect(new Set(scene.listed.asked.lookUps).size).toBe(72);
  });

  it.each([
    ['4 chunks', 4, 30],
    ['20 chunks', 20, 20],
  ])('reaches every payout of %s although it has time for only a part of each chunk', async (_, chunks, rows) => {
    const { scene, run, sweepFor } = await slow(15, { chunks, rows });
    await run.submitAll();
    scene.listed.settle('on_hold');
    await run.sweep();
    scene.listed.forgetAsked();
    let drawn = 0;
    scene.dependencies.random = () => {
      drawn = (drawn + 0.618) % 1;
      return drawn;
    };
    const mostSweeps = 20 * chunks;
    const seen = () => new Set(scene.listed.asked.lookUps).size;
    for (let sweeps = 0; seen() < chunks * rows && sweeps < mostSweeps; sweeps += 1) await sweepFor(300);
    expect(seen()).toBe(chunks * rows);
  });

  it.runIf(drawsAll)(
    'looks up every payout in time when no list shows them, although each sweep has time for only a few',
    async () => {
      const { scene, run, sweepFor } = await slow(15, { chunks: 24, rows: 3, traits: { pageLimit: 10 } });
      const sweeps = async (count: number) => {
        for (let pass = 0; pass < count; pass += 1) await run.goOn(await sweepFor(300));
      };
      await run.submitAll();
      // Lists of bank transfers omit payouts on hold.
      scene.listed.settle('on_hold');
      await sweeps(40);
      scene.listed.settle('completed', 'ref-1');
      await sweeps(20);
      scene.listed.ways.keepsUpdatedAt = true;
      scene.listed.settle('completed', 'ref-70');
      await sweeps(250);
      expect(scene.payout(70).status).toBe('completed');
    },
  );

  it('looks up every quarantined payout once after a resume, although its first sweep has time for only a few', async () => {
    const { scene, run, sweepFor } = await slow(20, { chunks: 40, rows: 2 });
    await run.submitAll();
    for (let row = 1; row <= 80; row += 1)
      await scene.arrange(row, { status: 'quarantined', ...(row % 2 === 0 ? {} : { disbursementId: null }) });
    const { next } = await sweepFor(300);
    expect(next).toBe('go_on');
    for (let sweeps = 0; sweeps < 20; sweeps += 1) if ((await sweepFor(300)).next !== 'go_on') break;
    expect(scene.statuses()).toEqual(Array(80).fill('pending'));
  });

  it('ends its batch although lookups of quarantined payouts hang, and no sweep gets further', async () => {
    const { scene, run, sweepFor } = await slow(20, { chunks: 1, rows: 30 });
    await run.submitAll();
    for (let row = 1; row <= 30; row += 1) await scene.arrange(row, { status: 'quarantined' });
    scene.listed.ways.fails = (what) => what === 'look_up';
    const next: string[] = [];
    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      const output = await sweepFor(300);
      next.push(output.next);
      await run.goOn(output);
    }
    expect(next).toEqual(['go_on', 'go_on', 'report']);
  });

  it('reaches every quarantined payout in the course of days, although each look has time for only a few', async () => {
    const { scene, run, sweepFor } = await slow(20, { chunks: 20, rows: 2 });
    await run.submitAll();
    await run.sweep();
    const unknown = scene.listed.kept.splice(0, 10);
    for (let row = 1; row <= 40; row += 1) await scene.arrange(row, { status: 'quarantined', disbursementId: null });
    for (let minutes = 0; minutes < 4 * day; minutes += 20) {
      await sweepFor(300);
      scene.passSeconds(1200);
    }
    expect(scene.statuses().filter((status) => status === 'quarantined')).toHaveLength(unknown.length);
  });

  it('looks up payouts in doubt although the lists of open payouts are too long', async () => {
    const { scene, run } = await begun({ chunks: 11, rows: 30, traits: { pageLimit: 1 } });
    const { provider } = scene.dependencies;
    const { listDisbursements } = provider;
    let left = 900;
    provider.listDisbursements = async (query) => {
      if (query.order === 'created') left -= 4;
      return listDisbursements(query);
    };
    await run.submit(Array.from({ length: 10 }, (_, index) => index + 1));
    await run.goOn(await run.sweep());
    scene.passSeconds(3700);
    loseAnswer(scene);
    await run.submit([11]);
    await run.endRound();
    scene.passSeconds(121);
    const next: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      left = 900;
      next.push((await run.sweep({ remainingMs: () => left * 1000 })).next);
      scene.passSeconds(900 - left);
    }
    expect(scene.statuses()).not.toContain('unknown');
    expect(next).toContain('wait');
  });

  it('lets its batch be reported so far, although no sweep has time for all lookups that hang', async () => {
    const { scene, sweepFor } = await hanging();
    scene.listed.settle('completed', ...Array.from({ length: 10 }, (_, index) => `ref-${index + 1}`));
    const reported: number[] = [];
    for (let minutes = 15; minutes <= 180; minutes += 15) {
      scene.passSeconds(900);
      const { next } = await sweepFor(900);
      if (next === 'report_interim') reported.push(minutes);
      else expect(next).toBe('go_on');
    }
    expect(reported).toEqual([75]);
  });

  describe('in one of its parts does the others all the same:', () => {
    it('it reads the lists although lookups of payouts in doubt hang', async () => {
      const { scene, sweepFor } = await hanging();
      scene.listed.settle('completed');
      scene.passSeconds(121);
      expect((await sweepFor(900)).next).toBe('go_on');
      expect(scene.statuses().slice(0, 10)).toEqual(Array(10).fill('completed'));
    });

    /** Bank transfers whose lookups take longer than a sweep, and some wallet transfers. The provider has no lists. */
    const withBothRails = async () => {
      const slowly = await slow(15, { chunks: 24, rows: 3 });
      const { scene, run } = slowly;
      const { ledger, listed } = scene;
      listed.ways.lacksLists = true;
      await run.submitAll();
      const file = exampleChunkFile(scene.batchId, 'crypto', 25, 3);
      await ledger.registerPayouts(file);
      for (const { row, reference, amount } of file.payouts) {
        const { destinationHash: _, ...one } = scene.disbursementOf('ref-1');
        const disbursementId = `d-${reference}`;
        listed.add({ ...one, disbursementId, reference, rail: 'crypto', amount: usdt(amount) });
        await scene.arrange(row, { status: 'pending', disbursementId });
      }
      return slowly;
    };

    it('it follows wallet transfers although there are too many bank transfers', async () => {
      const { scene, sweepFor } = await withBothRails();
      scene.listed.settle('completed', 'ref-73', 'ref-74', 'ref-75');
      for (let count = 0; count < 3; count += 1) expect((await sweepFor(300)).next).toBe('go_on');
      expect([73, 74, 75].map((row) => scene.payout(row).status)).toEqual(Array(3).fill('completed'));
    });

    it('it quarantines overdue payouts although there are too many to look up', async () => {
      const { scene, sweepFor } = await withBothRails();
      scene.passSeconds(8 * day * 60);
      for (let count = 0; count < 30; count += 1) await sweepFor(300);
      expect(scene.statuses()).toEqual(Array(75).fill('quarantined'));
    });
  });
});
