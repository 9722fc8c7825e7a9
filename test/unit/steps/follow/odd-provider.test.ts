import { describe, expect, it } from 'vitest';
import type { BatchScene } from '../../../support/scenes/batch-scene.ts';
import { batchId } from '../../../support/scenes/batch-scene.ts';
import { begun, submitted } from './follow-scene.ts';

describe('a provider that deviates from its document', () => {
  const settlesAllIn = async (ways: Partial<BatchScene['listed']['ways']>) => {
    const { scene, sweep } = await submitted({ chunks: 4, rows: 30, traits: { pageLimit: 2 } }, 40);
    Object.assign(scene.listed.ways, ways);
    for (let row = 1; row <= 120; row += 7) {
      scene.passSeconds(1);
      scene.listed.settle('completed', `ref-${row}`);
    }
    let sweeps = 0;
    const open = () => scene.statuses().filter((status) => status !== 'completed').length;
    for (; open() > 120 - 18 && sweeps < 400; sweeps += 1) await sweep();
    return { open: open(), seconds: (scene.clock() - Date.parse((await scene.batch()).statusSince)) / 1000 };
  };

  it.each<[string, Partial<BatchScene['listed']['ways']>]>([
    ['sorts by creation', { ignoresSort: true }],
    ['does not move the time of the last change', { keepsUpdatedAt: true }],
    ['does not filter', { ignoresStatus: true }],
    ['does none of these', { ignoresSort: true, keepsUpdatedAt: true, ignoresStatus: true }],
  ])('costs only requests when it %s', async (_name, ways) => {
    const { open, seconds } = await settlesAllIn(ways);
    expect(open).toBe(120 - 18);
    expect(seconds).toBeLessThan(3600 + 600);
  });

  it('is confirmed more often once its changes missed something', async () => {
    const { scene, sweep } = await submitted({ chunks: 4, rows: 30, traits: { pageLimit: 10 } }, 40);
    scene.passSeconds(120);
    scene.listed.settle('completed', 'ref-1');
    for (let before = 0; before < 3; before += 1) {
      scene.passSeconds(60);
      await sweep();
    }
    scene.listed.ways.keepsUpdatedAt = true;
    scene.listed.settle('completed', 'ref-5');
    while (scene.payout(5).status !== 'completed') await sweep();
    scene.listed.settle('completed', 'ref-50');
    await sweep();
    expect(scene.payout(50).status).toBe('completed');
    expect((await scene.ledger.readFollow(batchId)).lists?.fiat?.isDistrusted).toBe(true);
    // While nothing is omitted it is trusted again.
    await sweep();
    expect((await scene.ledger.readFollow(batchId)).lists?.fiat?.isDistrusted).toBe(false);
  });
});

describe('a provider without lists', () => {
  it.each([
    ['as its traits say', { traits: { pageLimit: 0 } }, false],
    ['as is found out', {}, true],
  ])('needs a lookup of each payout in each sweep, %s', async (_name, options, lacksLists) => {
    const { scene, run } = await begun({ chunks: 3, rows: 10, ...options });
    scene.listed.ways.lacksLists = lacksLists;
    await run.submitAll();
    await run.goOn(await run.sweep());
    expect(scene.listed.asked.lists).toHaveLength(lacksLists ? 1 : 0);
    expect(scene.listed.asked.lookUps).toHaveLength(30);
    scene.listed.settle('completed');
    await run.goOn(await run.sweep());
    expect(scene.statuses()).toEqual(Array(30).fill('completed'));
  });

  it('needs lookups of a refused call row by row', async () => {
    const { scene, run } = await begun({ chunks: 1, rows: 8, traits: { pageLimit: 0 } });
    scene.answers.push(() => ({ kind: 'rejected', message: 'Payment method not found' }));
    await run.submitAll();
    expect(scene.listed.asked.lists).toEqual([]);
    expect(scene.listed.asked.lookUps).toHaveLength(8);
    expect(scene.posted.map(({ length }) => length)).toEqual([8, 4, 4]);
  });
});
