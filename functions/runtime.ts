import { randomUUID } from 'node:crypto';
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { getSecret } from '@aws-lambda-powertools/parameters/secrets';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import * as z from 'zod';
import type { OrchestratorSettings } from './domain/settings.ts';
import { orchestratorSettings } from './domain/settings.ts';
import { createFiles } from './files/files.ts';
import { createLedger } from './ledger/ledger.ts';
import type { Clock, Ids, Log, Random } from './ports/environment.ts';
import type { Files } from './ports/files.ts';
import type { AsideHints, HintQueue } from './ports/hint-queue.ts';
import type { Ledger } from './ports/ledger.ts';
import type { PaymentProvider } from './ports/provider.ts';
import type { Workflow } from './ports/workflow.ts';
import { createPaymentProvider } from './provider/payment-provider.ts';
import { createAsideHints, createHintQueue } from './workflow/hint-queue.ts';
import { createWorkflow } from './workflow/workflow.ts';

/**
 * The only place that knows which concrete ledger, provider and files a handler gets. Everything is made at its first
 * use and kept for the life of the function's instance, so a bundle carries what its handler calls and nothing else.
 */

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const environment = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`the environment variable ${name} is not set`);
  return value;
};

export const clock: Clock = () => Date.now();
export const random: Random = () => Math.random();
export const ids: Ids = { sortable: () => ulid(), unique: () => randomUUID() };

const logger = /* @__PURE__ */ once(() => new Logger());
const metrics = /* @__PURE__ */ once(() => new Metrics({ namespace: 'PayoutOrchestrator' }));

export const log: Log = {
  info: (code, fields) => logger().info(code, { ...fields }),
  warn: (code, fields) => logger().warn(code, { ...fields }),
  alarm: (metric, fields) => {
    logger().error(`alarm.${metric}`, { ...fields });
    metrics().addMetric(metric, MetricUnit.Count, 1);
    metrics().publishStoredMetrics();
  },
};

export const settings = /* @__PURE__ */ once(
  (): OrchestratorSettings => orchestratorSettings.parse(JSON.parse(environment('SETTINGS'))),
);

/**
 * Milliseconds a request to the ledger may take. A claim is checked against the time that is left before it is made, so no
 * write may hang for longer than SubmitChunk's margin.
 */
const ledgerTimeouts = { connectionTimeout: 1000, requestTimeout: 5000 } as const;

export const ledger = /* @__PURE__ */ once(
  (): Ledger =>
    createLedger({
      client: DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler: ledgerTimeouts }), {
        marshallOptions: { removeUndefinedValues: true },
      }),
      table: environment('LEDGER_TABLE'),
      clock,
      ids,
      random,
    }),
);

/** The one bucket that payout files may come from. */
export const filesBucket = (): string => environment('FILES_BUCKET');

const recordLock = z.object({ mode: z.enum(['GOVERNANCE', 'COMPLIANCE']), days: z.int().min(1) });

export const files = /* @__PURE__ */ once((): Files => {
  const lock = process.env['RECORD_LOCK'];
  return createFiles({
    s3: new S3Client({}),
    bucket: filesBucket(),
    clock,
    lock: lock === undefined ? undefined : recordLock.parse(JSON.parse(lock)),
  });
});

/** Which secret holds the credentials of a convention. A function that is not told of one may not read it either. */
const providerSecrets = {
  signed: 'PROVIDER_SIGNING_SECRET_NAME',
  authorization: 'PROVIDER_AUTHORIZATION_SECRET_NAME',
} as const;

/** Seconds a secret is kept before it is read again: a rotated credential works within this time. */
const secretMaxAgeSeconds = 300;

const readSecret = async (name: string): Promise<unknown> =>
  getSecret(name, { maxAge: secretMaxAgeSeconds, transform: 'json' });

export const provider = /* @__PURE__ */ once(
  (): PaymentProvider =>
    createPaymentProvider({
      baseUrl: environment('PROVIDER_BASE_URL'),
      signing: environment('PROVIDER_SIGNING'),
      credentials: async (convention) => readSecret(environment(providerSecrets[convention])),
      timeoutMs: settings().httpTimeoutSeconds * 1000,
      clock,
      random,
      log,
    }),
);

const webhookSecret = z.object({ token: z.string().min(16), secrets: z.array(z.string()).max(2).default([]) });

/** The unguessable part of the webhook address, and up to two Standard Webhooks secrets (two while one is rotated). */
export const webhookSettings = async (): Promise<{ token: string; secrets: readonly string[] }> =>
  webhookSecret.parse(await readSecret(environment('WEBHOOK_SECRET_NAME')));

/**
 * Attempts at a request to Step Functions, which takes only so many starts a second from an account. The SDK waits up to 0.5, 1,
 * 2, 4 and 8 s before each when it is throttled, 15.5 s at most and half of that on average: within the API's 28 s.
 */
const workflowAttempts = 6;

export const workflow = /* @__PURE__ */ once(
  (): Workflow =>
    createWorkflow({
      sfn: new SFNClient({ maxAttempts: workflowAttempts }),
      stateMachineArn: environment('STATE_MACHINE_ARN'),
    }),
);

const sqs = /* @__PURE__ */ once(() => new SQSClient({ requestHandler: ledgerTimeouts }));
const hintsUrl = (): string => environment('HINT_QUEUE_URL');
const asideUrl = (): string => environment('ASIDE_QUEUE_URL');

export const hintQueue = /* @__PURE__ */ once(
  (): HintQueue => createHintQueue(sqs(), { hints: hintsUrl, aside: asideUrl }),
);

export const asideHints = /* @__PURE__ */ once(
  (): AsideHints => createAsideHints(sqs(), { hints: hintsUrl(), aside: asideUrl() }),
);
