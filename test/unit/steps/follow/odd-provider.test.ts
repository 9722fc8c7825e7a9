import { describe, expect, it } from 'vitest';
import type { BatchScene } from '../../../support/batch-scene.ts';
import { batchId } from '../../../support/batch-scene.ts';
import { submitted } from '../follow-scene.ts';

describe('a provider that does other than its document', () => {
  const settlesAllIn = async (ways: Partial<BatchScene['listed']['ways']>) => {
    const { scene, sweep } = await submitted({ chunks: 4, rows: 30, settings: { providerPageLimit: 2 } }, 40);
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
  ])('costs requests, but no payout: it %s', async (_name, ways) => {
    const { open, seconds } = await settlesAllIn(ways);
    expect(open).toBe(120 - 18);
    expect(seconds).toBeLessThan(3600 + 600);
  });

  it('is confirmed more often once its changes left something out', async () => {
    const { scene, sweep } = await submitted({ chunks: 4, rows: 30, settings: { providerPageLimit: 10 } }, 40);
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
    // While nothing is left out it is trusted again.
    await sweep();
    expect((await scene.ledger.readFollow(batchId)).lists?.fiat?.isDistrusted).toBe(false);
  });
});
