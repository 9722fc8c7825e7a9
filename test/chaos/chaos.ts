import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startBatch, uploadFile } from '../../infra/local/batch/run-batch.ts';
import { localFolder } from '../../infra/local/paths.ts';
import { PlainError } from '../../infra/local/plain-error.ts';
import { runCommand } from '../../infra/local/run-command.ts';
import { chanceOf } from '../support/chance.ts';
import type { ChaoticAws } from './chaotic-aws.ts';
import { withChaoticAws } from './chaotic-aws.ts';
import type { Trouble } from './network/treatment.ts';
import { trafficOf, treatmentOf } from './network/treatment.ts';
import type { PayoutRow } from './payout-rows.ts';
import { csvOf, payoutRows } from './payout-rows.ts';
import type { ChaosOutcome } from './print-outcome.ts';
import { isGood, printOutcome } from './print-outcome.ts';
import { readResults } from './run/read-results.ts';
import { readWatch } from './run/read-watch.ts';
import { serviceClient } from './run/service-client.ts';
import type { Intervention } from './run/steer-batch.ts';
import { steerBatch } from './run/steer-batch.ts';
import { makeNoise } from './run/webhook-noise.ts';
import { chaosFunctionSeconds, chaosSettings, serviceFaults, stallMs } from './settings.ts';
import { compare } from './truth/compare.ts';
import { readServiceTruth } from './truth/service-truth.ts';

/** Share of new connections that are closed before any data is sent. */
const refusedConnections = 0.01;

/** A run that has not ended after these minutes has failed. */
const longestMinutes = 30;

interface Batch {
  readonly name: string;
  readonly rows: readonly PayoutRow[];
  readonly interventions: readonly Intervention[];
}

/** Three batches on one balance. One is paused twice, one once, and one is canceled halfway. */
const batchesOf = (seed: number, payouts: number): readonly Batch[] => {
  const choices = chanceOf(seed).fork('interventions');
  const sizes = [0.4, 0.35].map((part) => Math.round(payouts * part));
  const pause = (after: number): Intervention => ({ after, act: 'pause', seconds: choices.int(3, 12) });
  const interventions = [
    [pause(0.1 + 0.2 * choices.next()), pause(0.5 + 0.2 * choices.next())],
    [pause(0.2 + 0.5 * choices.next())],
    [{ after: 0.3 + 0.3 * choices.next(), act: 'cancel', seconds: 0 } as const],
  ];
  return [...sizes, payouts - sizes.reduce((sum, size) => sum + size, 0)].map((size, index) => {
    const name = `chaos-${seed}-${'abc'.charAt(index)}`;
    return { name, rows: payoutRows(chanceOf(seed).fork(name), name, size), interventions: interventions[index] ?? [] };
  });
};

const run = async (
  aws: ChaoticAws,
  seed: number,
  batches: readonly Batch[],
  say: (line: string) => void,
): Promise<ChaosOutcome> => {
  const began = Date.now();
  const folder = path.join(localFolder, 'chaos');
  await mkdir(folder, { recursive: true });
  const service = await serviceClient(aws, aws.directly);
  const troubles = new Map<Trouble | 'refuse', number>();
  const requests = { provider: 0, ledger: 0 };
  const count = (trouble: Trouble | 'refuse'): void => void troubles.set(trouble, (troubles.get(trouble) ?? 0) + 1);
  const onTheWay = chanceOf(seed).fork('network');
  const connections = chanceOf(seed).fork('connections');
  await service.setFaults(serviceFaults);
  aws.disturb(
    (request) => {
      const traffic = trafficOf(request);
      if (traffic !== undefined) requests[traffic === 'ledger' ? 'ledger' : 'provider'] += 1;
      const trouble = treatmentOf(onTheWay, request);
      if (trouble !== undefined) count(trouble);
      return trouble;
    },
    () => {
      const refused = connections.happens(refusedConnections);
      if (refused) count('refuse');
      return refused;
    },
  );
  const noise = new AbortController();
  const references = batches.flatMap(({ rows }) => rows.map(({ reference }) => reference));
  const noisy = makeNoise(service, references, chanceOf(seed).fork('webhooks'), noise.signal);
  const steered = await Promise.all(
    batches.map(async ({ name, rows, interventions }) => {
      const file = path.join(folder, `${name}.csv`);
      await writeFile(file, csvOf(rows));
      const key = await uploadFile(aws.outputs.PayoutOrchestrator.FilesBucket, file);
      const batchId = await startBatch(aws.operator, key, randomUUID());
      const deadline = began + longestMinutes * 60_000;
      const followed = await steerBatch(aws.operator, batchId, interventions, deadline, (line) =>
        say(`${name} ${line}`),
      );
      return { name, rows, batchId, ...followed };
    }),
  );
  noise.abort();
  const webhooks = await noisy;
  aws.calm();
  const atService = await service.countFaults();
  await service.setFaults([]);
  const files = await Promise.all(
    steered.map(async ({ name, rows, batchId, batch: { conversions } }) => {
      return { name, rows, results: await readResults(aws.operator, batchId), conversions };
    }),
  );
  const truth = await readServiceTruth();
  return {
    seed,
    comparison: compare(files, truth),
    conversions: {
      reported: files.flatMap(({ name, conversions }) => conversions.map((one) => ({ batch: name, ...one }))),
      made: truth.conversions,
      balances: truth.balances,
      settled: steered.flatMap(({ name, settled }) => settled.map((one) => ({ batch: name, ...one }))),
    },
    watch: await readWatch(),
    batches: steered.map(({ name, batch, deeds }) => ({ name, status: batch.status, deeds })),
    requests,
    troubles,
    serviceFaults: atService,
    timeouts: await aws.countTimeouts(),
    webhooks,
    seconds: Math.round((Date.now() - began) / 1000),
  };
};

const { values: options } = parseArgs({
  options: { seed: { type: 'string' }, payouts: { type: 'string', default: '1050' } },
});

await runCommand(async () => {
  const seed = Number(options.seed ?? Date.now() % 1_000_000);
  const payouts = Number(options.payouts);
  if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(payouts) || payouts < 30) {
    throw new PlainError('Usage: npm run chaos -- [--seed N] [--payouts N, at least 30]');
  }
  const began = Date.now();
  const say = (line: string): void => console.error(`${Math.round((Date.now() - began) / 1000)} s  ${line}`);
  say(`Seed ${seed}`);
  const batches = batchesOf(seed, payouts);
  const settings = chaosSettings(batches.flatMap(({ rows }) => rows));
  const outcome = await withChaoticAws({ settings, functionSeconds: chaosFunctionSeconds, stallMs }, say, (aws) =>
    run(aws, seed, batches, say),
  );
  console.log(printOutcome(outcome));
  return isGood(outcome);
});
