import type { SQSClient } from '@aws-sdk/client-sqs';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { inParallel } from '../domain/in-parallel.ts';
import type { DeliveryQueue } from '../ports/delivery-queue.ts';
import type { DeadLetters, HintQueue } from '../ports/hint-queue.ts';

/** Concurrent requests, each with one hint. The local AWS demands a permission for batched sends that AWS does not have. */
const concurrentSends = 10;

/** A queue and its dead-letter queue. */
export const createDeliveryQueue = (
  sqs: SQSClient,
  urls: { readonly queue: () => string; readonly deadLetters: () => string },
): DeliveryQueue => ({
  hide: async (receiptHandle, seconds) => {
    await sqs.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: urls.queue(),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      }),
    );
  },
  setAside: async (text) => {
    await sqs.send(new SendMessageCommand({ QueueUrl: urls.deadLetters(), MessageBody: text }));
  },
});

/**
 * The hint queue on SQS. The URLs are functions, since a function that does not set hints aside has no URL of the dead-letter
 * queue.
 */
export const createHintQueue = (
  sqs: SQSClient,
  urls: { readonly hints: () => string; readonly deadLetters: () => string },
): HintQueue => ({
  ...createDeliveryQueue(sqs, { queue: urls.hints, deadLetters: urls.deadLetters }),
  send: async (hints) => {
    await inParallel(hints, concurrentSends, async (hint) => {
      await sqs.send(new SendMessageCommand({ QueueUrl: urls.hints(), MessageBody: JSON.stringify(hint) }));
    });
  },
});

/** Reads the dead-letter queue, and moves hints from it back into the hint queue. */
export const createDeadLetters = (
  sqs: SQSClient,
  urls: { readonly hints: string; readonly deadLetters: string },
): DeadLetters => ({
  count: async () => {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: urls.deadLetters, AttributeNames: ['ApproximateNumberOfMessages'] }),
    );
    return Number.parseInt(Attributes?.['ApproximateNumberOfMessages'] ?? '0', 10);
  },
  take: async () => {
    const { Messages } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: urls.deadLetters, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 }),
    );
    return (Messages ?? []).flatMap(({ Body, ReceiptHandle }) =>
      Body === undefined || ReceiptHandle === undefined ? [] : [{ text: Body, receiptHandle: ReceiptHandle }],
    );
  },
  putBack: async ({ text, receiptHandle }) => {
    await sqs.send(new SendMessageCommand({ QueueUrl: urls.hints, MessageBody: text }));
    await sqs.send(new DeleteMessageCommand({ QueueUrl: urls.deadLetters, ReceiptHandle: receiptHandle }));
  },
});
