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

interface AlarmTopicProps {
  /** Hears of every alarm once who reads it has confirmed the subscription. */
  readonly email?: string;
}

/**
 * Where alarms are told when no topic is given. It has a key of its own: CloudWatch must be let use it, and has no business
 * with the key of the payouts. The key that AWS manages for SNS lets no alarm through.
 */
class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { email }: AlarmTopicProps) {
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
    /** Alarms of this account and region, and nobody else's: CloudWatch acts for whoever names the topic. */
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

/** The topic that is given, else one of the stack's own. What keeps nothing may do without. */
export const alarmTopicOf = (stack: Stack, { alarmTopicArn, alarmEmail }: AlarmSettings): ITopic | undefined => {
  if (alarmTopicArn !== undefined) return Topic.fromTopicArn(stack, 'GivenAlarmTopic', alarmTopicArn);
  if (!isLasting(stack) && alarmEmail === undefined) return undefined;
  const email = alarmEmail === undefined ? {} : { email: alarmEmail };
  return new AlarmTopic(stack, 'Alarms', email).topic;
};
