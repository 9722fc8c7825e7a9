import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { credentialsFromSecrets } from './auth/credentials.ts';
import { awsClients } from './aws-clients.ts';
import { clientIdOf } from './domain/account.ts';
import { Money } from './domain/money/money.ts';
import type { SandboxState } from './domain/sandbox/sandbox.ts';
import { unsteered } from './domain/sandbox/sandbox.ts';
import { credentialsSecretName, paymentServiceSettings } from './settings.ts';
import { readSandboxState } from './store/sandbox/sandbox-state.ts';

const environment = z.object({
  TABLE_NAME: z.string().min(1),
  SETTINGS: z.string().min(2),
  /** Only the functions that send have it. */
  SETTLEMENT_QUEUE_URL: z.string().default(''),
  WEBHOOK_QUEUE_URL: z.string().default(''),
  UNDELIVERED_QUEUE_URL: z.string().default(''),
  /** Where customers reach the service, no slash at its end. Only the function that makes checkouts has it. */
  PUBLIC_URL: z.string().default(''),
});

/**
 * What every function of the service starts from: its settings, its table, its queues, and the clock and chance of the
 * real world. Called once, when a function's instance starts.
 */
export const paymentServiceRuntime = () => {
  const { TABLE_NAME, SETTINGS, PUBLIC_URL, ...urls } = environment.parse(process.env);
  const settings = paymentServiceSettings.parse(JSON.parse(SETTINGS));
  const now = () => new Date();
  const aws = awsClients();
  const table = {
    name: TABLE_NAME,
    client: DynamoDBDocumentClient.from(aws.table, {
      marshallOptions: { removeUndefinedValues: true },
    }),
  };
  const merchants = new Map(settings.merchants.map((merchant) => [merchant.clientId, merchant]));
  const secretNames = settings.merchants.map(({ clientId }) => credentialsSecretName(settings, clientId));
  return {
    settings,
    table,
    merchants,
    /** Only a sandbox gives money away: elsewhere merchants have what was paid in. */
    openingBalances: (accountId: string, currency: string): Money => {
      const { balances = {} } = merchants.get(clientIdOf(accountId)) ?? {};
      return Money.of((settings.sandbox ? balances[currency] : undefined) ?? '0', currency);
    },
    /** How a merchant has steered its sandbox; outside a sandbox nothing is read. */
    sandboxOf: async (clientId: string): Promise<SandboxState> =>
      settings.sandbox ? await readSandboxState(table, clientId) : unsteered,
    sqs: aws.queues,
    publicUrl: PUBLIC_URL,
    queues: {
      settlement: urls.SETTLEMENT_QUEUE_URL,
      webhooks: urls.WEBHOOK_QUEUE_URL,
      undelivered: urls.UNDELIVERED_QUEUE_URL,
    },
    readCredentials: credentialsFromSecrets(aws.secrets, secretNames, now),
    /** The real clock; a merchant's own is `merchantTime` of its sandbox. */
    now,
    pause: async (milliseconds: number): Promise<void> => {
      await wait(milliseconds);
    },
    random: Math.random,
    randomHex: (): string => randomBytes(12).toString('hex'),
  };
};
