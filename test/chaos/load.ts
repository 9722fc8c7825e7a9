import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { BatchView } from '../../functions/api/schemas/batch.ts';
import { batchSummary, batchView, hasEnded } from '../../functions/api/schemas/batch.ts';
import { problemSchema } from '../../functions/api/schemas/problem.ts';
import { uploadFile } from '../../infra/local/batch/run-batch.ts';
import { localFolder } from '../../infra/local/paths.ts';
import { PlainError } from '../../infra/local/plain-error.ts';
import { runCommand } from '../../infra/local/run-command.ts';
import { chanceOf } from '../support/chance.ts';
import type { ChaoticAws } from './chaotic-aws.ts';
import { withChaoticAws } from './chaotic-aws.ts';
import type { AnswerCounts } from './load/ask-often.ts';
import { askOften, countAnswers } from './load/ask-often.ts';
import { secondsUntilRoom } from './load/no-room.ts';
import { printLoad } from './load/print-load.ts';
import { bankTransfers, csvOf, payoutRows } from './payout-rows.ts';
import { readResults } from './run/read-results.ts';
import { sendUntilAnswered } from './run/send-until-answered.ts';
import { loadSettings } from './settings.ts';
import type { PaidFile } from './truth/compare.ts';
import { compare } from './truth/compare.ts';
import { readServiceTruth } from './truth/service-truth.ts';

/** Every third start of an execution is throttled, as AWS does when an account starts too many. */
const throttledStarts = 3;

/** Concurrent status requests. */
const askersAtOnce = 16;

/** The gateway's requests per second in the burst. Less than even a busy machine can send. */
const fewRequestsPerSecond = '2';

/** Concurrent requests in the burst. */
const burstAtOnce = 50;

/** A batch that has not ended after these minutes counts as lost. */
const longestMinutes = 20;

/** Milliseconds between two looks at an open batch. */
const lookEveryMs = 3000;

interface StartedBatch {
  readonly name: string;
  readonly batchId: string;
  readonly rows: ReturnType<typeof payoutRows>;
}

/** Repeats a start until it is accepted, as the API asks: with the same key, and not before `Retry-After`. */
const startPolitely = async (aws: ChaoticAws, key: string, counts: AnswerCounts): Promise<string> => {
  const idempotencyKey = randomUUID();
  for (;;) {
    const began = performance.now();
    const request = { method: 'POST', path: '/batches', body: { file: key } } as const;
    const answer = await aws.operator
      .send({ ...request, headers: { 'idempotency-key': idempotencyKey } })
      .catch(() => undefined);
    if (answer === undefined) {
      // It may have been accepted. The same key finds out.
      counts.fail();
      continue;
    }
    const { status, body, headers } = answer;
    counts.add(status, performance.now() - began);
    if (status === 202) return batchSummary.parse(body).batchId;
    const untilRoom = secondsUntilRoom(body);
    if (untilRoom !== undefined) counts.findNoRoom();
    const seconds = untilRoom ?? Number(headers.get('retry-after'));
    const isProper = untilRoom !== undefined || problemSchema.safeParse(body).success;
    if (!isProper || !(seconds > 0)) {
      throw new PlainError(`A start was answered with ${status} and no time to retry: ${JSON.stringify(body)}`);
    }
    await wait(seconds * 1000 * (1 + Math.random()));
  }
};

/** The batch once it has ended, or its state at the deadline (milliseconds since 1970). */
const untilEnded = async (aws: ChaoticAws, batchId: string, deadline: number): Promise<BatchView> => {
  for (;;) {
    const batch = batchView.parse(
      (await sendUntilAnswered(aws.operator, { method: 'GET', path: `/batches/${batchId}` })).body,
    );
    if (hasEnded(batch) || Date.now() > deadline) return batch;
    if (batch.status === 'paused')
      await sendUntilAnswered(aws.operator, { method: 'POST', path: `/batches/${batchId}/resume` });
    await wait(lookEveryMs);
  }
};

const load = async (aws: ChaoticAws, options: LoadOptions, say: (line: string) => void): Promise<boolean> => {
  const folder = path.join(localFolder, 'load');
  await mkdir(folder, { recursive: true });
  const files = await Promise.all(
    Array.from({ length: options.batches }, async (_, index) => {
      const name = `load-${randomUUID().slice(0, 8)}-${index + 1}`;
      const rows = payoutRows(chanceOf(index).fork(name), name, options.rows, bankTransfers);
      const file = path.join(folder, `${name}.csv`);
      await writeFile(file, csvOf(rows));
      return { name, rows, key: await uploadFile(aws.outputs.PayoutOrchestrator.FilesBucket, file) };
    }),
  );
  say(`Starting ${files.length} batches concurrently`);
  let starts = 0;
  let throttled = 0;
  aws.disturb(
    ({ target }) => {
      if (target !== 'AWSStepFunctions.StartExecution') return undefined;
      starts += 1;
      if (starts % throttledStarts !== 0) return undefined;
      throttled += 1;
      return 'throttle';
    },
    () => false,
  );
  const startCounts = countAnswers();
  const began = Date.now();
  const started: readonly StartedBatch[] = await Promise.all(
    files.map(async ({ name, rows, key }) => ({ name, rows, batchId: await startPolitely(aws, key, startCounts) })),
  );
  say(
    `All are started after ${Math.round((Date.now() - began) / 1000)} s; sending ${options.requests} status requests`,
  );
  const statusCounts = await askOften(aws.operator, {
    paths: started.map(({ batchId }) => `/batches/${batchId}`),
    requests: options.requests,
    atOnce: askersAtOnce,
  });
  say('Waiting until all batches have ended');
  const deadline = began + longestMinutes * 60_000;
  const batches: BatchView[] = [];
  for (const { batchId } of started) batches.push(await untilEnded(aws, batchId, deadline));
  const notEnded = new Set(batches.filter((batch) => !hasEnded(batch)).map(({ batchId }) => batchId));
  const seconds = Math.round((Date.now() - began) / 1000);
  say(`Sending more than the gateway accepts: ${fewRequestsPerSecond} a second`);
  aws.calm();
  await aws.redeploy({ apiRequestsPerSecond: fewRequestsPerSecond });
  const burstCounts = await askOften(aws.operator, {
    paths: started.map(({ batchId }) => `/batches/${batchId}`),
    requests: options.burst,
    atOnce: burstAtOnce,
  });
  const paid: PaidFile[] = [];
  for (const { name, rows, batchId } of started) {
    const results = notEnded.has(batchId) ? [] : await readResults(aws.operator, batchId);
    paid.push({ name, rows, results, conversions: [] });
  }
  const comparison = compare(paid, await readServiceTruth());
  const outcome = {
    starts: startCounts,
    throttled,
    statuses: statusCounts,
    burst: burstCounts,
    comparison,
    batches,
    seconds,
  };
  console.log(printLoad(outcome));
  return (
    notEnded.size === 0 && comparison.findings.length === 0 && statusCounts.failed === 0 && burstCounts.failed === 0
  );
};

interface LoadOptions {
  readonly batches: number;
  readonly rows: number;
  readonly requests: number;
  readonly burst: number;
}

const { values } = parseArgs({
  options: {
    batches: { type: 'string', default: '100' },
    rows: { type: 'string', default: '5' },
    requests: { type: 'string', default: '5000' },
    burst: { type: 'string', default: '300' },
  },
});

await runCommand(async () => {
  const { batches, rows, requests, burst } = values;
  const options = {
    batches: Number(batches),
    rows: Number(rows),
    requests: Number(requests),
    burst: Number(burst),
  };
  if (!Object.values(options).every((value) => Number.isSafeInteger(value) && value > 0)) {
    throw new PlainError('Usage: npm run load -- [--batches N] [--rows N] [--requests N] [--burst N]');
  }
  const began = Date.now();
  const say = (line: string): void => console.error(`${Math.round((Date.now() - began) / 1000)} s  ${line}`);
  return withChaoticAws(loadSettings, say, (aws) => load(aws, options, say));
});
