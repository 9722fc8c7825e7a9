import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { credentialsFromSecrets } from './auth/credentials.ts';
import { awsClients } from './aws-clients.ts';
import { clientIdOf } from './domain/account.ts';
import { Money } from './domain/money/money.ts';
import type { PlannedFault } from './domain/sandbox/faults.ts';
import type { SandboxState } from './domain/sandbox/sandbox.ts';
import { merchantTime, untouchedSandbox } from './domain/sandbox/sandbox.ts';
import { credentialsSecretName, paymentServiceSettings } from './settings.ts';
import type { Context } from './store/context.ts';
import { timeToRetry } from './store/retry.ts';
import { readSandboxState } from './store/sandbox/sandbox-state.ts';
import { strikesOf } from './store/sandbox/strikes.ts';
import { sendToQueue } from './store/send-to-queue.ts';
import type { Table } from './store/table.ts';

const environment = z.object({
  TABLE_NAME: z.string().min(1),
  SETTINGS: z.string().min(2),
  /** Each queue is set only for the functions that use it. */
  SETTLEMENT_QUEUE_URL: z.string().default(''),
  WEBHOOK_QUEUE_URL: z.string().default(''),
  UNDELIVERED_QUEUE_URL: z.string().default(''),
  /** The service's address for customers, without a trailing slash. Only the function that creates checkouts has it. */
  PUBLIC_URL: z.string().default(''),
});

/** The real table, queues, secrets, clock and randomness. Called once, when a function's instance starts. */
export const paymentServiceRuntime = (variables: NodeJS.ProcessEnv = process.env) => {
  const { TABLE_NAME, SETTINGS, PUBLIC_URL, ...urls } = environment.parse(variables);
  const settings = paymentServiceSettings.parse(JSON.parse(SETTINGS));
  const now = () => new Date();
  const aws = awsClients();
  const table: Table = {
    name: TABLE_NAME,
    client: DynamoDBDocumentClient.from(aws.table, { marshallOptions: { removeUndefinedValues: true } }),
  };
  const secretNames = settings.merchants.map(({ clientId }) => credentialsSecretName(settings, clientId));
  return {
    settings,
    merchants: new Map(settings.merchants.map((merchant) => [merchant.clientId, merchant])),
    table,
    sqs: aws.queues,
    queues: {
      settlement: urls.SETTLEMENT_QUEUE_URL,
      webhooks: urls.WEBHOOK_QUEUE_URL,
      undelivered: urls.UNDELIVERED_QUEUE_URL,
    },
    publicUrl: PUBLIC_URL,
    readCredentials: credentialsFromSecrets(aws.secrets, secretNames, now),
    /** The state of a merchant's sandbox. Outside a sandbox, nothing is read. */
    sandboxOf: async (clientId: string): Promise<SandboxState> =>
      settings.sandbox ? await readSandboxState(table, clientId) : untouchedSandbox,
    /** The real clock. */
    now,
    pause: (milliseconds: number): Promise<void> => wait(milliseconds),
    random: Math.random,
    /** 24 random hexadecimal digits. */
    randomHex: () => randomBytes(12).toString('hex'),
  };
};

/** The dependencies of every function of the service. */
export type Runtime = Readonly<ReturnType<typeof paymentServiceRuntime>>;

/**
 * The context of one account.
 *
 * @param planned the faults that may strike
 * @param hasTime true while retries are allowed; by default as for a request that begins now
 */
export const contextOf = (
  runtime: Runtime,
  accountId: string,
  sandbox: SandboxState,
  planned: readonly PlannedFault[] = [],
  hasTime = timeToRetry(runtime.now),
): Context => {
  const { settings, merchants, sqs, queues, now } = runtime;
  // Only a sandbox gives money away. Elsewhere, a merchant has only the money that was paid in.
  const balances = settings.sandbox ? merchants.get(clientIdOf(accountId))?.balances : undefined;
  return {
    ...runtime,
    accountId,
    settings: { ...settings, rates: { ...settings.rates, ...sandbox.rates } },
    sandbox,
    openingBalance: (currency) => Money.of(balances?.[currency] ?? '0', currency),
    now: () => merchantTime(sandbox, now()),
    realNow: now,
    hasTime,
    schedule: (message, delaySeconds) => sendToQueue(sqs, queues.settlement, JSON.stringify(message), delaySeconds),
    strike: strikesOf(runtime, accountId, sandbox, planned),
  };
};
