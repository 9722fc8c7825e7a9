import { randomUUID } from 'node:crypto';
import {
  LambdaClient,
  ListFunctionsCommand,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { webhookAddress } from '../deployed/deployed-webhooks.ts';

const lambda = new LambdaClient();

const receiver = async () => {
  const { Functions: functions = [] } = await lambda.send(new ListFunctionsCommand({ MaxItems: 500 }));
  const found = functions.find(({ FunctionName }) => FunctionName?.includes('ReceiveWebhook'));
  return z.object({ FunctionName: z.string(), Timeout: z.number() }).parse(found);
};

/** Sets the secrets like a person. Restarts the function instead of waiting five minutes. */
const configure = async (...secrets: readonly string[]): Promise<void> => {
  const SecretId = inject('localAws').outputs.PayoutOrchestrator.WebhookSecretName;
  const manager = new SecretsManagerClient();
  const { SecretString = '{}' } = await manager.send(new GetSecretValueCommand({ SecretId }));
  const kept = z.object({ token: z.string() }).parse(JSON.parse(SecretString));
  await manager.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify({ ...kept, secrets }) }));
  const { FunctionName, Timeout } = await receiver();
  await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Timeout, Description: randomUUID() }));
  await waitUntilFunctionUpdatedV2({ client: lambda, maxWaitTime: 30 }, { FunctionName });
};

const secretOf = (name: string) => `whsec_${Buffer.from(name.padEnd(24, '.')).toString('base64')}`;
const [current, next, forger] = [secretOf('current'), secretOf('next'), secretOf('forger')];

/** The status for a webhook signed with this secret, or unsigned. */
const answerTo = async (secret?: string): Promise<number> => {
  const id = randomUUID();
  const now = new Date();
  const body = JSON.stringify({ disbursementId: id });
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
    ...(secret === undefined ? {} : { 'webhook-signature': new Webhook(secret).sign(id, now, body) }),
  };
  return (await fetch(await webhookAddress(), { method: 'POST', headers, body })).status;
};

afterAll(() => configure());

it.each([
  ['none is configured', [], { current: 202, next: 202, forger: 202, unsigned: 202 }],
  ['one is configured', [current], { current: 202, next: 401, forger: 401, unsigned: 401 }],
  ['the next one is added', [next, current], { current: 202, next: 202, forger: 401, unsigned: 401 }],
  ['only the next one remains', [next], { current: 401, next: 202, forger: 401, unsigned: 401 }],
])('a signing secret is rotated: %s', async (_step, secrets, answers) => {
  await configure(...secrets);
  expect({
    current: await answerTo(current),
    next: await answerTo(next),
    forger: await answerTo(forger),
    unsigned: await answerTo(),
  }).toEqual(answers);
});
