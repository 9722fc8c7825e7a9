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

/** As a person puts them there; instead of waiting five minutes, the function is begun anew. */
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

/** How a webhook is answered that is signed with this secret, or with none. */
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
  ['the next stands beside it', [next, current], { current: 202, next: 202, forger: 401, unsigned: 401 }],
  ['the next alone is left', [next], { current: 401, next: 202, forger: 401, unsigned: 401 }],
])('a signing secret is replaced: %s', async (_step, secrets, answers) => {
  await configure(...secrets);
  expect({
    current: await answerTo(current),
    next: await answerTo(next),
    forger: await answerTo(forger),
    unsigned: await answerTo(),
  }).toEqual(answers);
});
