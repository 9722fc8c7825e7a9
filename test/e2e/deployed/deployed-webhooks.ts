import { setTimeout as wait } from 'node:timers/promises';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { inject } from 'vitest';
import { z } from 'zod';
import { OperatorClient } from '../../../infra/local/operator-client.ts';
import { recordedAnswers } from '../../support/payment-service/answers/recorded-answers.ts';

const outputs = () => inject('localAws').outputs.PayoutOrchestrator;

/** The address to which the provider sends webhooks. */
export const webhookAddress = async (): Promise<string> => {
  const secret = await new SecretsManagerClient().send(
    new GetSecretValueCommand({ SecretId: outputs().WebhookSecretName }),
  );
  const { token } = z.object({ token: z.string() }).parse(JSON.parse(secret.SecretString ?? '{}'));
  return `${outputs().ApiUrl}/webhooks/${token}`;
};

/**
 * Admits this many webhooks per second, and bursts of twice that. The local AWS throttles by method. It overlooks the stack's
 * setting, which has `~1` for each slash as AWS requires, so the stage's own limit would apply.
 */
export const throttleWebhooks = async (perSecond: number): Promise<void> => {
  const apiId = /execute-api\/([^/]+)/.exec(outputs().ApiUrl)?.[1] ?? '';
  const gateway = new OperatorClient({
    apiUrl: inject('localAws').aws.endpoint,
    region: 'us-east-1',
    service: 'apigateway',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const limits = [
    ['rateLimit', perSecond],
    ['burstLimit', perSecond * 2],
  ] as const;
  const patchOperations = limits.map(([limit, value]) => ({
    op: 'replace',
    path: `/~1webhooks~1{token}/POST/throttling/${limit}`,
    value: `${value}`,
  }));
  const { status, body } = await gateway.send({
    method: 'PATCH',
    path: `/restapis/${apiId}/stages/v1`,
    body: { patchOperations },
  });
  if (status !== 200) throw new Error(`UpdateStage was answered with ${status} ${JSON.stringify(body)}`);
};

const queues = z.object({ HINT_QUEUE_URL: z.string(), DEAD_LETTER_QUEUE_URL: z.string() });

/** The addresses of the queue of hints and of its dead-letter queue. */
export const hintQueues = async (): Promise<{ readonly hints: string; readonly deadLetters: string }> => {
  const { Environment } = await new LambdaClient().send(
    new GetFunctionConfigurationCommand({ FunctionName: outputs().ReapplyWebhooksFunction }),
  );
  const { HINT_QUEUE_URL: hints, DEAD_LETTER_QUEUE_URL: deadLetters } = queues.parse(Environment?.Variables);
  return { hints, deadLetters };
};

/** Number of messages in a queue, including invisible ones. */
export const messagesIn = async (QueueUrl: string): Promise<number> => {
  const { Attributes } = await new SQSClient({ useQueueUrlAsEndpoint: false }).send(
    new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return Object.values(Attributes ?? {}).reduce((sum, count) => sum + Number(count), 0);
};

/** Waits until the number of a queue's messages meets a condition. */
export const untilMessages = async (QueueUrl: string, isSo: (count: number) => boolean): Promise<void> => {
  const deadline = Date.now() + 100_000;
  for (let count = await messagesIn(QueueUrl); !isSo(count); count = await messagesIn(QueueUrl)) {
    if (Date.now() > deadline) throw new Error(`${count} messages stay in ${QueueUrl}`);
    await wait(500);
  }
};

/** Number of functions' requests about one of these ids. 0 when the local AWS was already running, because it records nothing. */
export const lookUpsOf = (ids: readonly string[]): number =>
  recordedAnswers(inject('recordedAnswers')).filter(({ path }) => ids.some((id) => path.includes(id))).length;

export const areLookUpsRecorded = (): boolean => inject('recordedAnswers') !== '';
