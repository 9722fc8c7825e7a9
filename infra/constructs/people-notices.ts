import { Duration } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { Match, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Alias } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { OrchestratorSettings } from '../../functions/domain/settings.ts';
import { NodeFunction } from './node-function.ts';
import type { PayoutLedger } from './payout-ledger.ts';
import { settingsEnvironment } from './settings-environment.ts';

export interface PeopleNoticesProps {
  readonly bus: EventBus;
  readonly ledger: PayoutLedger;
  readonly settings: OrchestratorSettings;
  readonly apiUrl: string;
  /** Subscribed to the topic; who reads it confirms once. */
  readonly email: string | undefined;
}

/** A topic that tells people in words when a batch has ended, or waits for one of them: see functions/events. */
export class PeopleNotices extends Construct {
  readonly topic: Topic;
  readonly functions: ReadonlyMap<string, NodeFunction>;

  constructor(scope: Construct, id: string, props: PeopleNoticesProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', {
      displayName: 'Payouts',
      // Its key lets everybody of the account use it who may publish: that is one function.
      masterKey: Alias.fromAliasName(this, 'Key', 'alias/aws/sns'),
      enforceSSL: true,
    });
    if (props.email !== undefined) this.topic.addSubscription(new EmailSubscription(props.email));
    this.functions = new Map([['TellPeople', this.#tellPeople(props)]]);
  }

  #tellPeople({ bus, ledger, settings, apiUrl }: PeopleNoticesProps): NodeFunction {
    const tell = new NodeFunction(this, 'TellPeople', {
      entry: 'functions/events/tell-people.ts',
      description: 'Words what people want to know of a batch',
      timeout: Duration.seconds(60),
      environment: {
        LEDGER_TABLE: ledger.table.tableName,
        NOTICE_TOPIC_ARN: this.topic.topicArn,
        API_URL: apiUrl,
        ...settingsEnvironment(settings),
      },
    });
    ledger.allow(tell, ['read']);
    tell.allow(['sns:Publish'], [this.topic.topicArn]);
    new Rule(this, 'Batches', {
      description: 'What batches come to, for people',
      eventBus: bus,
      eventPattern: { detailType: Match.prefix('batch.') },
      targets: [new LambdaFunction(tell)],
    });
    return tell;
  }
}
