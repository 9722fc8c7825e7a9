import { Duration } from 'aws-cdk-lib';
import type { QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

/** The maximum of SQS. It covers the wait in both queues, because a message's age counts from its first queue. */
const retentionPeriod = Duration.days(14);

interface RetriedQueue {
  /** Ids of the queue, and of the queue for messages that failed in every attempt. */
  readonly ids: readonly [queue: string, deadLetters: string];
  /** Timeout of the function that reads the queue. */
  readonly timeoutSeconds: number;
  /** Waits between attempts, so there is one attempt more. */
  readonly waitsSeconds: readonly number[];
  readonly deadLetters?: Pick<QueueProps, 'visibilityTimeout'>;
}

/** A queue whose reader sets the wait before each retry, and the queue for messages that failed in every attempt. */
export const retriedQueue = (
  scope: Construct,
  { ids: [queueId, deadLettersId], timeoutSeconds, waitsSeconds, deadLetters: deadLettersProps }: RetriedQueue,
): { readonly queue: Queue; readonly deadLetters: Queue } => {
  const safe = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod };
  const deadLetters = new Queue(scope, deadLettersId, { ...safe, ...deadLettersProps });
  acknowledge(deadLetters, 'AwsSolutions-SQS3', 'This is the dead-letter queue itself.');
  const queue = new Queue(scope, queueId, {
    ...safe,
    // After an interrupted attempt: six times the function's timeout, as Lambda recommends.
    visibilityTimeout: Duration.seconds(timeoutSeconds * 6),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: waitsSeconds.length + 1 },
  });
  return { queue, deadLetters };
};
