import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { longestWaitSeconds } from '../../../functions/payment-service/settings.ts';
import type { NodeFunction } from '../node-function.ts';
import type { DeadLetters } from '../retried-queue.ts';
import { retriedQueue } from '../retried-queue.ts';
import type { ServiceParts } from './service-functions.ts';
import { serviceFunction } from './service-functions.ts';
import { countFaults } from './service-table.ts';

/** An attempt takes at most 30 s. The rest is for the queue and the log. */
const timeoutSeconds = 45;

/** Carries a change in the table to the merchant as a webhook: stream, queue, delivery and dead-letter queue. */
export class WebhookDelivery extends Construct {
  /** The functions that a merchant's dashboard would call. */
  readonly register: NodeFunction;
  readonly listDeliveries: NodeFunction;
  /** Reads the table's stream. */
  readonly announce: NodeFunction;
  readonly queueArn: string;
  /** Webhooks that were given up or could not be read. */
  readonly undelivered: DeadLetters;

  constructor(scope: Construct, id: string, parts: ServiceParts) {
    super(scope, id);
    const { queue, deadLetters } = retriedQueue(this, {
      ids: ['Webhooks', 'Undelivered'],
      timeoutSeconds,
      // The function sets aside webhooks that it gives up. SQS sets aside those whose last attempt was interrupted.
      waitsSeconds: parts.settings.webhooks.waitsSeconds,
      // A receiver's Retry-After lengthens a wait.
      longestWaitSeconds,
    });
    this.queueArn = queue.queueArn;
    this.undelivered = deadLetters;
    this.announce = this.#announce(parts, queue);
    this.#deliver(parts, queue);
    this.register = serviceFunction(this, 'RegisterWebhook', parts, {
      entry: 'handlers/register-webhook.ts',
      description: 'Registers a merchant’s webhook address, as its dashboard would: {"url": "https://…"}',
      timeout: Duration.seconds(15),
      memoryMb: 512,
      access: ['registerWebhooks'],
    });
    this.listDeliveries = serviceFunction(this, 'ListWebhookDeliveries', parts, {
      entry: 'handlers/list-webhook-deliveries.ts',
      description: 'Lists delivery attempts of webhooks, newest first: {"limit": 50, "webhookId": "…"}',
      timeout: Duration.seconds(30),
      memoryMb: 512,
      access: ['query'],
    });
  }

  #announce(parts: ServiceParts, queue: Queue): NodeFunction {
    const announce = serviceFunction(this, 'AnnounceChanges', parts, {
      entry: 'handlers/announce-changes.ts',
      description: 'Moves announced changes from the table’s stream to the webhook queue',
      timeout: Duration.seconds(30),
      memoryMb: 512,
      // A sandbox counts strikes of faults.
      access: ['get', ...(parts.settings.sandbox ? countFaults : [])],
      environment: { WEBHOOK_QUEUE_URL: queue.queueUrl, UNDELIVERED_QUEUE_URL: this.undelivered.queue.queueUrl },
    });
    announce.allow(['sqs:SendMessage'], [queue.queueArn, this.undelivered.queue.queueArn]);
    const stream = parts.table.table.tableStreamArn;
    if (stream === undefined) throw new Error('The table has no stream');
    announce.allowStream(stream);
    announce.addEventSourceMapping('Announced', {
      eventSourceArn: stream,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // No limit of retries, and no destination, which would get the number of a record instead of its text. The function
      // fails only while a queue or the table is unreachable, and the stream keeps its records for a day.
      bisectBatchOnError: true,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('MODIFY'),
          dynamodb: { NewImage: { announce: { S: FilterRule.exists() } } },
        }),
      ],
    });
    return announce;
  }

  #deliver(parts: ServiceParts, queue: Queue): void {
    const deliver = serviceFunction(this, 'DeliverWebhooks', parts, {
      entry: 'handlers/deliver-webhooks.ts',
      description: 'Signs webhooks, posts them to the merchant and logs each attempt',
      timeout: Duration.seconds(timeoutSeconds),
      memoryMb: 512,
      access: ['get', 'logDeliveries'],
      readsCredentials: true,
      environment: { WEBHOOK_QUEUE_URL: queue.queueUrl, UNDELIVERED_QUEUE_URL: this.undelivered.queue.queueUrl },
    });
    deliver.allow(['sqs:SendMessage'], [this.undelivered.queue.queueArn]);
    // The event source grants its consumer's queue actions, including changing a message's visibility.
    deliver.addEventSource(
      new SqsEventSource(queue, { batchSize: 10, reportBatchItemFailures: true, maxConcurrency: 5 }),
    );
  }
}
