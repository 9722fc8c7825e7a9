import type * as z from 'zod';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import { Money } from '../../../functions/domain/money/money.ts';
import { moneyOfText } from '../../../functions/domain/money/money-by-currency.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { Turn } from '../../../functions/ports/pace.ts';
import type { ConvertAnswer, PaymentProvider, Quote } from '../../../functions/ports/provider.ts';
import { awaitRelease } from '../../../functions/steps/funding/await-release.ts';
import { convert } from '../../../functions/steps/funding/convert.ts';
import { planBatchFunding } from '../../../functions/steps/funding/plan-funding.ts';
import { createMemoryLedger } from '../memory-ledger.ts';
import { currencyPlan, thb, usdt } from '../money.ts';
import { silentLog } from '../silent-log.ts';
import { exampleBatch, examplePlan } from './example-batch.ts';
import { planAndRelease } from './plan-and-release.ts';

const startedAt = Date.parse('2026-11-21T08:00:00Z');

/** Waits after which people are told of an outage. */
const told = 5;

/** A batch that pays this amount in THB, with a fee of 10. */
export const batchOf = (batchId: string, amount: string, changes: Partial<Batch> = {}): Batch =>
  exampleBatch(batchId, {
    status: 'validating',
    fees: [{ rail: 'fiat', fee: thb('10'), source: 'payment_methods' }],
    plan: examplePlan(batchId, 1, [
      currencyPlan({ rail: 'fiat', currency: 'THB', count: 1, amount, fee: '10', largestAmount: amount, methods: [] }),
    ]),
    ...changes,
  });

/** Batches, balances, and a provider with scripted quotes and conversions. */
export const createFundingScene = (
  balances: Record<string, string>,
  settings: z.input<ReturnType<typeof orchestratorSettings>> = {},
) => {
  let now = startedAt;
  let rate = '35';
  let leftMs = 90_000;
  const ledger = createMemoryLedger(() => now);
  const converted: Quote[] = [];
  const answers: ConvertAnswer[] = [];
  const alarms: string[] = [];
  const turns: Turn[] = [];
  const provider: Pick<PaymentProvider, 'account' | 'readBalances' | 'quoteConversion' | 'convert'> = {
    account: 'funding',
    readBalances: async () => moneyOfText(balances),
    quoteConversion: async ({ inputCurrency, output }) => {
      const [input, fee] = [Money.of('100', inputCurrency), Money.of('1', output.currency)];
      return { kind: 'quoted', quote: { quoteId: 'q-1', input, output, fee, rate } };
    },
    convert: async (quote) => {
      converted.push(quote);
      const answer = answers.shift();
      if (answer === undefined) throw new Error('no answer is scripted for the provider');
      return answer;
    },
  };
  const dependencies = {
    ledger,
    provider,
    pace: { turn: async (): Promise<Turn> => turns.shift() ?? { kind: 'now' } },
    settings: orchestratorSettings().parse({ conversionSources: ['usdt-tron'], ...settings }),
    clock: () => now,
    ids: { sortable: () => '1', unique: () => crypto.randomUUID() },
    log: { ...silentLog, alarm: (metric: string) => alarms.push(metric) },
  };
  return {
    ledger,
    clock: () => now,
    provider,
    converted,
    answers,
    alarms,
    turns,
    balances,
    add: (batch: Batch) => ledger.putBatch(batch),
    plan: (batchId: string, waits = told) => planBatchFunding(dependencies, { batchId, waits }),
    release: (batchId: string) => awaitRelease(dependencies, { batchId }),
    /** Plans the funding, then releases the batch. */
    fund: (batchId: string, waits = told) => planAndRelease(dependencies, { batchId, waits }),
    convert: (batchId: string, waits = told) =>
      convert(dependencies, { batchId, waits }, { remainingMs: () => leftMs }),
    /** Milliseconds left to the runs of Convert. */
    setLeft: (ms: number) => {
      leftMs = ms;
    },
    setRate: (value: string) => {
      rate = value;
    },
    passSeconds: (seconds: number) => {
      now += seconds * 1000;
    },
    statusOf: (batchId: string) => ledger.batches.get(batchId)?.status,
    reasonOf: (batchId: string) => ledger.batches.get(batchId)?.reason?.code,
    reserved: async (currency: string) =>
      (await ledger.readFunds([currency]))[0]?.reservations.map(({ batchId, amount: { amount } }) => ({
        batchId,
        amount,
      })),
  };
};

/** A batch that needs 1,010 THB where 500 are, and USDT to convert. */
export const shortScene = async () => {
  const scene = createFundingScene({ THB: '500', 'usdt-tron': '1000' });
  scene.add(batchOf('b-1', '1000'));
  const { next } = await scene.fund('b-1');
  if (next !== 'convert') throw new Error(`the batch is not short: ${next}`);
  return scene;
};

/** The provider converted what the batch is short of. */
export const done: ConvertAnswer = {
  kind: 'converted',
  convertId: 'c-1',
  input: usdt('100'),
  output: thb('510'),
  fee: thb('1'),
};

/** Whether the provider converted is not known. */
export const lost: ConvertAnswer = { kind: 'unknown', cause: 'timeout' };
