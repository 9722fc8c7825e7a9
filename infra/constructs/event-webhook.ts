import { Duration } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { EventField, Match, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { OrchestratorSettings } from '../../functions/domain/settings.ts';
import { acknowledge } from './acknowledge.ts';
import { NodeFunction } from './node-function.ts';
import { allowReadingSecret } from './read-secret.ts';
import { settingsEnvironment } from './settings-environment.ts';

export interface EventWebhookProps {
  readonly bus: EventBus;
  readonly settings: OrchestratorSettings;
  readonly webhook: { readonly url: string; readonly secretName: string; readonly waitsSeconds: readonly number[] };
}

/** The longest that SQS keeps anything. */
const retentionPeriod = Duration.days(14);

/** Seconds of one round: events are posted at once, and each has ten seconds. */
const deliverSeconds = 30;

/** Posts every event to a merchant's address, signed: see functions/events. */
export class EventWebhook extends Construct {
  readonly functions: ReadonlyMap<string, NodeFunction>;
  /** Events that were not taken in any of their tries. */
  readonly undelivered: Queue;

  constructor(scope: Construct, id: string, { bus, settings, webhook }: EventWebhookProps) {
    super(scope, id);
    const safe = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod };
    this.undelivered = new Queue(this, 'Undelivered', safe);
    acknowledge(this.undelivered, 'AwsSolutions-SQS3', 'This is the dead-letter queue itself.');
    const queue = new Queue(this, 'Queue', {
      ...safe,
      // For a try that broke off, six times the function's timeout, as Lambda asks for. After others the function sets the wait.
      visibilityTimeout: Duration.seconds(deliverSeconds * 6),
      deadLetterQueue: { queue: this.undelivered, maxReceiveCount: webhook.waitsSeconds.length + 1 },
    });
    new Rule(this, 'Events', {
      description: 'All events, for the merchant’s webhook',
      eventBus: bus,
      eventPattern: { source: Match.exactString('payout-orchestrator') },
      targets: [new SqsQueue(queue, { message: RuleTargetInput.fromEventPath(EventField.fromPath('$.detail')) })],
    });
    const deliver = new NodeFunction(this, 'DeliverEvents', {
      entry: 'functions/events/deliver-events.ts',
      description: 'Posts events to the merchant’s address',
      timeout: Duration.seconds(deliverSeconds),
      environment: {
        ...settingsEnvironment(settings),
        EVENT_WEBHOOK: JSON.stringify(webhook),
        EVENT_QUEUE_URL: queue.queueUrl,
        EVENT_ASIDE_QUEUE_URL: this.undelivered.queueUrl,
      },
    });
    allowReadingSecret(deliver, Secret.fromSecretNameV2(this, 'Secret', webhook.secretName));
    deliver.allow(['sqs:SendMessage'], [this.undelivered.queueArn]);
    deliver.addEventSource(
      new SqsEventSource(queue, { batchSize: 5, reportBatchItemFailures: true, maxConcurrency: 5 }),
    );
    this.functions = new Map([['DeliverEvents', deliver]]);
  }
}
