import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { InfraSettings } from '../settings.ts';
import { isLasting, removalPolicy } from './lasting.ts';

export type AlarmSettings = Pick<InfraSettings, 'alarmTopicArn' | 'alarmEmail'>;

/**
 * The topic for alarms when the settings give none. It has a separate key, because CloudWatch has to use it and must not use
 * the key of the payouts. AWS's own key for SNS would block alarms.
 */
class AlarmTopic extends Construct {
  readonly topic: Topic;

  /** @param email gets every alarm, once its owner has confirmed the subscription */
  constructor(scope: Construct, id: string, email: string | undefined) {
    super(scope, id);
    const key = new Key(this, 'Key', {
      description: `Alarms of ${Stack.of(this).stackName}`,
      enableKeyRotation: true,
      removalPolicy: removalPolicy(this),
    });
    this.topic = new Topic(this, 'Topic', { displayName: 'Payout alarms', masterKey: key, enforceSSL: true });
    const { account } = Stack.of(this);
    const alarms = Stack.of(this).formatArn({
      service: 'cloudwatch',
      resource: 'alarm',
      resourceName: '*',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    // Only alarms of this account and region: CloudWatch publishes for everyone who names the topic.
    const byAlarms = {
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      conditions: { StringEquals: { 'aws:SourceAccount': account }, ArnLike: { 'aws:SourceArn': alarms } },
    };
    this.topic.addToResourcePolicy(
      new PolicyStatement({ ...byAlarms, actions: ['sns:Publish'], resources: [this.topic.topicArn] }),
    );
    key.addToResourcePolicy(
      new PolicyStatement({ ...byAlarms, actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: ['*'] }),
    );
    if (email !== undefined) this.topic.addSubscription(new EmailSubscription(email));
  }
}

/** The given topic, or else one that the stack creates. A stage that keeps no data has none, unless an email is set. */
export const alarmTopicOf = (stack: Stack, { alarmTopicArn, alarmEmail }: AlarmSettings): ITopic | undefined => {
  if (alarmTopicArn !== undefined) return Topic.fromTopicArn(stack, 'GivenAlarmTopic', alarmTopicArn);
  if (!isLasting(stack) && alarmEmail === undefined) return undefined;
  return new AlarmTopic(stack, 'Alarms', alarmEmail).topic;
};
