import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { NodeFunction } from '../node-function.ts';
import type { ServiceParts } from './service-functions.ts';
import { serviceFunction } from './service-functions.ts';

const timeout = Duration.seconds(45);

/** From a change in the table to a webhook at the merchant: stream, queue, delivery, and what became of the rest. */
export class WebhookDelivery extends Construct {
  /** What the merchant's dashboard would call. */
  readonly register: NodeFunction;

  constructor(scope: Construct, id: string, parts: ServiceParts) {
    super(scope, id);
    const undelivered = new Queue(this, 'Undelivered', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(undelivered, 'AwsSolutions-SQS3', 'This is the dead-letter queue itself.');
    const { attempts, retrySeconds } = parts.settings.webhooks;
    const queue = new Queue(this, 'Webhooks', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // A webhook that was not taken comes back after this long.
      visibilityTimeout: Duration.seconds(Math.max(retrySeconds, timeout.toSeconds())),
      deadLetterQueue: { queue: undelivered, maxReceiveCount: attempts },
    });
    this.#announce(parts, queue, undelivered);
    const deliver = serviceFunction(this, 'DeliverWebhooks', parts, {
      entry: 'handlers/deliver-webhooks.ts',
      description: 'Signs webhooks and posts them to the merchant',
      timeout,
      memoryMb: 512,
      access: ['read'],
      readsCredentials: true,
    });
    deliver.addEventSource(
      new SqsEventSource(queue, { batchSize: 10, reportBatchItemFailures: true, maxConcurrency: 5 }),
    );
    this.register = serviceFunction(this, 'RegisterWebhook', parts, {
      entry: 'handlers/register-webhook.ts',
      description:
        'Registers the address webhooks are sent to, as the merchant’s dashboard would: {"url": "https://…"}',
      timeout: Duration.seconds(15),
      memoryMb: 512,
      access: ['write'],
      readsCredentials: false,
    });
  }

  #announce(parts: ServiceParts, queue: Queue, undelivered: Queue): void {
    const announce = serviceFunction(this, 'AnnounceChanges', parts, {
      entry: 'handlers/announce-changes.ts',
      description: 'Takes announced changes from the table’s stream to the webhook queue',
      timeout: Duration.seconds(30),
      memoryMb: 512,
      access: ['read'],
      readsCredentials: false,
      environment: { WEBHOOK_QUEUE_URL: queue.queueUrl },
    });
    announce.allow(['sqs:SendMessage'], [queue.queueArn]);
    const stream = parts.table.table.tableStreamArn;
    if (stream === undefined) throw new Error('The table has a stream');
    announce.allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], [stream]);
    announce.addEventSourceMapping('Announced', {
      eventSourceArn: stream,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      retryAttempts: 10,
      bisectBatchOnError: true,
      onFailure: new SqsDlq(undelivered),
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('MODIFY'),
          dynamodb: { NewImage: { announce: { S: FilterRule.exists() } } },
        }),
      ],
    });
  }
}
