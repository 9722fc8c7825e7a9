/**
 * The only place that chooses the concrete ledger, provider and files of a handler. Each is created at its first use and kept
 * for the life of the function's instance. So a bundle contains only the code that its handler calls.
 */

import { randomUUID } from 'node:crypto';
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import * as z from 'zod';
import {
  awsLimits,
  eventsClient,
  filesClient,
  functionsClient,
  ledgerClient,
  noticesClient,
  queuesClient,
  schedulerClient,
  secretsClient,
  workflowClient,
} from './aws-clients.ts';
import { once } from './domain/once.ts';
import { orchestratorSettings } from './domain/settings.ts';
import { createFiles } from './files/files.ts';

import { createLedger } from './ledger/ledger.ts';
import { createPace } from './ledger/pace/pace.ts';
import type { LedgerDependencies } from './ledger/table/store.ts';
import type { Clock, Count, Ids, Log, Random } from './ports/environment.ts';
import { createProviderCheck } from './provider/check/preflight.ts';
import { createPaymentProvider } from './provider/payment-provider.ts';
import { providerTraits } from './provider/settings.ts';
import { webhookNames as documentedNames } from './provider/webhook-names.ts';
import { createEventBus } from './workflow/event-bus.ts';
import { createDeadLetters, createDeliveryQueue, createHintQueue } from './workflow/hint-queue.ts';
import { createLastingSecrets } from './workflow/lasting-secrets.ts';
import { createBegin, createSteer, createZipProofs } from './workflow/operator-functions.ts';
import { createPeople } from './workflow/people.ts';
import { createSchedules } from './workflow/schedules.ts';
import { createWorkflow } from './workflow/workflow.ts';

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

const countOn = (metric: Parameters<Log['alarm']>[0] | Parameters<Count>[0]): void => {
  metrics().addMetric(metric, MetricUnit.Count, 1);
  metrics().publishStoredMetrics();
};

export const log: Log = {
  info: (code, fields) => logger().info(code, { ...fields }),
  warn: (code, fields) => logger().warn(code, { ...fields }),
  alarm: (metric, fields) => {
    logger().error(`alarm.${metric}`, { ...fields });
    countOn(metric);
  },
};

/** What a function may depend on without any right: see ports/environment.ts. */
const common = { clock, random, ids, log };

type Adapters<Dependencies> = {
  readonly [Name in keyof Dependencies as typeof common extends Pick<Dependencies, Name>
    ? never
    : Name]: () => Dependencies[Name];
};

/**
 * Gives a function its dependencies: clock, randomness, ids and log, and its adapters, each of which is created at its first
 * use.
 */
export function bind<Dependencies, Input extends readonly unknown[], Output>(
  run: (dependencies: Dependencies, ...input: Input) => Output,
  adapters: Adapters<Dependencies>,
): (...input: Input) => Output;
export function bind(
  run: (dependencies: object, ...input: readonly unknown[]) => unknown,
  adapters: Readonly<Record<string, () => unknown>>,
) {
  return (...input: readonly unknown[]) => {
    const made = Object.entries(adapters).map(([name, adapter]) => [name, adapter()]);
    return run({ ...common, ...Object.fromEntries(made) }, ...input);
  };
}

export const settings = /* @__PURE__ */ once(() => orchestratorSettings().parse(JSON.parse(environment('SETTINGS'))));

const ledgerDependencies = /* @__PURE__ */ once(
  (): LedgerDependencies => ({
    client: DynamoDBDocumentClient.from(ledgerClient(), {
      marshallOptions: { removeUndefinedValues: true },
    }),
    table: environment('LEDGER_TABLE'),
    clock,
    ids,
    random,
  }),
);

export const ledger = /* @__PURE__ */ once(() => createLedger(ledgerDependencies()));

const perSecond = (name: string): number => z.coerce.number().min(0).parse(environment(name));

/** The provider's rate limit, shared by all functions that send it requests. */
export const pace = /* @__PURE__ */ once(() =>
  createPace({
    ...ledgerDependencies(),
    limits: { post: perSecond('PROVIDER_POSTS_PER_SECOND'), read: perSecond('PROVIDER_READS_PER_SECOND') },
    log,
    count: countOn,
  }),
);

/** The only bucket that payout files may come from. */
export const filesBucket = (): string => environment('FILES_BUCKET');

const recordLock = once(() => z.object({ mode: z.enum(['GOVERNANCE', 'COMPLIANCE']), days: z.int().min(1) }));

export const files = /* @__PURE__ */ once(() => {
  const lock = process.env['RECORD_LOCK'];
  return createFiles({
    s3: filesClient(),
    uploads: filesClient(awsLimits.uploads),
    bucket: filesBucket(),
    clock,
    lock: lock === undefined ? undefined : recordLock().parse(JSON.parse(lock)),
  });
});

/**
 * Environment variables with the secret's name, by credentials convention. A function without the variable has no permission to
 * read the secret either.
 */
const providerSecrets = {
  signed: 'PROVIDER_SIGNING_SECRET_NAME',
  authorization: 'PROVIDER_AUTHORIZATION_SECRET_NAME',
} as const;

const secrets = /* @__PURE__ */ once(() => createLastingSecrets({ secrets: secretsClient(), clock, log }));

const readSecret = (name: string): Promise<unknown> => secrets()(name);

const providerConnection = /* @__PURE__ */ once(
  (): Omit<Parameters<typeof createPaymentProvider>[0], 'log'> => ({
    account: environment('PROVIDER_ACCOUNT'),
    baseUrl: environment('PROVIDER_BASE_URL'),
    signing: environment('PROVIDER_SIGNING'),
    traits: providerTraits().parse(JSON.parse(environment('PROVIDER_TRAITS'))),
    credentials: async (convention) => readSecret(environment(providerSecrets[convention])),
    timeoutMs: settings().httpTimeoutSeconds * 1000,
    pace: pace(),
    clock,
    random,
  }),
);

export const provider = /* @__PURE__ */ once(() => createPaymentProvider({ ...providerConnection(), log }));

/** Milliseconds of a request to the provider while an operator waits: several must end before API Gateway gives up, after 29 s. */
const whileWaitedForMs = 8000;

/** The provider for requests of operators. */
export const providerForOperators = /* @__PURE__ */ once(() => {
  const connection = providerConnection();
  return createPaymentProvider({ ...connection, timeoutMs: Math.min(whileWaitedForMs, connection.timeoutMs), log });
});

/** The fields by which the provider's webhooks name a payout. */
export const webhookNames = documentedNames;

export const providerCheck = /* @__PURE__ */ once(() => createProviderCheck(providerConnection()));

const webhookSecret = once(() =>
  z.object({ token: z.string().min(16), secrets: z.array(z.string()).max(2).default([]) }),
);

/** The unguessable part of the webhook address, and the Standard Webhooks secrets: at most two, while one is rotated. */
export const webhookSettings = async (): Promise<{ token: string; secrets: readonly string[] }> =>
  webhookSecret().parse(await readSecret(environment('WEBHOOK_SECRET_NAME')));

/**
 * The workflow with this ARN. A step of the state machine cannot have the ARN in its environment, because the state machine
 * refers to the step.
 */
export const workflowOf = (stateMachineArn: string) => createWorkflow(workflowClient(), stateMachineArn);

export const workflow = /* @__PURE__ */ once(() => workflowOf(environment('STATE_MACHINE_ARN')));

/** The bus that announces batches' events to other systems. */
export const eventBus = /* @__PURE__ */ once(() => createEventBus(eventsClient(), environment('EVENT_BUS_NAME')));

export const schedules = /* @__PURE__ */ once(() =>
  createSchedules({
    scheduler: schedulerClient(),
    group: environment('SCHEDULE_GROUP'),
    target: environment('SCHEDULE_TARGET_ARN'),
    role: environment('SCHEDULE_ROLE_ARN'),
    clock,
  }),
);

/** Base URL of the operator API, without a trailing slash. */
export const apiUrl = (): string => environment('API_URL');

export const people = /* @__PURE__ */ once(() => createPeople(noticesClient(), environment('NOTICE_TOPIC_ARN')));

const sqs = /* @__PURE__ */ once(() => queuesClient());
const hintsUrl = (): string => environment('HINT_QUEUE_URL');
const deadLettersUrl = (): string => environment('DEAD_LETTER_QUEUE_URL');

export const hintQueue = /* @__PURE__ */ once(() =>
  createHintQueue(sqs(), { hints: hintsUrl, deadLetters: deadLettersUrl }),
);

const eventWebhookAddress = once(() =>
  z.object({ url: z.string(), secretName: z.string(), waitsSeconds: z.array(z.number()) }),
);
const eventWebhookSecret = once(() => z.object({ secrets: z.array(z.string()).min(1).max(2) }));

/** The merchant's address for events, and the secrets that sign them. */
export const eventWebhook = async () => {
  const { secretName, ...address } = eventWebhookAddress().parse(JSON.parse(environment('EVENT_WEBHOOK')));
  return { ...address, ...eventWebhookSecret().parse(await readSecret(secretName)) };
};

export const eventQueue = /* @__PURE__ */ once(() =>
  createDeliveryQueue(sqs(), {
    queue: () => environment('EVENT_QUEUE_URL'),
    deadLetters: () => environment('EVENT_DEAD_LETTER_QUEUE_URL'),
  }),
);

export const deadLetters = /* @__PURE__ */ once(() =>
  createDeadLetters(sqs(), { hints: hintsUrl(), deadLetters: deadLettersUrl() }),
);

/** The function behind the dashboard's buttons that pause and cancel. */
export const steeringFunction = (): string => environment('STEERING_FUNCTION');

/** Makes ZIPs of proofs for the console, which has no permission to write files. */
export const zipProofs = /* @__PURE__ */ once(() => createZipProofs(functionsClient(), environment('ZIP_FUNCTION')));

export const steer = /* @__PURE__ */ once(() =>
  createSteer(functionsClient(), {
    pause: environment('PAUSE_FUNCTION'),
    cancel: environment('CANCEL_FUNCTION'),
  }),
);

/** The function behind the dashboard's buttons that start a batch. */
export const beginningFunction = (): string => environment('BEGINNING_FUNCTION');

export const begin = /* @__PURE__ */ once(() => createBegin(functionsClient(), environment('START_FUNCTION')));

/** The page of the S3 console that uploads a payout file. */
export const uploadPage = (): string => environment('UPLOAD_PAGE');
