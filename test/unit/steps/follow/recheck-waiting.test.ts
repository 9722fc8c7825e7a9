import { describe, expect, it } from 'vitest';
import { unaskedChunks } from '../../../../functions/steps/follow/recheck-waiting.ts';
import { beginSweep } from '../../../../functions/steps/follow/sweep.ts';
import { createExecution } from '../../../support/execution.ts';
import { idr } from '../../../support/money.ts';
import type { SceneOptions } from '../../../support/scenes/batch-scene.ts';
import { createBatchScene } from '../../../support/scenes/batch-scene.ts';
import { sweepStart } from './follow-scene.ts';

const submitted = async (options: SceneOptions = {}) => {
  const scene = await createBatchScene(options);
  const run = createExecution(scene);
  await run.submitAll();
  return { scene, run };
};

describe('a payout on hold', () => {
  it('is looked up repeatedly, and its completion is noticed', async () => {
    const { scene, run } = await submitted();
    scene.listed.settle('completed', 'ref-1', 'ref-2', 'ref-3');
    scene.listed.settle('on_hold', 'ref-4');
    await run.forSeconds(3600);
    expect(scene.payout(4).status).toBe('on_hold');
    scene.listed.settle('completed', 'ref-4');
    await run.forSeconds(301);
    expect(scene.payout(4).status).toBe('completed');
  });

  it('lets its batch end only after the set minutes', async () => {
    const { scene, run } = await submitted({ rows: 1, settings: { onHoldFollowMinutes: 120 } });
    scene.listed.settle('on_hold');
    const start = scene.clock();
    const output = await run.until('report');
    const minutes = (scene.clock() - start) / 60_000;
    expect(minutes).toBeGreaterThanOrEqual(120);
    expect(minutes).toBeLessThan(130);
    expect(await run.goOn(output)).toBe(false);
    expect(scene.payout(1).status).toBe('on_hold');
  });
});

describe('a quarantined payout', () => {
  const quarantined = async () => {
    const { scene, run } = await submitted();
    for (const row of [1, 2]) await scene.arrange(row, { status: 'quarantined', disbursementId: null });
    scene.listed.settle('completed');
    const differing = scene.listed.kept.findIndex(({ reference }) => reference === 'ref-2');
    scene.listed.kept[differing] = scene.disbursementOf('ref-2', { status: 'completed', amount: idr('1') });
    return { scene, run };
  };

  it('is looked up at once in each new execution, and a matching disbursement is adopted', async () => {
    const { scene, run } = await quarantined();
    await run.goOn(await run.sweep());
    expect(scene.statuses()).toEqual(['completed', 'quarantined', 'completed', 'completed']);
    scene.listed.kept.splice(0);
    scene.listed.add(scene.disbursementOf('ref-2', { status: 'completed' }));
    await run.goOn(await run.sweep());
    expect(scene.payout(2).status).toBe('quarantined');
    await createExecution(scene, 2).sweep();
    expect(scene.payout(2).status).toBe('completed');
    expect(scene.posted).toHaveLength(1);
  });

  it('is looked up ever more rarely while the provider shows nothing, and adopted hours later', async () => {
    const { scene, run } = await submitted({ settings: { followDays: 9 } });
    const [own] = scene.listed.kept.splice(0, 1);
    if (own === undefined) throw new Error('no disbursement');
    await scene.arrange(1, { status: 'quarantined', disbursementId: null });
    await run.sweep();
    const before = scene.listed.asked.lookUps.length;
    await run.forSeconds(5 * 3600);
    const asked = scene.listed.asked.lookUps.slice(before).filter((about) => about === 'ref-1').length;
    expect(asked).toBeGreaterThan(3);
    expect(asked).toBeLessThan(12);
    scene.listed.add(own);
    await run.forSeconds(5 * 3600);
    expect(scene.payout(1).status).toBe('pending');
  });

  it('delays no batch', async () => {
    const { scene, run } = await quarantined();
    for (const { disbursementId } of scene.listed.kept) scene.listed.proofs.set(disbursementId, new Uint8Array([1]));
    await run.goOn(await run.until('report'));
    expect(await scene.batch()).toMatchObject({ status: 'partially_completed' });
  });

  it('is left to a person even when its batch is canceled', async () => {
    const scene = await createBatchScene({ rows: 2 });
    const run = createExecution(scene);
    scene.answers.push(() => ({ kind: 'not_sent', cause: 'refused' }));
    await run.submitAll();
    await scene.arrange(1, { status: 'quarantined' });
    scene.listed.add(scene.disbursementOf('ref-1', { amount: idr('7') }));
    await scene.ledger.requestCancel(scene.batchId, 'arn:person');
    await run.goOn(await run.until('report'));
    expect(scene.statuses()).toEqual(['quarantined', 'canceled']);
    expect(scene.posted).toHaveLength(1);
    expect((await scene.batch()).status).toBe('canceled');
  });
});

it('keeps few enough chunks for the next sweep to fit into one ledger item, if calls have one payout each', () => {
  const sweep = beginSweep(0, sweepStart({ isFirst: true }), [], { remainingMs: () => 0 });
  for (let chunk = 1_000_000; chunk > 0; chunk -= 1) sweep.unasked.add(chunk);
  const kept = unaskedChunks(sweep);
  expect(kept[0]).toBe(1_000_000);
  expect(Buffer.from(kept.join(' ')).length).toBeLessThan(200_000);
});

describe('rows that seem ready for long', () => {
  it('are counted again, less and less often, because a child may have died before counting', async () => {
    const scene = await createBatchScene({ chunks: 2, rows: 2 });
    const run = createExecution(scene);
    scene.answers.push(
      () => ({ kind: 'not_sent', cause: 'refused' }),
      () => ({ kind: 'not_sent', cause: 'refused' }),
    );
    await run.submitAll();
    await scene.pause();
    const readsOf = async (seconds: number) => {
      scene.passSeconds(seconds);
      scene.commands.length = 0;
      await run.sweep();
      return scene.commands.filter(
        ({ name, input }) => name === 'QueryCommand' && JSON.stringify(input).includes('PAYOUT#'),
      ).length;
    };
    expect(await readsOf(0)).toBe(0);
    expect(await readsOf(119)).toBe(0);
    expect(await readsOf(1)).toBe(2);
    expect(await readsOf(60)).toBe(0);
    expect(await readsOf(60)).toBe(2);
    expect(await readsOf(200)).toBe(0);
    expect(await readsOf(40)).toBe(2);
  });
});
