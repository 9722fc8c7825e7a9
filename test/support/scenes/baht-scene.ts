import { sumByCurrency } from '../../../functions/domain/money/money-by-currency.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { Clock } from '../../../functions/ports/environment.ts';
import type { Quote, WantedQuote } from '../../../functions/ports/provider.ts';
import { createMemoryLedger } from '../memory-ledger.ts';
import { currencyPlan, thb, usdt } from '../money.ts';
import { silentLog } from '../silent-log.ts';
import { exampleBatch, examplePlan } from './example-batch.ts';
import { noLimit } from './no-limit.ts';

interface BahtScene {
  readonly clock: Clock;
  readonly batchIds: readonly string[];
  readonly baht: number;
  readonly tokens?: number;
  /** Quotes are rounded up to a multiple of this. */
  readonly quotedInSteps?: number | undefined;
}

/** Batches that each pay 1,000 baht from one balance. A token buys forty baht. */
export const createBahtScene = ({ clock, batchIds, baht, tokens = 1000, quotedInSteps }: BahtScene) => {
  const balances = { THB: baht, 'usdt-tron': tokens };
  const ledger = createMemoryLedger(clock);
  /** Baht that each conversion brought. */
  const converted: number[] = [];
  const dependencies = {
    ledger,
    provider: {
      account: 'one',
      readBalances: async () => sumByCurrency([thb(`${balances.THB}`), usdt(`${balances['usdt-tron']}`)]),
      quoteConversion: async ({ output: asked }: WantedQuote) => {
        const wanted = Number(asked.amount);
        const brings = quotedInSteps === undefined ? wanted : Math.ceil(wanted / quotedInSteps) * quotedInSteps;
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
    log: silentLog,
  };
  const [amount, fee] = ['1000', '0'];
  const currency = {
    rail: 'fiat',
    currency: 'THB',
    count: 1,
    amount,
    fee,
    largestAmount: amount,
    methods: [],
  } as const;
  for (const batchId of batchIds) {
    const plan = examplePlan(batchId, 1, [currencyPlan(currency)]);
    ledger.putBatch(exampleBatch(batchId, { status: 'validating', fees: [], plan }));
  }
  return { ledger, balances, converted, dependencies };
};
