import { describe, expect, it } from 'vitest';
import type { SubmitAnswer } from '../../../functions/ports/provider.ts';
import { submitChunk } from '../../../functions/steps/submit-chunk.ts';
import { createExecution } from '../../support/execution.ts';
import { idr } from '../../support/money.ts';
import type { BatchScene } from '../../support/scenes/batch-scene.ts';
import { batchId } from '../../support/scenes/batch-scene.ts';
import { begun, completes } from './follow/follow-scene.ts';

const refused: SubmitAnswer = { kind: 'not_sent', cause: 'refused' };

describe('a batch', () => {
  it('is followed while it submits, and no chunk waits for another one’s open payouts', async () => {
    const { scene, run } = await begun();
    for (const chunk of [1, 2]) {
      await submitChunk(scene.dependencies, scene.inputOf(chunk), scene.invocation);
      completes(scene, 'ref-1');
      const output = await run.sweep();
      expect(output).toMatchObject({ next: 'wait', waitSeconds: 5, round: 1 });
      await run.goOn(output);
    }
    expect(scene.statuses()).toEqual(['pending', ...Array(7).fill('completed')]);
    await run.submit([3]);
    expect(scene.posted).toHaveLength(3);
    // Until the round has ended, missing chunks are not searched and nothing is submitted again.
    expect(await run.sweep()).toMatchObject({ next: 'wait' });
    expect((await scene.ledger.readFollow(batchId)).leftRound).toBeUndefined();
  });

  it('submits, completes and proves all other rows while the bank holds one in each chunk', async () => {
    const { scene, run } = await begun({ chunks: 10, rows: 5 });
    await run.submitAll();
    const held = Array.from({ length: 10 }, (_, index) => `ref-${index * 5 + 1}`);
    completes(scene, ...held);
    await run.goOn(await run.sweep());
    expect(scene.statuses().filter((status) => status === 'completed')).toHaveLength(40);
    expect(scene.listed.asked.proofs).toHaveLength(40);
    await run.forSeconds(60);
    const { report } = await scene.batch();
    expect(report?.interim).toEqual({ openRows: 10 });
    expect(
      scene.reports
        .get(report?.resultsKey ?? '')
        ?.split('\n')
        .filter((line) => line.includes('completed')),
    ).toHaveLength(40);
    completes(scene);
    await run.goOn(await run.until('report'));
    expect(await scene.batch()).toMatchObject({ status: 'completed' });
    expect((await scene.batch()).report).not.toHaveProperty('interim');
  });

  it('waits longer between sweeps over time, up to the maximum, and less after a submission', async () => {
    const { scene, run } = await begun();
    await run.submitAll();
    await run.forSeconds(7200);
    const waits = run.outputs.filter(({ next }) => next === 'wait').map(({ waitSeconds }) => waitSeconds);
    expect(waits[0]).toBe(5);
    expect(waits.at(-1)).toBe(300);
    expect(waits.toSorted((one, other) => one - other)).toEqual(waits);
    await scene.arrange(1, { status: 'ready', disbursementId: null, reason: null, call: null });
    scene.listed.kept.shift();
    await run.goOn(await run.until('submit'));
    expect(await run.sweep()).toMatchObject({ next: 'wait', waitSeconds: 5, round: 2 });
  });

  it('reports when its next sweep is due', async () => {
    const { scene, run } = await begun();
    await run.submitAll();
    const { waitSeconds } = await run.sweep();
    const { nextSweepAt = '', sweptAt } = await scene.ledger.readFollow(batchId);
    expect(Date.parse(nextSweepAt) - scene.clock()).toBe(waitSeconds * 1000);
    expect(sweptAt).toBe(new Date(scene.clock()).toISOString());
  });
});

describe('chunks that a round left behind', () => {
  it('are submitted by one other round, although they were never registered', async () => {
    const { scene, run } = await begun();
    await run.submit([1]);
    await run.endRound();
    const output = await run.sweep();
    // A round counts as two further sweeps: test/simulation/event-history.test.ts adds up its events.
    expect(output).toMatchObject({ next: 'submit', round: 2, sweeps: 3 });
    expect(scene.manifests.get(output.manifestKey)).toEqual([2, 3]);
    await run.goOn(output);
    expect(scene.posted).toHaveLength(3);
    expect(scene.statuses()).toEqual(Array(12).fill('pending'));
  });

  it('are submitted in order, with ready or unregistered rows', async () => {
    const { scene, run } = await begun({ chunks: 4 });
    await run.submit([1, 3]);
    scene.answers.push(() => refused);
    await run.submit([4]);
    await run.endRound();
    const { manifestKey } = await run.until('submit');
    expect(scene.manifests.get(manifestKey)).toEqual([2, 4]);
  });
});

describe('rounds without effect', () => {
  it('wait longer each time, and no longer once one has an effect', async () => {
    const { scene, run } = await begun({ chunks: 1 });
    for (let count = 0; count < 4; count += 1) scene.answers.push(() => refused);
    await run.submitAll();
    const start = scene.clock();
    const at: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      await run.goOn(await run.until('submit'));
      at.push((scene.clock() - start) / 1000);
    }
    expect(at).toEqual([0, 5, 15, 35]);
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
    // A round with an effect: the next one starts immediately.
    await scene.arrange(1, { status: 'ready', disbursementId: null, call: null });
    scene.listed.kept.shift();
    const again = scene.clock();
    await run.until('submit');
    expect(scene.clock()).toBe(again);
  });

  it('are counted once per round, however many sweeps occur in the wait', async () => {
    const { scene, run } = await begun({ chunks: 1, settings: { pollFirstSeconds: 60, pollMaxSeconds: 600 } });
    scene.answers.push(
      () => refused,
      () => refused,
    );
    await run.submitAll();
    await run.goOn(await run.until('submit'));
    const { submitAfter } = await scene.ledger.readFollow(batchId);
    expect(submitAfter).toBeDefined();
    for (let count = 0; count < 5; count += 1) expect(await run.sweep()).toMatchObject({ next: 'wait' });
    expect(await scene.ledger.readFollow(batchId)).toMatchObject({ idleRounds: 1 });
  });

  it('of an execution that reported and continued have continuing numbers', async () => {
    const { scene, run } = await begun({ chunks: 1, rows: 2 });
    await run.submitAll();
    completes(scene);
    const output = await run.until('report');
    // During the report one row turns out not to be paid.
    await scene.arrange(1, { status: 'ready', disbursementId: null, call: null, proof: null });
    scene.listed.kept.shift();
    expect(await run.goOn(output)).toBe(true);
    const again = await run.until('submit');
    expect(again.round).toBe(2);
    const { endedRound } = await scene.ledger.readFollow(batchId);
    expect(endedRound).toBe('000001#000001');
    // Its children are running, so nothing is decided about the rest.
    expect(await run.sweep()).toMatchObject({ next: 'wait', round: 2 });
  });
});

describe('an execution', () => {
  it('hands over after a number of sweeps, and the next one continues', async () => {
    const { scene, run } = await begun({ settings: { sweepsPerExecution: 3 } });
    await run.submitAll();
    await run.until('hand_over');
    expect(run.outputs.map(({ sweeps }) => sweeps)).toEqual([1, 2, 3, 4]);
    await scene.ledger.beginExecution(batchId, 1, 'system');
    const next = createExecution(scene, 2);
    completes(scene);
    await next.goOn(await next.until('report'));
    expect((await scene.batch()).status).toBe('completed');
    expect(scene.posted).toHaveLength(3);
  });

  it('hands over while it submits, or while its sweeps are incomplete', async () => {
    const { scene, run } = await begun({ chunks: 9, settings: { sweepsPerExecution: 2 } });
    await run.submit([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await run.until('hand_over')).sweeps).toBe(3);
    await scene.ledger.beginExecution(batchId, 1, 'system');
    const next = createExecution(scene, 2);
    scene.listed.settle('on_hold');
    for (const expected of ['go_on', 'go_on', 'hand_over']) {
      let left = 100_000;
      const remainingMs = () => {
        left -= 5_000;
        return left;
      };
      expect((await next.sweep({ remainingMs })).next).toBe(expected);
    }
  });

  it('submits what is ready although a sweep has no time for every chunk', async () => {
    const { scene, run } = await begun({ chunks: 9 });
    await run.submit([1, 2, 3, 4, 5, 6, 7, 8]);
    await run.endRound();
    scene.listed.settle('on_hold');
    let left = 100_000;
    const remainingMs = () => {
      left -= 5_000;
      return left;
    };
    const output = await run.sweep({ remainingMs });
    expect(output.next).toBe('submit');
    expect((await scene.ledger.readFollow(batchId)).cursors).toEqual({ fiat: expect.any(Number) });
    expect(scene.manifests.get(output.manifestKey)).toEqual([9]);
  });

  it.each<[string, (scene: BatchScene) => Promise<unknown>]>([
    ['to a later execution', ({ ledger }) => ledger.beginExecution(batchId, 1, 'arn:person')],
    [
      'alone after its execution has ended',
      ({ ledger }) => ledger.amendBatch(batchId, ['processing'], { endedExecution: 1 }),
    ],
  ])('leaves a batch %s, without a request', async (_name, happens) => {
    const { scene, run } = await begun();
    await run.submitAll();
    await happens(scene);
    const kept = await scene.ledger.readFollow(batchId);
    scene.listed.forgetAsked();
    expect(await run.sweep()).toMatchObject({ next: 'hand_over' });
    expect(scene.listed.asked).toMatchObject({ lists: [], lookUps: [] });
    expect(await scene.ledger.readFollow(batchId)).toEqual(kept);
  });

  it('submits while it has sweeps left, and reports even when it has none', async () => {
    const { scene, run } = await begun({ settings: { sweepsPerExecution: 1 } });
    await run.submit([1]);
    await run.endRound();
    const output = await run.sweep();
    expect(output.next).toBe('submit');
    await run.goOn(output);
    completes(scene);
    expect((await run.sweep()).next).toBe('report');
  });

  it('that succeeds another one submits its remaining rows', async () => {
    const { scene, run } = await begun();
    await run.submit([2]);
    const next = createExecution(scene, 2);
    const output = await next.until('submit');
    expect(output.round).toBe(1);
    expect(scene.manifests.get(output.manifestKey)).toEqual([1, 3]);
  });
});

describe('two concurrent sweeps', () => {
  it('write nothing twice', async () => {
    const { scene, run } = await begun({ chunks: 2, rows: 4 });
    await run.submitAll();
    completes(scene);
    scene.listed.settle('failed', 'ref-2');
    const cut = scene.listed.kept.findIndex(({ reference }) => reference === 'ref-3');
    scene.listed.kept[cut] = scene.disbursementOf('ref-3', {
      status: 'completed',
      amount: idr('1'),
      updatedAt: new Date(scene.clock()).toISOString(),
    });
    await Promise.all([run.sweep(), createExecution(scene).sweep(), createExecution(scene).sweep()]);
    expect(scene.statuses()).toEqual(['completed', 'failed', 'quarantined', ...Array(5).fill('completed')]);
    expect(scene.alarms).toEqual(['PayoutQuarantined']);
    expect(await scene.record(1)).toMatchObject({
      tallies: { completed: { count: 2 }, failed: { count: 1 }, quarantined: { count: 1 } },
      proofs: 2,
    });
    expect((await scene.ledger.readFollow(batchId)).version).toBe(1);
  });

  it('submit nothing twice, whichever rounds they ask for', async () => {
    const { scene, run } = await begun();
    await run.submit([1]);
    await run.endRound();
    const other = createExecution(scene);
    const [one, two] = await Promise.all([run.sweep(), other.sweep()]);
    await Promise.all([run.goOn(one), other.goOn(two)]);
    expect(scene.posted.flat().toSorted()).toEqual([...new Set(scene.posted.flat())].toSorted());
    expect(scene.posted.flat()).toHaveLength(12);
  });
});
