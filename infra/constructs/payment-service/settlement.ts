import { Duration } from 'aws-cdk-lib';
import { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { NodeFunction } from '../node-function.ts';
import type { ServiceParts } from './service-functions.ts';
import { serviceFunction } from './service-functions.ts';

const timeout = Duration.seconds(60);

/** A queue of groups to look at when their time has come, and the function that looks. */
export class Settlement extends Construct {
  /** What could not be settled in any of its tries. */
  readonly unsettled: Queue;
  readonly #queue: Queue;

  constructor(scope: Construct, id: string, parts: ServiceParts) {
    super(scope, id);
    this.unsettled = new Queue(this, 'Unsettled', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(this.unsettled, 'AwsSolutions-SQS3', 'This is the dead-letter queue itself.');
    this.#queue = new Queue(this, 'Due', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // Six times the function's timeout, as Lambda asks for.
      visibilityTimeout: Duration.seconds(timeout.toSeconds() * 6),
      deadLetterQueue: { queue: this.unsettled, maxReceiveCount: 10 },
    });
    const worker = serviceFunction(this, 'SettleGroups', parts, {
      entry: 'handlers/settle-groups.ts',
      description:
        'Moves disbursements and deposits on when their time has come, and clears away what no POST finished',
      timeout,
      access: ['read', 'write', 'delete'],
      readsCredentials: false,
      environment: { SETTLEMENT_QUEUE_URL: this.#queue.queueUrl },
      // A group is sent on to the same queue until its last change is due: a chain of messages that ends by itself, but
      // after more than the 16 rounds at which Lambda takes it for a mistake.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    this.allowScheduling(worker);
    worker.addEventSource(
      new SqsEventSource(this.#queue, { batchSize: 5, reportBatchItemFailures: true, maxConcurrency: 10 }),
    );
  }

  get queueUrl(): string {
    return this.#queue.queueUrl;
  }

  allowScheduling(sender: NodeFunction): void {
    sender.allow(['sqs:SendMessage'], [this.#queue.queueArn]);
  }
}
