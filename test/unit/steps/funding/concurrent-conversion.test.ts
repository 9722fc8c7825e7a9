import { describe, expect, it } from 'vitest';
import { sumByCurrency } from '../../../../functions/domain/money/money.ts';
import { orchestratorSettings } from '../../../../functions/domain/settings.ts';
import type { Quote, WantedQuote } from '../../../../functions/ports/provider.ts';
import { convert } from '../../../../functions/steps/convert.ts';
import { createMemoryLedger } from '../../../support/memory-ledger.ts';
import { currencyPlan, thb, usdt } from '../../../support/money.ts';
import { exampleBatch, examplePlan } from '../../../support/scenes/example-batch.ts';
import { noLimit } from '../../../support/scenes/no-limit.ts';
import { planAndRelease } from '../../../support/scenes/plan-and-release.ts';

const clock = () => Date.parse('2026-11-21T08:00:00Z');

/** Batches that each pay 1,000 baht from one balance. A token buys forty baht. */
const createScene = (baht: number, batchIds: readonly string[], quotedInSteps = 1) => {
  const balances = { THB: baht, 'usdt-tron': 1000 };
  const ledger = createMemoryLedger(clock);
  const converted: number[] = [];
  const dependencies = {
    ledger,
    provider: {
      readBalances: async () => sumByCurrency([thb(`${balances.THB}`), usdt(`${balances['usdt-tron']}`)]),
      quoteConversion: async ({ output: asked }: WantedQuote) => {
        const brings = Math.ceil(Number(asked.amount) / quotedInSteps) * quotedInSteps;
        const [input, output] = [usdt(`${brings / 40}`), thb(`${brings}`)];
        return { kind: 'quoted', quote: { quoteId: 'q', input, output, fee: thb('0'), rate: '40' } } as const;
      },
      convert: async ({ input, output }: Quote) => {
        balances['usdt-tron'] -= Number(input.amount);
        balances.THB += Number(output.amount);
        converted.push(Number(output.amount));
        return { kind: 'converted', convertId: `c-${converted.length}`, input, output, fee: thb('0') } as const;
      },
    },
    pace: noLimit,
    settings: orchestratorSettings().parse({ conversionSources: ['usdt-tron'] }),
    clock,
    ids: { sortable: () => '1', unique: () => crypto.randomUUID() },
    log: { info: () => undefined, warn: () => undefined, alarm: () => undefined },
  };
  for (const batchId of batchIds) {
    const plan = examplePlan(batchId, 1, [
      currencyPlan({
        rail: 'fiat',
        currency: 'THB',
        count: 1,
        amount: '1000',
        fee: '0',
        largestAmount: '1000',
        methods: [],
      }),
    ]);
    ledger.putBatch(exampleBatch(batchId, { status: 'validating', fees: [], plan }));
  }
  return {
    ledger,
    converted,
    balances,
    fund: async (batchId: string) => (await planAndRelease(dependencies, { batchId })).next,
    convert: async (batchId: string) => (await convert(dependencies, { batchId })).next,
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
