import type { SQSClient } from '@aws-sdk/client-sqs';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import type { AsideHints, Hint, HintQueue } from './domain/hint-queue-port.ts';

/** Entries of one SendMessageBatch: a limit of SQS. */
const batchEntries = 10;

/** A hint holds ten candidates of 128 characters at most, so ten hints stay far below the 256 KiB of a batch. */
const batchesOf = (hints: readonly Hint[]): readonly (readonly Hint[])[] =>
  Array.from({ length: Math.ceil(hints.length / batchEntries) }, (_, index) =>
    hints.slice(index * batchEntries, (index + 1) * batchEntries),
  );

/** The queues as SQS holds them. Where a function has no use for the aside queue, it is not told its address. */
export const createHintQueue = (
  sqs: SQSClient,
  urls: { readonly hints: () => string; readonly aside: () => string },
): HintQueue => ({
  send: async (hints) => {
    for (const batch of batchesOf(hints)) {
      const { Failed } = await sqs.send(
        new SendMessageBatchCommand({
          QueueUrl: urls.hints(),
          Entries: batch.map((hint, index) => ({ Id: `${index}`, MessageBody: JSON.stringify(hint) })),
        }),
      );
      if (Failed !== undefined && Failed.length > 0) throw new Error('hints_not_queued');
    }
  },
  hide: async (receiptHandle, seconds) => {
    await sqs.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: urls.hints(),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      }),
    );
  },
  setAside: async (text) => {
    await sqs.send(new SendMessageCommand({ QueueUrl: urls.aside(), MessageBody: text }));
  },
});

/** The dead-letter queue, and the way back from it. */
export const createAsideHints = (
  sqs: SQSClient,
  urls: { readonly hints: string; readonly aside: string },
): AsideHints => ({
  count: async () => {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: urls.aside, AttributeNames: ['ApproximateNumberOfMessages'] }),
    );
    return Number.parseInt(Attributes?.['ApproximateNumberOfMessages'] ?? '0', 10);
  },
  take: async () => {
    const { Messages } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: urls.aside, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 }),
    );
    return (Messages ?? []).flatMap(({ Body, ReceiptHandle }) =>
      Body === undefined || ReceiptHandle === undefined ? [] : [{ text: Body, receiptHandle: ReceiptHandle }],
    );
  },
  putBack: async ({ text, receiptHandle }) => {
    await sqs.send(new SendMessageCommand({ QueueUrl: urls.hints, MessageBody: text }));
    await sqs.send(new DeleteMessageCommand({ QueueUrl: urls.aside, ReceiptHandle: receiptHandle }));
  },
});
