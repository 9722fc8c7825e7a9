import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetQueueUrlCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import * as z from 'zod';
import { paymentServiceSettings } from '../../../functions/payment-service/settings.ts';
import { misfitsOfWebhook } from '../../support/payment-service/answers/documented.ts';
import type { ShownDisbursement } from '../../support/payment-service/merchant.ts';
import {
  createdBy,
  credentials,
  credentialsOf,
  fiatItems,
  getSigned,
  send,
} from '../../support/payment-service/merchant.ts';
import { uniqueWord } from '../../support/payment-service/unique-word.ts';
import type { Receiver } from '../../support/payment-service/webhook-receiver.ts';
import { command, startReceiver } from '../../support/payment-service/webhook-receiver.ts';

const { outputs } = inject('localAws');
const patience = { timeout: 100_000, interval: 250 };

const listed = z.object({
  deliveries: z.array(
    z.object({
      webhookId: z.string(),
      attempt: z.number(),
      outcome: z.string(),
      at: z.string(),
      nextAttemptAt: z.string().optional(),
    }),
  ),
  next: z.string().optional(),
});
const list = async (query: object) =>
  listed.parse(await command('ListWebhookDeliveriesFunction', { clientId: 'sandbox-second', ...query }));

const announced = z.object({
  data: z.looseObject({ disbursementId: z.string().optional(), status: z.string(), previousStatus: z.string() }),
});

const environment = z.object({ TABLE_NAME: z.string(), SETTINGS: z.string() });

/** The environment of the deployed functions. */
const deployed = await new LambdaClient()
  .send(new GetFunctionConfigurationCommand({ FunctionName: outputs.PaymentService['ListWebhookDeliveriesFunction'] }))
  .then(({ Environment }) => environment.parse(Environment?.Variables));
const { waitsSeconds } = paymentServiceSettings.parse(JSON.parse(deployed.SETTINGS)).webhooks;

/** With the default waits, the test would take a day. */
const takesLong = waitsSeconds.reduce((sum, one) => sum + one, 0) > 60;

/** A message as Lambda receives it from a queue. */
const queueEvent = (body: string): SQSEvent => ({
  Records: [
    {
      messageId: '1',
      receiptHandle: '1',
      body,
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: '0',
        SenderId: '0',
        ApproximateFirstReceiveTimestamp: '0',
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: '',
      awsRegion: '',
    },
  ],
});

const idOf = (webhook: { readonly headers: Readonly<Record<string, string>> }) => webhook.headers['webhook-id'];

/** The receiver's answers by webhook id. It accepts all other webhooks. */
const answers = new Map<string, (before: number) => number | readonly [number, string]>();
let receiver: Receiver;

/** The second merchant, because the orchestrator receives the first one's webhooks. */
const merchant = credentialsOf('sandbox-second');
const { clientId } = merchant;

beforeAll(async () => {
  receiver = await startReceiver((webhook, before) => answers.get(idOf(webhook) ?? '')?.(before) ?? 200);
  await command('RegisterWebhookFunction', { url: receiver.address, clientId });
});

afterAll(async () => {
  await receiver.close();
});

const ofWebhook = (webhookId: string) => receiver.received.filter((one) => idOf(one) === webhookId);

/** Makes a disbursement that settles as its account number says. */
const disbursement = async (accountNumber: string): Promise<ShownDisbursement> => {
  const [item] = fiatItems(1);
  if (item === undefined) throw new Error('no item');
  const disburseData = [{ ...item, recipient: { bank: { ...item.recipient.bank, accountNumber } } }];
  const [made] = await createdBy(send('POST', '/v2/disbursement/fiat', { currency: 'PHP', disburseData }, merchant));
  if (made === undefined) throw new Error('nothing was created');
  return made;
};

/** A disbursement that stays pending until its status is set by hand. */
const heldDisbursement = async (): Promise<string> => (await disbursement('0012349902')).disbursementId;

/** Reads all messages in the dead-letter queue as text, and leaves them there. */
const deadLetters = async (): Promise<string> => {
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  const texts = new Set<string>();
  const look = new ReceiveMessageCommand({
    QueueUrl: outputs.PaymentService['UndeliveredWebhooksQueueUrl'],
    MaxNumberOfMessages: 10,
    VisibilityTimeout: 1,
  });
  for (;;) {
    const { Messages = [] } = await sqs.send(look);
    if (Messages.length === 0) return [...texts].join('\n');
    for (const { Body } of Messages) texts.add(Body ?? '');
  }
};

const setStatus = (id: string, status: string) => send('PATCH', `/v1/disbursement/${id}`, { status }, merchant);

describe('a sandbox update', () => {
  it('is announced by a signed webhook, repeated until it is accepted; the merchant’s log shows each attempt', async () => {
    const id = await heldDisbursement();
    const webhookId = `msg_${id}_2`;
    answers.set(webhookId, (before) => [500, 503][before] ?? 204);
    await setStatus(id, 'failed');
    await vi.waitFor(() => expect(ofWebhook(webhookId)).toHaveLength(3), patience);
    for (const { body, headers } of ofWebhook(webhookId)) {
      expect(() => new Webhook(credentials.webhookSecret).verify(body, headers)).toThrow('No matching signature');
      expect(misfitsOfWebhook('disbursement.updated', body)).toEqual([]);
      expect(new Webhook(merchant.webhookSecret).verify(body, headers)).toMatchObject({
        type: 'disbursement.updated',
        data: { disbursementId: id, status: 'failed', previousStatus: 'pending' },
      });
    }
    await vi.waitFor(async () => {
      const { deliveries } = await list({ webhookId });
      expect(deliveries.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
        [3, 'delivered'],
        [2, 'refused'],
        [1, 'refused'],
      ]);
    }, patience);
    const { deliveries } = await list({ webhookId });
    const [third, second, first] = deliveries;
    expect(Date.parse(second?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(first?.nextAttemptAt ?? '') - 1000);
    expect(Date.parse(third?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(second?.nextAttemptAt ?? '') - 1000);
    expect(JSON.stringify(await command('ListWebhookDeliveriesFunction', { clientId }))).not.toContain(
      'a-secret-token',
    );
    expect(await list({ webhookId, clientId: 'sandbox-merchant' })).toEqual({ deliveries: [] });
  });

  it.skipIf(takesLong)(
    'that is never accepted ends in the dead-letter queue after all attempts; "gone" after the first',
    async () => {
      const [refused, gone] = [await heldDisbursement(), await heldDisbursement()];
      answers.set(`msg_${refused}_2`, () => 500);
      answers.set(`msg_${gone}_2`, () => 410);
      await Promise.all([setStatus(refused, 'failed'), setStatus(gone, 'failed')]);
      await vi.waitFor(async () => {
        const found = await deadLetters();
        expect(found).toContain(`msg_${refused}_2`);
        expect(found).toContain(`msg_${gone}_2`);
      }, patience);
      expect(ofWebhook(`msg_${refused}_2`)).toHaveLength(waitsSeconds.length + 1);
      expect(ofWebhook(`msg_${gone}_2`)).toHaveLength(1);
      const last = async (id: string) => (await list({ webhookId: `msg_${id}_2`, limit: 1 })).deliveries[0];
      await vi.waitFor(async () => {
        expect(await last(refused)).toMatchObject({ attempt: waitsSeconds.length + 1, outcome: 'given_up' });
        expect(await last(gone)).toMatchObject({ attempt: 1, outcome: 'given_up' });
      }, patience);
    },
  );

  it('that is answered with 429 is repeated after the requested time, later than scheduled', async () => {
    const id = await heldDisbursement();
    answers.set(`msg_${id}_2`, (before) => (before === 0 ? [429, '2'] : 200));
    const from = Date.now();
    await setStatus(id, 'failed');
    await vi.waitFor(() => expect(ofWebhook(`msg_${id}_2`)).toHaveLength(2), patience);
    expect(Date.now() - from).toBeGreaterThan(1900);
  });
});

describe('a disbursement that settles by itself', () => {
  const webhooksOf = (id: string) =>
    receiver.received
      .map(({ body }) => announced.parse(JSON.parse(body)).data)
      .filter(({ disbursementId }) => disbursementId === id);

  it('is not announced, because the public document promises only webhooks for sandbox updates', async () => {
    const { disbursementId } = await disbursement('0012340000');
    await vi.waitFor(async () => {
      const answer = await getSigned(`/v1/disbursement/fiat/${disbursementId}`, { as: merchant });
      expect(await answer.json()).toMatchObject({ data: { status: 'completed' } });
    }, patience);
    await setStatus(disbursementId, 'failed');
    // Changes of one disbursement arrive in order, so the settlement's webhook would be here by now.
    await vi.waitFor(() => expect(webhooksOf(disbursementId)).not.toEqual([]), patience);
    expect(webhooksOf(disbursementId)).toMatchObject([{ status: 'failed', previousStatus: 'completed' }]);
  });

  it('is announced when the setting asks for every change', async () => {
    const { disbursementId, groupId, createdAt } = await disbursement('0012349905');
    const { TABLE_NAME, SETTINGS } = deployed;
    const settings = { ...JSON.parse(SETTINGS), settlement: { lateSeconds: 1 }, webhooks: { everyChange: true } };
    // The real worker with other settings. The deployed one would settle late disbursements only after a minute.
    Object.assign(process.env, { TABLE_NAME, SETTINGS: JSON.stringify(settings) });
    const { handler } = await import('../../../functions/payment-service/handlers/settle-groups.ts');
    await wait(1000);
    const body = JSON.stringify({ groupId, accountId: clientId, postedAt: createdAt });
    expect(await handler(queueEvent(body))).toEqual({ batchItemFailures: [] });
    await vi.waitFor(() => expect(webhooksOf(disbursementId)).not.toEqual([]), patience);
    expect(webhooksOf(disbursementId)).toMatchObject([{ status: 'completed', previousStatus: 'pending' }]);
  });
});

describe('unreadable messages go to the dead-letter queue, and the ones behind them are delivered', () => {
  const word = uniqueWord();

  it.each([
    [
      'in the table',
      async () => {
        const { TABLE_NAME: TableName } = deployed;
        const table = DynamoDBDocumentClient.from(new DynamoDBClient());
        const Key = { pk: `TEST#${word}`, sk: 'TEST' };
        await table.send(new PutCommand({ TableName, Item: Key }));
        await table.send(
          new UpdateCommand({
            TableName,
            Key,
            UpdateExpression: 'SET announce = :text',
            ExpressionAttributeValues: { ':text': `in the table ${word}` },
          }),
        );
      },
    ],
    [
      'in the queue',
      async () => {
        const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
        const QueueName = outputs.PaymentService['WebhookQueueArn']?.split(':').at(-1);
        const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
        await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: `in the queue ${word}` }));
      },
    ],
  ])('%s', async (where, poison) => {
    const id = await heldDisbursement();
    await poison();
    await setStatus(id, 'failed');
    await vi.waitFor(() => expect(ofWebhook(`msg_${id}_2`)).toHaveLength(1), patience);
    await vi.waitFor(async () => expect(await deadLetters()).toContain(`${where} ${word}`), patience);
  });
});

describe('the delivery log', () => {
  it('is read page by page, newest first', async () => {
    const first = await list({ limit: 2 });
    expect(first.deliveries).toHaveLength(2);
    const second = await list({ limit: 2, before: first.next });
    const times = [...first.deliveries, ...second.deliveries].map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set([...first.deliveries, ...second.deliveries].map((one) => JSON.stringify(one)))).toHaveLength(4);
  });

  it.each([{ limit: 0 }, { limit: 501 }, { webhook: 'msg_1' }])('refuses %j', async (query) => {
    await expect(list(query)).rejects.toThrow('the event may have');
  });
});

it.each([{}, { url: 'http://merchant.example' }, { url: 'merchant.example' }, { url: 'https://m.example', more: 1 }])(
  'the request %j registers no address',
  async (payload) => {
    await expect(command('RegisterWebhookFunction', payload)).rejects.toThrow('the event must be');
  },
);

it.each(['RegisterWebhookFunction', 'ListWebhookDeliveriesFunction'])(
  '%s accepts only existing merchants',
  async (name) => {
    const url = name.startsWith('Register') ? { url: 'https://merchant.example' } : {};
    await expect(command(name, { ...url, clientId: 'nobody' })).rejects.toThrow(
      'there is no merchant with this clientId',
    );
  },
);
