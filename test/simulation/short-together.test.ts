import { describe, expect, it } from 'vitest';
import { orchestratorSettings } from '../../functions/domain/settings.ts';
import { providerTraits } from '../../functions/provider/settings.ts';
import { chanceOf } from '../support/chance.ts';
import { MemoryBucket } from '../support/memory-bucket.ts';
import { createMemoryLedger } from '../support/memory-ledger.ts';
import { memoryLedgerTable } from '../support/memory-table/ledger-table.ts';
import { exampleBatch } from '../support/scenes/example-batch.ts';
import { fees, rates } from './draw/draw-terms.ts';
import { Process } from './process.ts';
import { amountText } from './provider/money.ts';
import { Network } from './provider/network.ts';
import type { ProviderTerms } from './provider/service.ts';
import { Service } from './provider/service.ts';
import { Truth } from './provider/truth.ts';
import { readDefinition } from './workflow/definition.ts';
import { StateMachine } from './workflow/state-machine.ts';
import { Functions } from './world/functions.ts';
import { History } from './world/history.ts';
import { SimulatedSchedules } from './world/schedules.ts';
import { calm } from './world/storms.ts';
import { Timeline } from './world/timeline.ts';
import { fairWeather } from './world/weather.ts';

const start = Date.parse('2026-03-02T08:00:00Z');
const rowsPerBatch = 8;
const fee = fees['IDR'] ?? 0n;

const never = (): never => {
  throw new Error('not part of this scene');
};

const terms: ProviderTerms = {
  refusesFiatReference: true,
  takenWords: 'The reference is taken.',
  foldsCase: false,
  promisesUnique: true,
  uniqueHours: 'forever',
  cryptoInPart: 0,
  cryptoNameless: 0,
  fees,
  charged: 100n,
  feeFactor: 1n,
  returned: { probability: 0, mostMs: 0 },
  balanceDecimals: 6,
  rates,
  drifts: [],
  lag: { probability: 0, mostMs: 0 },
  cryptoHidden: 0,
  fiatHidden: 0,
  // Nothing is refunded while they are short.
  fortunes: { odd: 0, slow: 1, held: 0 },
  lists: { ignoresSort: false, ignoresStatus: false, freezesUpdatedAt: false, behindMs: 0 },
  rate: undefined,
};

/** Three batches of eight bank transfers each. They start within twenty seconds, and the balance covers only a part. */
const run = async (seed: number) => {
  const chance = chanceOf(seed);
  const timeline = new Timeline(start);
  const history = new History(timeline, false);
  const truth = new Truth(timeline);
  const service = new Service(truth, terms, timeline, chance.fork('service'));
  // Paid calls are recorded late: up to two minutes, or by the sweep that finds them. Balances are reported late too.
  const strikes = [
    { ...calm, function: 'SubmitChunk', place: 'write PAYOUT', late: 0.1 },
    { ...calm, function: 'PlanFunding', place: 'GET', late: 0.3 },
    { ...calm, function: 'Convert', place: 'GET', late: 0.3 },
  ] as const;
  const until = Number.POSITIVE_INFINITY;
  const weather = { ...fairWeather(start), until, storm: { until, strikes, post: undefined } };
  const table = memoryLedgerTable();
  const bucket = new MemoryBucket();
  const ledger = createMemoryLedger(() => timeline.now, table);
  const network = new Network({
    timeline,
    chance: chance.fork('network'),
    weather,
    service,
    rate: undefined,
    history,
    areCredentialsRefused: () => false,
    isRouteLost: () => false,
    onPost: () => {},
    onRequest: () => {},
  });
  const functions = new Functions({
    timeline,
    chance: chance.fork('functions'),
    weather,
    history,
    table,
    bucket,
    network,
    limits: { post: 0, read: 0 },
    // Planning allocates for the most rows.
    settings: orchestratorSettings().parse({ conversionSources: ['usdt-tron', 'usdc-polygon'], maxRows: 100 }),
    traits: providerTraits().parse({ payoutsPerCall: chance.int(1, 4) }),
    stateMachine: () => stateMachine,
    schedules: () => new SimulatedSchedules({ timeline, chance, weather, functions: () => functions }),
    onSend: () => {},
    onAskLeave: () => {},
    onError: () => {},
    onAlarm: () => {},
  });
  const stateMachine = new StateMachine(
    {
      timeline,
      history,
      invoke: (task, input) => functions.invoke(task, input),
      readItems: (key) => JSON.parse(bucket.content(key)?.toString('utf8') ?? ''),
      onTask: () => {},
      onBroken: never,
    },
    readDefinition({ SubmitsAtOnce: 1 }),
  );
  const operator = new Process({ timeline, chance, weather, history }, 'operator', 600_000);
  const workflow = stateMachine.port(operator, chance, weather);

  const amounts = Array.from({ length: 3 * rowsPerBatch }, () => BigInt(chance.int(100, 100_000)) * 10_000n);
  const needed = amounts.reduce((sum, amount) => sum + amount + fee, 0n);
  const there = (needed * BigInt(chance.int(20, 90))) / 100n;
  truth.add('IDR', there);
  truth.add('usdt-tron', 10n * needed);
  truth.add('usdc-polygon', 10n * needed);
  for (const batch of [0, 1, 2]) {
    const batchId = `B${batch}`;
    const rows = amounts.slice(batch * rowsPerBatch, (batch + 1) * rowsPerBatch);
    const lines = rows.map(
      (amount, row) => `ref-${batch}-${row},${amountText(amount)},IDR,bca,Bank,${batch}00${row},A. Example`,
    );
    const csv = ['reference,amount,currency,bankCode,bankName,accountNumber,accountName', ...lines].join('\n');
    const key = `uploads/${batchId}.csv`;
    const versionId = bucket.put(key, Buffer.from(csv));
    const file = { key, versionId, bytes: Buffer.byteLength(csv) };
    ledger.putBatch(exampleBatch(batchId, { status: 'accepted', file }));
    timeline.in(chance.between(0, 20_000), () => void workflow.start(batchId, { batchId }));
  }
  await timeline.run(100_000, () => truth.payments.length === 3 * rowsPerBatch);
  const converted = truth.conversions.reduce((sum, { output }) => sum + output, 0n);
  return { paid: truth.payments.length, missing: needed - there, converted };
};

describe('three concurrent batches that lack one currency', () => {
  it('convert only the shortfall, in each of 100 orders of their steps', async () => {
    const wrong: string[] = [];
    for (let seed = 1; seed <= 100; seed += 1) {
      const { paid, missing, converted } = await run(seed);
      const difference = converted - missing;
      if (paid !== 3 * rowsPerBatch || difference !== 0n)
        wrong.push(`seed ${seed}: ${paid} paid, ${amountText(missing)} missing, ${amountText(converted)} converted`);
    }
    expect(wrong).toEqual([]);
  });
});
