import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AuthorizationType, LambdaIntegration } from 'aws-cdk-lib/aws-apigateway';
import { FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { OrchestratorSettings } from '../../functions/domain/settings.ts';
import { storedWebhookFilter } from '../../functions/ledger/table.ts';
import { acknowledge } from './acknowledge.ts';
import { lettersAndDigits } from './generated-secret.ts';
import { NodeFunction } from './node-function.ts';
import type { OperatorApi } from './operator-api.ts';
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
  readonly lasting: boolean;
}

/**
 * Takes the provider's webhooks as the hints they are: `receive` stores the body and answers, `apply` asks the provider
 * about the payout it names. The ledger's stream is between them, so nothing is lost when the provider is slow to ask.
 */
export class WebhookIntake extends Construct {
  readonly functions: ReadonlyMap<string, NodeFunction>;
  /** Webhooks that could not be applied in any of their tries. */
  readonly unapplied: Queue;
  readonly #address: ISecret;

  constructor(scope: Construct, id: string, props: WebhookIntakeProps) {
    super(scope, id);
    this.unapplied = new Queue(this, 'Unapplied', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(this.unapplied, 'AwsSolutions-SQS3', 'This is the dead-letter queue itself.');
    this.#address = this.#secret(props);
    const receive = this.#receive(props);
    const apply = this.#apply(props);
    this.functions = new Map([
      ['ReceiveWebhook', receive],
      ['ApplyWebhook', apply],
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
      removalPolicy: props.lasting ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
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
      timeout: Duration.seconds(10),
      environment: {
        LEDGER_TABLE: props.ledger.table.tableName,
        ...settingsEnvironment(props.settings),
        WEBHOOK_SECRET_NAME: props.secretName,
      },
    });
    props.ledger.allow(receive, ['put']);
    allowReadingSecret(receive, this.#address);
    const method = props.api.api.root
      .resourceForPath('/webhooks/{token}')
      .addMethod('POST', new LambdaIntegration(receive, { allowTestInvoke: false }), {
        authorizationType: AuthorizationType.NONE,
      });
    const reason =
      'The provider cannot sign as an IAM principal: the function checks the token and, when configured, the signature.';
    for (const id of ['AwsSolutions-APIG4', 'AwsSolutions-COG4']) acknowledge(method, id, reason);
    return receive;
  }

  #apply(props: WebhookIntakeProps): NodeFunction {
    const apply = new NodeFunction(this, 'ApplyWebhook', {
      entry: 'functions/webhooks/apply.ts',
      description: 'Asks the provider about the payout a webhook names, and records what it says',
      timeout: Duration.seconds(120),
      environment: {
        LEDGER_TABLE: props.ledger.table.tableName,
        ...settingsEnvironment(props.settings),
        ...props.provider.environment(['signing']),
      },
    });
    props.ledger.allow(apply, ['read', 'readIndexes', 'write']);
    props.provider.allow(apply, ['signing']);
    const stream = props.ledger.table.tableStreamArn;
    if (stream === undefined) throw new Error('The ledger has a stream');
    apply.allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], [stream]);
    apply.addEventSourceMapping('Stored', {
      eventSourceArn: stream,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 10,
      retryAttempts: 5,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      onFailure: new SqsDlq(this.unapplied),
      filters: [FilterCriteria.filter(storedWebhookFilter)],
    });
    return apply;
  }
}
