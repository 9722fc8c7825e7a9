import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumByCurrency } from '../../../../functions/domain/money/money.ts';
import { orchestratorSettings } from '../../../../functions/domain/settings.ts';
import type { Quote, WantedQuote } from '../../../../functions/ports/provider.ts';
import { awaitRelease } from '../../../../functions/steps/await-release.ts';
import { convert } from '../../../../functions/steps/convert.ts';
import { planBatchFunding } from '../../../../functions/steps/plan-funding.ts';
import { runs } from '../../../support/fast-loop.ts';
import { createMemoryLedger } from '../../../support/memory-ledger.ts';
import { currencyPlan, thb, usdt } from '../../../support/money.ts';
import { exampleBatch, examplePlan } from '../../../support/scenes/example-batch.ts';
import { noLimit } from '../../../support/scenes/no-limit.ts';

const batchId = 'b-1';
const steps = { fund: planBatchFunding, release: awaitRelease, convert } as const;
type Step = keyof typeof steps;

/** A batch that pays 1,000 baht, a token that buys forty, and functions that wait for the scheduler before and between. */
const createScene = (pass: () => Promise<unknown>, baht: number, tokens: number) => {
  let now = Date.parse('2026-11-21T08:00:00Z');
  const clock = () => now;
  const balances = { THB: baht, 'usdt-tron': tokens };
  const ledger = createMemoryLedger(clock);
  const statuses: string[] = [];
  const converted: string[] = [];
  const between =
    <Told extends unknown[], Answer>(verb: (...told: Told) => Promise<Answer>) =>
    async (...told: Told): Promise<Answer> => {
      await pass();
      const answer = await verb(...told);
      statuses.push(ledger.batches.get(batchId)?.status ?? '');
      return answer;
    };
  const dependencies = {
    ledger: {
      ...ledger,
      getBatch: between(ledger.getBatch),
      readFunds: between(ledger.readFunds),
      reserve: between(ledger.reserve),
      moveBatch: between(ledger.moveBatch),
      amendBatch: between(ledger.amendBatch),
      readReleased: between(ledger.readReleased),
      releaseBatch: between(ledger.releaseBatch),
      listConversions: between(ledger.listConversions),
      lockPair: between(ledger.lockPair),
      claimConversion: between(ledger.claimConversion),
      recordConversion: between(ledger.recordConversion),
    },
    provider: {
      readBalances: between(async () => sumByCurrency([thb(`${balances.THB}`), usdt(`${balances['usdt-tron']}`)])),
      quoteConversion: async ({ output }: WantedQuote) => {
        const input = usdt(`${Number(output.amount) / 40}`);
        return { kind: 'quoted', quote: { quoteId: 'q', input, output, fee: thb('0'), rate: '40' } } as const;
      },
      convert: between(async ({ input, output }: Quote) => {
        balances['usdt-tron'] -= Number(input.amount);
        balances.THB += Number(output.amount);
        converted.push(output.amount);
        return { kind: 'converted', convertId: 'c', input, output, fee: thb('0') } as const;
      }),
    },
    pace: noLimit,
    settings: orchestratorSettings().parse({ conversionSources: ['usdt-tron'] }),
    clock,
    ids: { sortable: () => '1', unique: () => crypto.randomUUID() },
    log: { info: () => undefined, warn: () => undefined, alarm: () => undefined },
  };
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
  return {
    ledger,
    statuses,
    converted,
    run: async (step: Step) => {
      await pass();
      return (await steps[step](dependencies, { batchId })).next;
    },
    topUp: async (amount: number) => {
      await pass();
      balances.THB += amount;
    },
    pay: async () => {
      await pass();
      balances.THB -= 1000;
    },
    /** Long enough for a batch that awaits funds to be overdue. */
    passDays: async () => {
      await pass();
      now += 4 * 86_400_000;
    },
  };
};

describe('concurrent runs of one batch’s steps', () => {
  it('convert at most once, keep the reservation, and never return from disbursing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.constantFrom(
          { baht: 0, tokens: 1000, topUp: 300 },
          { baht: 400, tokens: 1000, topUp: 600 },
          { baht: 0, tokens: 0, topUp: 1000 },
        ),
        fc.array(fc.constantFrom<Step>('fund', 'release', 'convert'), { maxLength: 3 }),
        fc.boolean(),
        async (scheduler, { baht, tokens, topUp }, others, isLong) => {
          const scene = createScene(() => scheduler.schedule(Promise.resolve()), baht, tokens);
          const { ledger, statuses, converted } = scene;
          const execution = async (): Promise<void> => {
            let step: Step = 'fund';
            for (let round = 1; round <= 40; round += 1) {
              const next = await scene.run(step);
              if (next === 'disburse') return scene.pay();
              step = next === 'convert' || next === 'release' ? next : 'fund';
            }
          };
          const meanwhile = [scene.topUp(topUp), ...(isLong ? [scene.passDays()] : []), ...others.map(scene.run)];
          await scheduler.waitFor(Promise.all([execution(), ...meanwhile]));
          const begun = statuses.indexOf('processing');
          expect(new Set(statuses.slice(begun < 0 ? statuses.length : begun))).toEqual(
            new Set(begun < 0 ? [] : ['processing']),
          );
          expect(converted.length).toBeLessThanOrEqual(1);
          const [baht1000] = await ledger.readFunds(['THB']);
          if (begun >= 0) expect(baht1000?.reservations).toEqual([{ batchId, amount: thb('1000') }]);
          else expect(isLong).toBe(true);
        },
      ),
      { numRuns: runs(1500) },
    );
  });
});
