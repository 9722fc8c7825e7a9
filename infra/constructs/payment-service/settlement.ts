import { Duration } from 'aws-cdk-lib';
import { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { NodeFunction } from '../node-function.ts';
import type { DeadLetters } from '../retried-queue.ts';
import { retentionPeriod } from '../retried-queue.ts';
import type { ServiceParts } from './service-functions.ts';
import { serviceFunction } from './service-functions.ts';

const timeout = Duration.seconds(60);

/** Six times the function's timeout, as Lambda recommends. */
const visibilityTimeout = Duration.seconds(timeout.toSeconds() * 6);

export const settlementAttempts = 10;

/** The queue of groups and deposits to settle at a later time, and the function that settles them. */
export class Settlement extends Construct {
  /** Messages that failed every attempt. */
  readonly unsettled: DeadLetters;
  readonly #queue: Queue;

  constructor(scope: Construct, id: string, parts: ServiceParts) {
    super(scope, id);
    const unsettled = new Queue(this, 'Unsettled', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod,
    });
    acknowledge(unsettled, 'AwsSolutions-SQS3', 'This is the dead-letter queue itself.');
    // Fifteen minutes are the longest delay of a message.
    const longestAttempts = Duration.minutes(15 + settlementAttempts * visibilityTimeout.toMinutes());
    this.unsettled = { queue: unsettled, longestAttempts };
    this.#queue = new Queue(this, 'Due', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout,
      deadLetterQueue: { queue: unsettled, maxReceiveCount: settlementAttempts },
    });
    const worker = serviceFunction(this, 'SettleGroups', parts, {
      entry: 'handlers/settle-groups.ts',
      description: 'Settles disbursements and deposits when they are due, and deletes leftovers of interrupted POSTs',
      timeout,
      access: ['read', 'write', 'delete'],
      // A group's message is sent to the same queue again until its last change is due. The chain ends by itself, but
      // can exceed the 16 rounds after which Lambda assumes a mistake.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    this.allowScheduling(worker);
    worker.addEventSource(
      new SqsEventSource(this.#queue, { batchSize: 5, reportBatchItemFailures: true, maxConcurrency: 10 }),
    );
  }

  allowScheduling(sender: NodeFunction): void {
    sender.addEnvironment('SETTLEMENT_QUEUE_URL', this.#queue.queueUrl);
    sender.allow(['sqs:SendMessage'], [this.#queue.queueArn]);
  }
}
