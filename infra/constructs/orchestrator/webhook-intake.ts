import { Duration } from 'aws-cdk-lib';
import { FilterCriteria } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { storedWebhookFilter } from '../../../functions/ledger/table/table.ts';
import { backgroundFunctions } from '../../function-table/background-functions.ts';
import { acknowledge } from '../acknowledge.ts';
import { lettersAndDigits } from '../generated-secret.ts';
import { removalPolicy } from '../lasting.ts';
import type { NodeFunction } from '../node-function.ts';
import { allowReadingSecret } from '../read-secret.ts';
import { openMethod } from '../rest-api.ts';
import type { DeadLetters } from '../retried-queue.ts';
import { retriedQueue } from '../retried-queue.ts';
import type { OperatorApi } from './operator-api.ts';
import { webhookPath } from './operator-api.ts';
import type { OrchestratorParts } from './orchestrator-function.ts';
import { orchestratorFunction } from './orchestrator-function.ts';

const { ReceiveWebhook, HandOnWebhook, ApplyWebhook, ReapplyWebhooks } = backgroundFunctions;

export interface WebhookIntakeProps extends OrchestratorParts {
  readonly api: OperatorApi;
  /** Name of the secret with the end of the webhook's address. */
  readonly secretName: string;
}

/**
 * Takes the provider's webhooks as hints. ReceiveWebhook stores the body and answers. HandOnWebhook moves it from the ledger's
 * stream to a queue. ApplyWebhook asks the provider about the payouts that the hint names. The stream guarantees that every stored
 * webhook is handed on. In the queue each hint waits, is retried and is set aside independently.
 */
export class WebhookIntake extends Construct {
  readonly functions: readonly NodeFunction[];
  /** Answers the provider. */
  readonly receive: NodeFunction;
  /** Puts the hints that were set aside back into the queue. */
  readonly reapply: NodeFunction;
  /** Reads the ledger's stream. */
  readonly queueHints: NodeFunction;
  /** Hints that failed in every attempt, were unreadable, or whose lookups the provider refused. */
  readonly unapplied: DeadLetters;

  constructor(scope: Construct, id: string, { api, secretName, ...parts }: WebhookIntakeProps) {
    super(scope, id);
    const { retryWaitsSeconds, lookupWindowSeconds } = parts.settings.webhooks;
    const { queue: hints, deadLetters } = retriedQueue(this, {
      ids: ['Hints', 'Unapplied'],
      timeoutSeconds: ApplyWebhook.timeoutSeconds,
      waitsSeconds: retryWaitsSeconds,
      longestWaitSeconds: Math.max(lookupWindowSeconds, ...retryWaitsSeconds),
      // What ReapplyWebhooks took and did not put back becomes visible after it has ended.
      deadLetters: { visibilityTimeout: Duration.seconds(ReapplyWebhooks.timeoutSeconds + 30) },
    });
    this.unapplied = deadLetters;
    const queueUrls = { HINT_QUEUE_URL: hints.queueUrl, DEAD_LETTER_QUEUE_URL: deadLetters.queue.queueUrl };

    const address = this.#addressSecret(secretName);
    this.receive = orchestratorFunction(this, 'ReceiveWebhook', ReceiveWebhook, parts, {
      environment: { WEBHOOK_SECRET_NAME: secretName },
    });
    allowReadingSecret(this.receive, address);
    openMethod(
      api.api.root.resourceForPath(webhookPath),
      'POST',
      this.receive,
      'The provider cannot sign as an IAM principal. The function checks the token, and the signature if one is configured.',
    );

    // Named HandOnWebhook since its first deployment. CloudFormation would replace a renamed function.
    this.queueHints = orchestratorFunction(this, 'HandOnWebhook', HandOnWebhook, parts, {
      environment: { HINT_QUEUE_URL: hints.queueUrl },
    });
    this.queueHints.allow(['sqs:SendMessage'], [hints.queueArn]);
    // No limit of retries: it fails only while the queue is unreachable, and the stream keeps its records for a day.
    parts.ledger.streamTo(this.queueHints, 'Stored', { filters: [FilterCriteria.filter(storedWebhookFilter)] });

    const apply = orchestratorFunction(this, 'ApplyWebhook', ApplyWebhook, parts, { environment: queueUrls });
    apply.allow(['sqs:SendMessage'], [deadLetters.queue.queueArn]);
    // The event source also lets it read the queue and change a message's visibility. Five concurrent runs limit how many requests a
    // flood of webhooks can cause.
    apply.addEventSource(new SqsEventSource(hints, { batchSize: 1, reportBatchItemFailures: true, maxConcurrency: 5 }));

    this.reapply = orchestratorFunction(this, 'ReapplyWebhooks', ReapplyWebhooks, parts, { environment: queueUrls });
    this.reapply.allow(['sqs:SendMessage'], [hints.queueArn]);
    this.reapply.allow(
      ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
      [deadLetters.queue.queueArn],
    );

    this.functions = [this.receive, this.queueHints, apply, this.reapply];
  }

  /** The secret end of the webhook's address, generated by AWS, and the signing secrets that a person may add. */
  #addressSecret(secretName: string): ISecret {
    const secret = new Secret(this, 'Address', {
      secretName,
      description: 'token: the end of the webhook address; secrets: up to two Standard Webhooks signing secrets',
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ secrets: [] }),
        generateStringKey: 'token',
        ...lettersAndDigits(40),
      },
      removalPolicy: removalPolicy(this),
    });
    acknowledge(
      secret,
      'AwsSolutions-SMG4',
      'The token is part of the address that the provider has. Only a person can change both.',
    );
    return Secret.fromSecretNameV2(this, 'AddressByName', secretName);
  }
}
