import { Duration } from 'aws-cdk-lib';
import { AuthorizationType, LambdaIntegration } from 'aws-cdk-lib/aws-apigateway';
import { FilterCriteria } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { OrchestratorSettings } from '../../functions/domain/settings.ts';
import { storedWebhookFilter } from '../../functions/ledger/table.ts';
import { acknowledge } from './acknowledge.ts';
import { lettersAndDigits } from './generated-secret.ts';
import { removalPolicy } from './lasting.ts';
import { NodeFunction } from './node-function.ts';
import type { OperatorApi } from './operator-api.ts';
import { webhookPath } from './operator-api.ts';
import type { PayoutLedger } from './payout-ledger.ts';
import type { ProviderAccess } from './provider-access.ts';
import { allowReadingSecret } from './read-secret.ts';
import { settingsEnvironment } from './settings-environment.ts';

export interface WebhookIntakeProps {
  readonly api: OperatorApi;
  readonly ledger: PayoutLedger;
  readonly provider: ProviderAccess;
  readonly settings: OrchestratorSettings;
  /** Name the secret of the webhook address gets. */
  readonly secretName: string;
}

/** The longest that SQS keeps anything. A hint's age counts from its first queue on. */
const retentionPeriod = Duration.days(14);

/** A hint names ten payouts at most, and each look-up may take the HTTP timeout, 30 s at most by the settings. */
const applyTimeout = Duration.seconds(330);

/** Senders wait ten seconds or more for an answer (this repository's payment service waits ten). */
const receiveTimeout = Duration.seconds(8);

/**
 * Takes the provider's webhooks as the hints they are: `receive` stores the body and answers, `hand-on` takes what the
 * ledger's stream says arrived to a queue, `apply` asks the provider about the payouts a hint names. The stream makes
 * sure that what was answered is handed on; in the queue each hint waits, is tried again and is set aside by itself.
 */
export class WebhookIntake extends Construct {
  readonly functions: ReadonlyMap<string, NodeFunction>;
  /** Puts the hints that were set aside back into the queue. */
  readonly reapply: NodeFunction;
  /** Reads the ledger's stream. */
  readonly handOn: NodeFunction;
  /** Hints that could not be applied in any of their tries. */
  readonly unapplied: Queue;
  readonly #hints: Queue;
  readonly #address: ISecret;

  constructor(scope: Construct, id: string, props: WebhookIntakeProps) {
    super(scope, id);
    this.unapplied = new Queue(this, 'Unapplied', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod,
      // What the command took and did not put back shows again after this: it is done within a minute.
      visibilityTimeout: Duration.minutes(2),
    });
    acknowledge(this.unapplied, 'AwsSolutions-SQS3', 'This is the dead-letter queue itself.');
    this.#hints = new Queue(this, 'Hints', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod,
      // For a try that broke off, six times the function's timeout, as Lambda asks for. After others the function sets the wait.
      visibilityTimeout: Duration.seconds(applyTimeout.toSeconds() * 6),
      deadLetterQueue: {
        queue: this.unapplied,
        maxReceiveCount: props.settings.webhooks.retryWaitsSeconds.length + 1,
      },
    });
    this.#address = this.#secret(props);
    this.reapply = this.#reapply(props);
    this.handOn = this.#handOn(props);
    this.functions = new Map([
      ['ReceiveWebhook', this.#receive(props)],
      ['HandOnWebhook', this.handOn],
      ['ApplyWebhook', this.#apply(props)],
      ['ReapplyWebhooks', this.reapply],
    ]);
  }

  /** The unguessable end of the webhook's address, made by AWS, and the signing secrets a person may add. */
  #secret(props: WebhookIntakeProps): ISecret {
    const secret = new Secret(this, 'Address', {
      secretName: props.secretName,
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
      'The token is part of the address that is registered with the provider: changing it is a person’s doing, at both ends.',
    );
    return Secret.fromSecretNameV2(this, 'AddressByName', props.secretName);
  }

  #receive(props: WebhookIntakeProps): NodeFunction {
    const receive = new NodeFunction(this, 'ReceiveWebhook', {
      entry: 'functions/webhooks/receive.ts',
      description: 'POST /webhooks/{token}: stores a webhook once and answers',
      timeout: receiveTimeout,
      environment: {
        LEDGER_TABLE: props.ledger.table.tableName,
        ...settingsEnvironment(props.settings),
        WEBHOOK_SECRET_NAME: props.secretName,
      },
    });
    props.ledger.allow(receive, ['put', 'update']);
    allowReadingSecret(receive, this.#address);
    const method = props.api.api.root
      .resourceForPath(webhookPath)
      .addMethod('POST', new LambdaIntegration(receive, { allowTestInvoke: false }), {
        authorizationType: AuthorizationType.NONE,
      });
    const reason =
      'The provider cannot sign as an IAM principal: the function checks the token and, when configured, the signature.';
    for (const id of ['AwsSolutions-APIG4', 'AwsSolutions-COG4']) acknowledge(method, id, reason);
    return receive;
  }

  #handOn(props: WebhookIntakeProps): NodeFunction {
    const handOn = new NodeFunction(this, 'HandOnWebhook', {
      entry: 'functions/webhooks/hand-on.ts',
      description: 'Takes webhooks that arrived from the ledger’s stream to the queue of hints',
      timeout: Duration.seconds(30),
      environment: { ...settingsEnvironment(props.settings), HINT_QUEUE_URL: this.#hints.queueUrl },
    });
    handOn.allow(['sqs:SendMessage'], [this.#hints.queueArn]);
    // Without a number of tries: it fails only while the queue cannot be reached, and the stream keeps its records for a day.
    props.ledger.streamTo(handOn, 'Stored', { filters: [FilterCriteria.filter(storedWebhookFilter)] });
    return handOn;
  }

  #apply(props: WebhookIntakeProps): NodeFunction {
    const apply = new NodeFunction(this, 'ApplyWebhook', {
      entry: 'functions/webhooks/apply.ts',
      description: 'Asks the provider about the payouts a webhook names, and records what it says',
      timeout: applyTimeout,
      environment: {
        LEDGER_TABLE: props.ledger.table.tableName,
        ...settingsEnvironment(props.settings),
        ...props.provider.environment(['signing']),
        HINT_QUEUE_URL: this.#hints.queueUrl,
        ASIDE_QUEUE_URL: this.unapplied.queueUrl,
      },
    });
    props.ledger.allow(apply, ['read', 'write']);
    props.provider.allow(apply, ['signing']);
    apply.allow(['sqs:SendMessage'], [this.unapplied.queueArn]);
    // The event source allows what its consumer does with the queue, changing a message's visibility included. Five at once:
    // what a flood can ask of the provider is bounded however many payouts it names.
    apply.addEventSource(
      new SqsEventSource(this.#hints, { batchSize: 1, reportBatchItemFailures: true, maxConcurrency: 5 }),
    );
    return apply;
  }

  #reapply(props: WebhookIntakeProps): NodeFunction {
    const reapply = new NodeFunction(this, 'ReapplyWebhooks', {
      entry: 'functions/webhooks/reapply.ts',
      description: 'Puts webhooks that could not be applied back into their queue: invoke it with {}',
      timeout: Duration.seconds(90),
      environment: {
        ...settingsEnvironment(props.settings),
        HINT_QUEUE_URL: this.#hints.queueUrl,
        ASIDE_QUEUE_URL: this.unapplied.queueUrl,
      },
    });
    reapply.allow(['sqs:SendMessage'], [this.#hints.queueArn]);
    reapply.allow(['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'], [this.unapplied.queueArn]);
    return reapply;
  }
}
