import { describe, expect, it } from 'vitest';
import type { PayoutStatus } from '../../../../functions/domain/payout/payout-status.ts';
import { createExecution } from '../../../support/execution.ts';
import type { SceneOptions } from '../../../support/scenes/batch-scene.ts';
import { createBatchScene } from '../../../support/scenes/batch-scene.ts';

const day = 86_400;

const submitted = async (options: SceneOptions = {}) => {
  const scene = await createBatchScene(options);
  const run = createExecution(scene);
  await run.submitAll();
  return { scene, run };
};

describe('a payout without an end', () => {
  it.each<[PayoutStatus, object]>([
    ['pending', {}],
    ['unknown', { disbursementId: null }],
    ['submitting', { disbursementId: null }],
  ])('is left to a person after the days of following, when it is %s', async (status, changes) => {
    // Alone in its chunk, so no other row draws attention to it.
    const { scene, run } = await submitted({ rows: 1, settings: { followDays: 2 } });
    await scene.arrange(1, { status, ...changes });
    // The provider does not answer, so nothing else can end it.
    scene.listed.ways.fails = () => true;
    scene.passSeconds(2 * day);
    await run.sweep();
    expect(scene.payout(1).status).toBe(status);
    scene.passSeconds(1);
    await run.sweep();
    expect(scene.payout(1)).toMatchObject({ status: 'quarantined', reason: { code: 'followed_too_long' } });
    expect(scene.alarms).toContain('PayoutQuarantined');
    expect((await scene.record()).tallies).toMatchObject({ quarantined: { count: 1 } });
  });

  it('is quarantined once followDays have passed since its last change, and no earlier', async () => {
    const { scene, run } = await submitted({ settings: { followDays: 1 } });
    scene.passSeconds(23 * 3600);
    await run.sweep();
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
    scene.passSeconds(3601);
    await run.sweep();
    expect(scene.statuses()).toEqual(Array(4).fill('quarantined'));
  });

  it('is looked up once more in the sweep that would quarantine it', async () => {
    const { scene, run } = await submitted({ settings: { followDays: 1 } });
    scene.passSeconds(day + 1);
    scene.listed.settle('completed');
    await run.sweep();
    expect(scene.statuses()).toEqual(Array(4).fill('completed'));
  });

  it('stays quarantined while others are followed, until the provider ends it', async () => {
    const { scene, run } = await submitted({ settings: { followDays: 2 } });
    await run.sweep();
    await scene.arrange(1, { status: 'quarantined', reason: { code: 'followed_too_long', message: '' } });
    for (let hour = 0; hour < 5; hour += 1) {
      scene.passSeconds(3601);
      await run.sweep();
      expect(scene.statuses()).toEqual(['quarantined', 'pending', 'pending', 'pending']);
    }
    scene.listed.settle('completed');
    await run.sweep();
    expect(scene.statuses()).toEqual(Array(4).fill('completed'));
  });

  it('is followed for the full time even when submitted after a longer pause', async () => {
    const scene = await createBatchScene({ settings: { followDays: 1 } });
    const run = createExecution(scene);
    await scene.pause();
    await run.submitAll();
    scene.passSeconds(30 * day);
    await scene.resume();
    await run.submitAll();
    await run.goOn(await run.sweep());
    await run.goOn(await run.sweep());
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
  });

  it('is never quarantined while the provider holds it for a check', async () => {
    const { scene, run } = await submitted({ settings: { followDays: 1 } });
    scene.listed.settle('on_hold', 'ref-1');
    await run.sweep();
    scene.passSeconds(3 * day);
    await run.sweep();
    expect(scene.payout(1).status).toBe('on_hold');
  });
});
