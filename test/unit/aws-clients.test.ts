import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { StartExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it } from 'vitest';
import type { MovingBody, WholeAnswer } from '../../functions/aws-clients.ts';
import {
  awsLimits,
  filesClient,
  functionsClient,
  ledgerClient,
  queuesClient,
  secretsClient,
  workflowClient,
} from '../../functions/aws-clients.ts';
import { submitMargins } from '../../functions/domain/settings.ts';
import { drawsAll } from '../support/fast-loop.ts';
import {
  msUntilFailure,
  queueUrl,
  serveAsAws,
  stallNames,
  useStallingAws,
} from '../support/servers/stalling-server.ts';

/** The SDK's longest waits before repetitions when AWS throttles. */
const longestWaitsMs = (attempts: number): number =>
  Array.from({ length: attempts - 1 }, (_, repetition) => Math.min(1000 * 2 ** repetition, 20_000)).reduce(
    (sum, ms) => sum + ms,
    0,
  );

const worstCaseMs = ({ attempts, ...limits }: WholeAnswer | MovingBody): number =>
  attempts * ('lastByteMs' in limits ? limits.lastByteMs : limits.connectMs + 2 * limits.silenceMs) +
  longestWaitsMs(attempts);

const short: WholeAnswer = { connectMs: 60, firstByteMs: 60, lastByteMs: 100, attempts: 2 };
const shortSilence: MovingBody = { connectMs: 60, silenceMs: 80, attempts: 2 };
const object = { Bucket: 'files', Key: 'uploads/payouts.csv' };

let stop: (() => Promise<void>) | undefined;
afterEach(async () => {
  await stop?.();
  stop = undefined;
});

const clients: [string, WholeAnswer | MovingBody, () => Promise<unknown>][] = [
  [
    'the ledger',
    short,
    () =>
      ledgerClient(short).send(new GetItemCommand({ TableName: 'ledger', Key: { pk: { S: 'a' }, sk: { S: 'b' } } })),
  ],
  [
    'a queue',
    short,
    () => queuesClient(short).send(new SendMessageCommand({ QueueUrl: queueUrl(), MessageBody: '{}' })),
  ],
  ['the workflow', short, () => workflowClient(short).send(new StartExecutionCommand({ stateMachineArn: 'arn' }))],
  ['a function', short, () => functionsClient(short).send(new InvokeCommand({ FunctionName: 'f', Payload: '{}' }))],
  ['a secret', short, () => secretsClient(short).get('credentials')],
  [
    'a file that is written',
    shortSilence,
    () => filesClient(shortSilence).send(new PutObjectCommand({ ...object, Body: 'row' })),
  ],
  [
    // From 2 MB on the SDK first asks whether it may send the body.
    'a large file that is written',
    shortSilence,
    () => filesClient(shortSilence).send(new PutObjectCommand({ ...object, Body: Buffer.alloc(5 * 2 ** 20) })),
  ],
  [
    'a file that is read',
    shortSilence,
    async () => (await filesClient(shortSilence).send(new GetObjectCommand(object))).Body?.transformToString(),
  ],
];

describe.each(stallNames)('when AWS %s', (name) => {
  useStallingAws(name);
  it.concurrent.for(clients)('a request for %s ends with an error', async ([_kind, limits, request], { expect }) => {
    const ms = await msUntilFailure(request);
    expect(ms).toBeGreaterThan(limits.connectMs - 10);
    // Timers are late on a busy machine. Without limits the request would never end.
    expect(ms).toBeLessThan(worstCaseMs(limits) + 5000);
  });
});

describe('a file', () => {
  it('may take longer to read than the timeout for silence', async () => {
    const limits = { connectMs: 1000, silenceMs: 400, attempts: 1 };
    stop = await serveAsAws(
      createServer(async (_request, response) => {
        response.writeHead(200, { 'content-length': 10 });
        for (let sent = 0; sent < 10; sent += 1) {
          await wait(limits.silenceMs / 8);
          response.write('x');
        }
        response.end();
      }),
      'http',
    );
    const { Body } = await filesClient(limits).send(new GetObjectCommand(object));
    expect(await Body?.transformToString()).toBe('x'.repeat(10));
  });

  it.runIf(drawsAll)('may take longer to write than the timeout for silence', async () => {
    const body = Buffer.alloc(64 * 2 ** 20, 'x');
    const limits = { connectMs: 1000, silenceMs: 1000, attempts: 1 };
    let received = 0;
    stop = await serveAsAws(
      createServer((request, response) => {
        request.on('error', () => response.destroy());
        request.on('end', () => response.end());
        request.on('data', (part: Buffer) => {
          const pause = Math.floor(received / 2 ** 18) !== Math.floor((received + part.length) / 2 ** 18);
          received += part.length;
          if (!pause) return;
          request.pause();
          setTimeout(() => request.resume(), 6);
        });
      }),
      'http',
    );
    const began = performance.now();
    await filesClient(limits).send(new PutObjectCommand({ ...object, Body: body }));
    expect(received).toBeGreaterThanOrEqual(body.length);
    expect(performance.now() - began).toBeGreaterThan(limits.silenceMs);
  });
});

describe('the worst case of one request', () => {
  const bounds: [keyof typeof awsLimits, number, string][] = [
    ['ledger', Math.min(submitMargins.claimMs, submitMargins.recordMs), 'the margins of SubmitChunk'],
    ['queues', Math.min(submitMargins.claimMs, submitMargins.recordMs), 'the margins of SubmitChunk'],
    ['events', 30_000, 'the time that publish-overdue keeps for one batch'],
    ['notices', 60_000, 'the timeout of NotifyPeople'],
    ['scheduler', 60_000, 'the timeout of AwaitStart'],
    ['secrets', submitMargins.recordMs, 'the margin that is left after the POST'],
    ['workflow', 28_000, 'the operator API’s functions'],
    ['functions', 30_000, 'the console’s functions'],
    ['files', awsLimits.uploads.silenceMs, 'the silence of an upload, which waits for chunks to be written'],
  ];
  it.each(bounds)('of %s is below %d ms: %s', (kind, bound) => {
    expect(worstCaseMs(awsLimits[kind])).toBeLessThan(bound);
  });
});
