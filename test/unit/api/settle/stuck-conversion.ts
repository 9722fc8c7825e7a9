import { getFunds } from '../../../../functions/api/get-funds.ts';
import { fundsView } from '../../../../functions/api/schemas/funding.ts';
import { settleConversion } from '../../../../functions/api/settle/settle-conversion.ts';
import type { Conversion } from '../../../../functions/domain/batch/batch.ts';
import { conversionOfText } from '../../../../functions/domain/money/money-records.ts';
import { orchestratorSettings } from '../../../../functions/domain/settings.ts';
import { createMemoryLedger } from '../../../support/memory-ledger.ts';
import { currencyPlan, thb } from '../../../support/money.ts';
import { conversionBy } from '../../../support/scenes/conversion-by.ts';
import { exampleBatch, examplePlan } from '../../../support/scenes/example-batch.ts';
import { silentLog } from '../../../support/silent-log.ts';
import { operator } from '../fixtures.ts';

export const paceStates = [
  { kind: 'post', limitPerSecond: 20, perSecond: 10, queuedMs: 1200, blockedUntil: '2026-11-21T08:00:30.000Z' },
  { kind: 'read', limitPerSecond: 0, perSecond: 0, queuedMs: 0 },
] as const;

const startedAt = Date.parse('2026-11-21T08:00:00Z');

const conversion: Conversion = conversionOfText({
  batchId: 'b-1',
  n: 1,
  status: 'unknown',
  planned: {
    inputCurrency: 'usdt-tron',
    inputAmount: '100',
    outputCurrency: 'THB',
    outputAmount: '510',
    fee: '1',
    rate: '5.1',
  },
  quoteId: 'q-1',
  inputBalanceBefore: '1000',
  outputBalanceBefore: '500',
  inputAmount: '100',
  outputAmount: '510',
  claimId: 'claim-1',
  claimedAt: new Date(startedAt).toISOString(),
});

/** A batch whose conversion never got an answer, so it still holds the pair. */
export const stuck = async (changes: Partial<Conversion> = {}) => {
  let now = startedAt;
  const ledger = createMemoryLedger(() => now);
  const plan = examplePlan('b-1', 1, [
    currencyPlan({
      rail: 'fiat',
      currency: 'THB',
      count: 1,
      amount: '1000',
      fee: '10',
      largestAmount: '1000',
      methods: [],
    }),
  ]);
  ledger.putBatch(exampleBatch('b-1', { status: 'validating', plan }));
  await ledger.reserve('b-1', await ledger.readFunds(['THB']), new Map([['THB', thb('1010')]]));
  await ledger.lockPair(conversionBy('b-1'));
  ledger.putConversion({ ...conversion, ...changes });
  now += 600_000;
  const dependencies = {
    ledger,
    settings: orchestratorSettings().parse({}),
    clock: () => now,
    log: silentLog,
  };
  const ask = (decision: 'happened' | 'not_happened', number: number, batchId: string) =>
    settleConversion(dependencies, {
      path: { batchId, number },
      body: { decision, reason: 'Seen in the provider’s console' },
      caller: operator,
    });
  return {
    ledger,
    ask,
    settle: (decision: 'happened' | 'not_happened') => ask(decision, 1, 'b-1'),
    funds: async () => {
      const outcome = await getFunds({ ...dependencies, pace: { state: async () => paceStates } });
      if (outcome.kind === 'problem') throw new Error(outcome.code);
      return fundsView.parse(outcome.body);
    },
    passSeconds: (seconds: number) => {
      now += seconds * 1000;
    },
  };
};
