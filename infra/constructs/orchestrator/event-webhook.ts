import type { EventBus } from 'aws-cdk-lib/aws-events';
import { EventField, Match, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { longestWaitSeconds } from '../../../functions/domain/settings.ts';
import { backgroundFunctions } from '../../function-table/background-functions.ts';
import type { NodeFunction } from '../node-function.ts';
import { allowReadingSecret } from '../read-secret.ts';
import type { DeadLetters } from '../retried-queue.ts';
import { retriedQueue } from '../retried-queue.ts';
import type { OrchestratorParts } from './orchestrator-function.ts';
import { orchestratorFunction } from './orchestrator-function.ts';

const { DeliverEvents } = backgroundFunctions;

export interface EventWebhookProps extends OrchestratorParts {
  readonly bus: EventBus;
  readonly webhook: { readonly url: string; readonly secretName: string; readonly waitsSeconds: readonly number[] };
}

/** Posts every event to a merchant's address, signed: see functions/events. */
export class EventWebhook extends Construct {
  readonly functions: readonly NodeFunction[];
  /** Events that the merchant accepted in none of the attempts or answered with 410, and unreadable ones. */
  readonly undelivered: DeadLetters;

  constructor(scope: Construct, id: string, { bus, webhook, ...parts }: EventWebhookProps) {
    super(scope, id);
    const { queue, deadLetters } = retriedQueue(this, {
      ids: ['Queue', 'Undelivered'],
      timeoutSeconds: DeliverEvents.timeoutSeconds,
      waitsSeconds: webhook.waitsSeconds,
      // A receiver's Retry-After lengthens a wait.
      longestWaitSeconds,
    });
    this.undelivered = deadLetters;
    new Rule(this, 'Events', {
      description: 'All events, for the merchant’s webhook',
      eventBus: bus,
      eventPattern: { source: Match.exactString('payout-orchestrator') },
      targets: [new SqsQueue(queue, { message: RuleTargetInput.fromEventPath(EventField.fromPath('$.detail')) })],
    });
    const deliver = orchestratorFunction(this, 'DeliverEvents', DeliverEvents, parts, {
      environment: {
        EVENT_WEBHOOK: JSON.stringify(webhook),
        EVENT_QUEUE_URL: queue.queueUrl,
        EVENT_DEAD_LETTER_QUEUE_URL: deadLetters.queue.queueUrl,
      },
    });
    allowReadingSecret(deliver, Secret.fromSecretNameV2(this, 'Secret', webhook.secretName));
    deliver.allow(['sqs:SendMessage'], [deadLetters.queue.queueArn]);
    deliver.addEventSource(
      new SqsEventSource(queue, { batchSize: 5, reportBatchItemFailures: true, maxConcurrency: 5 }),
    );
    this.functions = [deliver];
  }
}
