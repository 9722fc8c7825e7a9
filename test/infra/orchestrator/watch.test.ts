import { describe, expect, it } from 'vitest';
import { composed, resourcesOf } from '../../support/synthesized.ts';

const resources = resourcesOf(composed(), 'PayoutOrchestrator');
const ofType = (type: string) => resources.filter(({ Type }) => Type === type);

describe('a person is notified', () => {
  it('by a watch that runs every five minutes, or at the interval in the settings', () => {
    const woken = ofType('AWS::Events::Rule').filter(({ Properties }) => 'ScheduleExpression' in Properties);
    expect(woken.map(({ Properties }) => Properties)).toMatchObject([
      {
        ScheduleExpression: 'rate(5 minutes)',
        State: 'ENABLED',
        Targets: [{ Arn: { 'Fn::GetAtt': [expect.stringMatching(/^WatchWatchBatches/), 'Arn'] } }],
      },
      {
        ScheduleExpression: 'rate(15 minutes)',
        State: 'ENABLED',
        Targets: [{ Arn: { 'Fn::GetAtt': [expect.stringMatching(/^WatchReconcileBatches/), 'Arn'] } }],
      },
      {
        ScheduleExpression: 'rate(5 minutes)',
        State: 'ENABLED',
        Targets: [{ Arn: { 'Fn::GetAtt': [expect.stringMatching(/^EventsPublishOverdue/), 'Arn'] } }],
      },
    ]);
    const often = resourcesOf(composed({ watchMinutes: 1 }), 'PayoutOrchestrator');
    expect(often.map(({ Properties }) => Properties)).toContainEqual(
      expect.objectContaining({ ScheduleExpression: 'rate(1 minute)' }),
    );
  });

  it.each([
    ['BatchStuck', 'PayoutOrchestrator'],
    ['BatchWaits', 'PayoutOrchestrator'],
    ['PayoutsNotSubmitted', 'PayoutOrchestrator'],
    ['BatchNotReconciled', 'PayoutOrchestrator'],
    ['BatchFailed', 'PayoutOrchestrator'],
    ['PayoutsHeld', 'PayoutOrchestrator'],
    ['FeesBeyondEstimate', 'PayoutOrchestrator'],
    ['BatchHalted', 'PayoutOrchestrator'],
    ['PayoutQuarantined', 'PayoutOrchestrator'],
    ['PayoutChangedAfterEnd', 'PayoutOrchestrator'],
    ['ConversionUnknown', 'PayoutOrchestrator'],
    ['TreasuryLockStuck', 'PayoutOrchestrator'],
    ['ExecutionsFailed', 'AWS/States'],
    ['ExecutionsTimedOut', 'AWS/States'],
    ['ExecutionsAborted', 'AWS/States'],
  ])('by an alarm on the first %s of %s', (MetricName, Namespace) => {
    const alarms = ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
    expect(alarms).toContainEqual(
      expect.objectContaining({ MetricName, Namespace, Threshold: 1, EvaluationPeriods: 1, Statistic: 'Sum' }),
    );
  });
});

describe('the topic of alarms', () => {
  const stackOf = (settings: Readonly<Record<string, unknown>>) =>
    resourcesOf(composed(settings), 'PayoutOrchestrator');
  const actionsIn = (settings: Readonly<Record<string, unknown>>) =>
    new Set(
      stackOf(settings)
        .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
        .map(({ Properties }) => JSON.stringify(Properties['AlarmActions'])),
    );
  const given = 'arn:aws:sns:us-east-1:123456789012:ops';
  const local = { stage: 'local', localEndpoint: 'https://localhost:4566' };

  it('gets every alarm by default', () => {
    expect([...actionsIn({})]).toEqual([expect.stringMatching(/^\[\{"Ref":"AlarmsTopic\w+"\}\]$/)]);
  });

  it('can be an existing one; then no other is created', () => {
    expect([...actionsIn({ alarmTopicArn: given })]).toEqual([JSON.stringify([given])]);
    const made = stackOf({ alarmTopicArn: given }).filter(({ Type }) => Type === 'AWS::SNS::Topic');
    expect(made.map(({ logicalId }) => logicalId)).toEqual([expect.stringMatching(/^NoticesTopic/)]);
  });

  it('does not exist on the local AWS, unless an email is set', () => {
    expect([...actionsIn(local)]).toEqual([undefined]);
    expect([...actionsIn({ ...local, alarmEmail: 'ops@example.com' })]).toEqual([
      expect.stringContaining('AlarmsTopic'),
    ]);
  });

  it('notifies the email in the settings, if there is one', () => {
    const subscriptions = (settings: Readonly<Record<string, unknown>>) =>
      stackOf(settings).filter(({ Type }) => Type === 'AWS::SNS::Subscription');
    expect(subscriptions({})).toEqual([]);
    expect(subscriptions({ alarmEmail: 'ops@example.com' }).map(({ Properties }) => Properties)).toMatchObject([
      { Protocol: 'email', Endpoint: 'ops@example.com', TopicArn: { Ref: expect.stringMatching(/^AlarmsTopic/) } },
    ]);
  });

  it('has a separate key, and accepts only alarms of this account, with TLS', () => {
    const topic = ofType('AWS::SNS::Topic').find(({ logicalId }) => logicalId.startsWith('Alarms'));
    expect(topic?.Properties['KmsMasterKeyId']).toEqual({ 'Fn::GetAtt': [expect.stringMatching(/^AlarmsKey/), 'Arn'] });
    const policies = [...ofType('AWS::SNS::TopicPolicy'), ...ofType('AWS::KMS::Key')]
      .filter(({ logicalId }) => logicalId.startsWith('Alarms'))
      .map(({ Properties }) => JSON.stringify(Properties));
    expect(policies).toHaveLength(2);
    const byAlarms =
      '"Condition":{"StringEquals":{"aws:SourceAccount":{"Ref":"AWS::AccountId"}},"ArnLike":{"aws:SourceArn":';
    for (const policy of policies) {
      expect(policy).toContain(byAlarms);
      expect(policy.split('cloudwatch.amazonaws.com')).toHaveLength(2);
    }
    expect(policies.join()).toContain(
      '"Action":"sns:Publish","Condition":{"Bool":{"aws:SecureTransport":"false"}},"Effect":"Deny"',
    );
    expect(policies.join()).toContain('"Action":["kms:Decrypt","kms:GenerateDataKey"]');
  });
});
