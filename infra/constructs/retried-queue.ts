import { Duration } from 'aws-cdk-lib';
import type { QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

/** The maximum of SQS. It covers the wait in both queues, because a message's age counts from its first queue. */
export const retentionPeriod = Duration.days(14);

/** A queue for messages that were set aside: after every attempt failed, or earlier by the reader. */
export interface DeadLetters {
  readonly queue: Queue;
  /** The longest time that attempts take before SQS moves a message there. It is then deleted that much earlier. */
  readonly longestAttempts: Duration;
}

interface RetriedQueue {
  /** Ids of the queue, and of the queue for messages that failed in every attempt. */
  readonly ids: readonly [queue: string, deadLetters: string];
  /** Timeout of the function that reads the queue. */
  readonly timeoutSeconds: number;
  /** Waits between attempts, so there is one attempt more. */
  readonly waitsSeconds: readonly number[];
  /** The longest that the reader may make one of these waits. */
  readonly longestWaitSeconds: number;
  readonly deadLetters?: Pick<QueueProps, 'visibilityTimeout'>;
}

/** A queue whose reader sets the wait before each retry, and the queue for messages that failed in every attempt. */
export const retriedQueue = (
  scope: Construct,
  {
    ids: [queueId, deadLettersId],
    timeoutSeconds,
    waitsSeconds,
    longestWaitSeconds,
    deadLetters: deadLettersProps,
  }: RetriedQueue,
): { readonly queue: Queue; readonly deadLetters: DeadLetters } => {
  const safe = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod };
  const deadLetters = new Queue(scope, deadLettersId, { ...safe, ...deadLettersProps });
  acknowledge(deadLetters, 'AwsSolutions-SQS3', 'This is the dead-letter queue itself.');
  const attempts = waitsSeconds.length + 1;
  // After an interrupted attempt: six times the function's timeout, as Lambda recommends.
  const hiddenSeconds = timeoutSeconds * 6;
  const queue = new Queue(scope, queueId, {
    ...safe,
    visibilityTimeout: Duration.seconds(hiddenSeconds),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: attempts },
  });
  const longestAttempts = Duration.seconds(attempts * hiddenSeconds + waitsSeconds.length * longestWaitSeconds);
  return { queue, deadLetters: { queue: deadLetters, longestAttempts } };
};
