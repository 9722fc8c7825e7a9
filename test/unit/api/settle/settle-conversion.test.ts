import { describe, expect, it } from 'vitest';
import { getFunds } from '../../../../functions/api/get-funds.ts';
import { conversionView, fundsView } from '../../../../functions/api/schemas/funding.ts';
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
const stuck = async (changes: Partial<Conversion> = {}) => {
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

const paceStates = [
  { kind: 'post', limitPerSecond: 20, perSecond: 10, queuedMs: 1200, blockedUntil: '2026-11-21T08:00:30.000Z' },
  { kind: 'read', limitPerSecond: 0, perSecond: 0, queuedMs: 0 },
] as const;

const problem = (code: string) => ({ kind: 'problem', code });

describe('the funds', () => {
  it('show the pace of requests to the provider, and the end of a pause', async () => {
    const { funds } = await stuck();
    expect((await funds()).providerPace).toEqual(paceStates);
  });
});

describe('settling a conversion in doubt', () => {
  it.each([
    ['happened', 'completed'],
    ['not_happened', 'not_made'],
  ] as const)('as %s ends it as %s, frees its pair, and is in the audit trail once', async (decision, status) => {
    const { ledger, settle } = await stuck();
    const first = await settle(decision);
    expect(first).toMatchObject({ status: 200, body: { status, reason: { code: `settled_${decision}` } } });
    if (first.kind === 'answer') expect(conversionView.parse(first.body)).toEqual(first.body);
    expect(await settle(decision)).toEqual(first);
    expect(ledger.locks.size).toBe(0);
    expect(ledger.events).toMatchObject([
      {
        code: 'conversion.settled',
        by: operator,
        note: 'Seen in the provider’s console',
        detail: `conversion 1 ${decision}`,
      },
    ]);
    const other = decision === 'happened' ? 'not_happened' : 'happened';
    expect(await settle(other)).toMatchObject(problem('conversion_conflict'));
  });

  it('is refused while its POST may still be in flight', async () => {
    const { settle, passSeconds } = await stuck({ status: 'claimed' });
    passSeconds(-490);
    expect(await settle('not_happened')).toMatchObject(problem('too_early'));
    passSeconds(490);
    expect(await settle('not_happened')).toMatchObject({ status: 200 });
  });

  it('as happened reserves the proceeds for its batch, and as not happened nothing', async () => {
    for (const [decision, amount] of [
      ['happened', '1520'],
      ['not_happened', '1010'],
    ] as const) {
      const { ledger, settle } = await stuck({ output: thb('510') });
      await settle(decision);
      expect((await ledger.readFunds(['THB']))[0]?.reservations).toEqual([{ batchId: 'b-1', amount: thb(amount) }]);
    }
  });

  it('of an unknown batch or number is a problem', async () => {
    const { ask } = await stuck();
    expect(await ask('happened', 2, 'b-1')).toMatchObject(problem('conversion_not_found'));
    expect(await ask('happened', 1, 'b-9')).toMatchObject(problem('batch_not_found'));
  });
});

describe('held treasury funds', () => {
  it('are listed by batch: reserved money, and the locked pair with its way out', async () => {
    const { funds, settle } = await stuck();
    expect(await funds()).toMatchObject({
      reservations: [{ currency: 'THB', batchId: 'b-1', batchStatus: 'validating', amount: '1010' }],
      locks: [
        {
          inputCurrency: 'usdt-tron',
          outputCurrency: 'THB',
          batchId: 'b-1',
          conversion: 1,
          since: '2026-11-21T08:00:00.000Z',
          state: 'in_doubt',
          wayOut: { requests: ['POST /batches/b-1/conversions/1/settle'] },
        },
      ],
    });
    await settle('happened');
    expect((await funds()).locks).toEqual([]);
  });
});
