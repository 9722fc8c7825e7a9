import type { EventBus } from 'aws-cdk-lib/aws-events';
import { Match, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Alias } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { backgroundFunctions } from '../../function-table/background-functions.ts';
import type { NodeFunction } from '../node-function.ts';
import type { OrchestratorParts } from './orchestrator-function.ts';
import { orchestratorFunction } from './orchestrator-function.ts';

export interface PeopleNoticesProps extends OrchestratorParts {
  readonly bus: EventBus;
  readonly apiUrl: string;
  /** Subscribed to the topic. Its owner has to confirm once. */
  readonly email: string | undefined;
}

/** The topic with notices for people: a batch has ended, or waits for someone. See functions/events. */
export class PeopleNotices extends Construct {
  readonly topic: Topic;
  readonly functions: readonly NodeFunction[];

  constructor(scope: Construct, id: string, { bus, apiUrl, email, ...parts }: PeopleNoticesProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', {
      displayName: 'Payouts',
      // AWS's own key: everyone in the account who may publish may use it. That is one function.
      masterKey: Alias.fromAliasName(this, 'Key', 'alias/aws/sns'),
      enforceSSL: true,
    });
    if (email !== undefined) this.topic.addSubscription(new EmailSubscription(email));
    const notify = orchestratorFunction(this, 'NotifyPeople', backgroundFunctions.NotifyPeople, parts, {
      environment: { NOTICE_TOPIC_ARN: this.topic.topicArn, API_URL: apiUrl },
    });
    notify.allow(['sns:Publish'], [this.topic.topicArn]);
    new Rule(this, 'Batches', {
      description: 'News of batches, for people',
      eventBus: bus,
      eventPattern: { detailType: Match.prefix('batch.') },
      targets: [new LambdaFunction(notify)],
    });
    this.functions = [notify];
  }
}
