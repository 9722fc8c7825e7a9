import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { awaitRelease } from '../../../../functions/steps/funding/await-release.ts';
import { convert } from '../../../../functions/steps/funding/convert.ts';
import { planBatchFunding } from '../../../../functions/steps/funding/plan-funding.ts';
import { runs } from '../../../support/fast-loop.ts';
import { thb } from '../../../support/money.ts';
import { createBahtScene } from '../../../support/scenes/baht-scene.ts';

const batchId = 'b-1';
const steps = { fund: planBatchFunding, release: awaitRelease, convert } as const;
type Step = keyof typeof steps;

/** A batch that pays 1,000 baht, and functions that wait for the scheduler before and between. */
const createScene = (pass: () => Promise<unknown>, baht: number, tokens: number) => {
  let now = Date.parse('2026-11-21T08:00:00Z');
  const scene = createBahtScene({ clock: () => now, batchIds: [batchId], baht, tokens });
  const { ledger, balances, converted } = scene;
  const { provider } = scene.dependencies;
  const statuses: string[] = [];
  const between =
    <Given extends unknown[], Answer>(verb: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      await pass();
      const answer = await verb(...given);
      statuses.push(ledger.batches.get(batchId)?.status ?? '');
      return answer;
    };
  const dependencies = {
    ...scene.dependencies,
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
      ...provider,
      readBalances: between(provider.readBalances),
      convert: between(provider.convert),
    },
  };
  return {
    ledger,
    statuses,
    converted,
    run: async (step: Step) => {
      await pass();
      return (await steps[step](dependencies, { batchId, waits: 5 }, { remainingMs: () => 90_000 })).next;
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
