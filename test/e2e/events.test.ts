import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { eventPage } from '../../functions/api/schemas/event.ts';
import type { CloudEvent } from '../../functions/domain/events/cloud-event.ts';
import { cloudEvent, sequenceOf } from '../../functions/domain/events/cloud-event.ts';
import {
  csvOf,
  freshReference,
  heldRow,
  idrRow,
  operator,
  start,
  untilEnded,
  upload,
} from './deployed/deployed-orchestrator.ts';

const queues = new SQSClient();

const outputs = () => inject('localAws').outputs.PayoutOrchestrator;

/** A new queue for the test. */
const makeQueue = async (): Promise<{ readonly name: string; readonly url: string; readonly arn: string }> => {
  const name = `receives-events-${randomUUID()}`;
  const { QueueUrl } = await queues.send(new CreateQueueCommand({ QueueName: name }));
  const { Attributes } = await queues.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  const found = z.object({ url: z.string(), arn: z.string() }).parse({ url: QueueUrl, arn: Attributes?.['QueueArn'] });
  const services = { Service: ['events.amazonaws.com', 'sns.amazonaws.com'] };
  const statement = { Effect: 'Allow', Principal: services, Action: 'sqs:SendMessage', Resource: found.arn };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
  await queues.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }));
  return { name, ...found };
};

/** Receives every event of the stack's bus. */
const listen = async (): Promise<string> => {
  const { name: Name, url, arn: Arn } = await makeQueue();
  const EventBusName = outputs().EventBusName;
  const bus = new EventBridgeClient();
  const EventPattern = JSON.stringify({ source: ['payout-orchestrator'] });
  await bus.send(new PutRuleCommand({ Name, EventBusName, EventPattern }));
  await bus.send(new PutTargetsCommand({ Rule: Name, EventBusName, Targets: [{ Id: 'queue', Arn }] }));
  return url;
};

/** Receives the notices to people. */
const subscribe = async (): Promise<string> => {
  const { url, arn } = await makeQueue();
  const TopicArn = outputs().NoticeTopicArn;
  await new SNSClient().send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: arn }));
  return url;
};

const onTheBus = z.object({ source: z.string(), 'detail-type': z.string(), detail: cloudEvent() });

/** The events of a batch up to one that ends it, in the order of their numbers. */
const receive = async (QueueUrl: string, batchId: string): Promise<readonly CloudEvent[]> => {
  const received = new Map<string, CloudEvent>();
  const isEnd = ({ type }: CloudEvent) => type === 'batch.partially_completed';
  const deadline = Date.now() + 30_000;
  while (![...received.values()].some(isEnd) && Date.now() < deadline) {
    const { Messages = [] } = await queues.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 }),
    );
    for (const { Body = '', ReceiptHandle } of Messages) {
      const { source, 'detail-type': type, detail } = onTheBus.parse(JSON.parse(Body));
      if (detail.data.batchId === batchId) received.set(detail.id, detail);
      expect([source, type]).toEqual([detail.source, detail.type]);
      await queues.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
    if (Messages.length === 0) await wait(100);
  }
  return [...received.values()].toSorted((one, other) => sequenceOf(one) - sequenceOf(other));
};

const notice = z.object({ Subject: z.string(), Message: z.string() });

/** The first notice that names the batch. */
const readNotice = async (QueueUrl: string, batchId: string): Promise<z.infer<typeof notice>> => {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const { Messages = [] } = await queues.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 1 }));
    const notices = Messages.map(({ Body = '' }) => notice.parse(JSON.parse(Body)));
    const own = notices.find(({ Subject }) => Subject.includes(batchId));
    if (own !== undefined) return own;
  }
  throw new Error(`no notice names ${batchId}`);
};

describe('the events of a batch', () => {
  const held = freshReference();
  let batchId = '';
  let topic = '';
  let received: readonly CloudEvent[] = [];

  beforeAll(async () => {
    const queue = await listen();
    topic = await subscribe();
    batchId = await start(await upload(csvOf(idrRow(), idrRow(), heldRow(held))));
    await untilEnded(batchId);
    received = await receive(queue, batchId);
  });

  const read = (query: string) =>
    operator().ask({ method: 'GET', path: `/batches/${batchId}/events${query}` }, eventPage);

  it('arrive on the bus, numbered without a gap', () => {
    expect(received.map(sequenceOf)).toEqual(received.map((_, index) => index + 1));
    expect(received.map(({ type }) => type)).toEqual([
      'batch.accepted',
      'batch.validating',
      'batch.processing',
      'payout.on_hold',
      'batch.partially_completed',
    ]);
    expect(received.find(({ type }) => type === 'payout.on_hold')?.data).toMatchObject({ reference: held });
    expect(received.at(-1)?.data).toMatchObject({
      status: 'partially_completed',
      previousStatus: 'processing',
      counts: { completed: 2, on_hold: 1 },
    });
  });

  it('are followed by a notice in words when it has ended', async () => {
    const { Subject, Message } = await readNotice(topic, batchId);
    expect(Subject).toBe(`Payouts ${batchId}: partially completed, 2 of 3 paid`);
    expect(Message).toContain('waits for a person');
    expect(Message).toContain(`GET ${outputs().ApiUrl}/batches/${batchId}\n`);
  });

  it('can be read again from the API, from any number', async () => {
    expect(await read('')).toEqual({ events: received, last: '0000005' });
    expect(await read('?after=0000003')).toEqual({ events: received.slice(3), last: '0000005' });
    expect(await read('?after=2&limit=2')).toEqual({ events: received.slice(2, 4), last: '0000005' });
    expect((await read('?after=5')).events).toEqual([]);
    const wrong = await operator().send({ method: 'GET', path: `/batches/${batchId}/events?after=-1` });
    expect(wrong.status).toBe(400);
    const none = await operator().send({ method: 'GET', path: '/batches/b-none/events' });
    expect(none.status).toBe(404);
  });
});
