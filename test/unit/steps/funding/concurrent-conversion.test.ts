import { describe, expect, it } from 'vitest';
import { convert } from '../../../../functions/steps/funding/convert.ts';
import { thb } from '../../../support/money.ts';
import { createBahtScene } from '../../../support/scenes/baht-scene.ts';
import { planAndRelease } from '../../../support/scenes/plan-and-release.ts';

const clock = () => Date.parse('2026-11-21T08:00:00Z');

const createScene = (baht: number, batchIds: readonly string[], quotedInSteps?: number) => {
  const { dependencies, ...scene } = createBahtScene({ clock, batchIds, baht, quotedInSteps });
  return {
    ...scene,
    fund: async (batchId: string) => (await planAndRelease(dependencies, { batchId, waits: 0 })).next,
    convert: async (batchId: string) =>
      (await convert(dependencies, { batchId, waits: 0 }, { remainingMs: () => 90_000 })).next,
  };
};

describe('concurrent batches that lack one currency', () => {
  it('each convert their shortfall once', async () => {
    const scene = createScene(0, ['b-1', 'b-2', 'b-3']);
    for (const batchId of ['b-1', 'b-2', 'b-3']) expect(await scene.fund(batchId)).toBe('convert');
    for (const batchId of ['b-1', 'b-2', 'b-3']) {
      expect(await scene.convert(batchId)).toBe('fund');
      expect(await scene.fund(batchId)).toBe('disburse');
    }
    expect(scene.converted).toEqual([1000, 1000, 1000]);
  });

  it('keep their proceeds, however late they look', async () => {
    const scene = createScene(0, ['b-1', 'b-2']);
    await scene.fund('b-1');
    await scene.fund('b-2');
    await scene.convert('b-1');
    expect(await scene.fund('b-2')).toBe('convert');
    expect(await scene.fund('b-1')).toBe('disburse');
    await scene.convert('b-2');
    expect(await scene.fund('b-2')).toBe('disburse');
    expect(scene.converted).toEqual([1000, 1000]);
  });

  it('convert nothing by a plan made obsolete by a deposit', async () => {
    const scene = createScene(0, ['b-1']);
    await scene.fund('b-1');
    scene.balances.THB += 1000;
    expect(await scene.convert('b-1')).toBe('wait');
    expect(await scene.fund('b-1')).toBe('disburse');
    expect(scene.converted).toEqual([]);
    expect(await scene.ledger.listPairLocks()).toEqual([]);
  });

  it('may convert by a quote that brings more than the shortfall', async () => {
    const scene = createScene(0, ['b-1'], 300);
    expect(await scene.fund('b-1')).toBe('convert');
    expect(await scene.convert('b-1')).toBe('fund');
    expect(await scene.fund('b-1')).toBe('disburse');
    expect(scene.converted).toEqual([1200]);
  });

  it('reserve existing money, and not money still to be converted', async () => {
    const scene = createScene(1400, ['b-1', 'b-2']);
    expect(await scene.fund('b-1')).toBe('disburse');
    expect(await scene.fund('b-2')).toBe('convert');
    const [baht] = await scene.ledger.readFunds(['THB']);
    expect(baht?.reservations).toEqual([
      { batchId: 'b-1', amount: thb('1000') },
      { batchId: 'b-2', amount: thb('400') },
    ]);
    await scene.convert('b-2');
    expect(scene.converted).toEqual([600]);
  });
});
