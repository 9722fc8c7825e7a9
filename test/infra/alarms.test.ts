import { describe, expect, it } from 'vitest';
import { composed, resourcesOf } from '../support/synthesized.ts';

const settings = { eventWebhook: { url: 'https://merchant.example/hooks', secretName: 'merchant/events' } };
const resources = resourcesOf(composed(settings), 'PayoutOrchestrator');
const service = resourcesOf(composed(), 'PaymentService');
const alarmsOf = (stack: typeof resources) =>
  new Map(
    stack
      .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
      .map(({ logicalId, Properties }) => [logicalId.replace(/^Monitoring(.*)[0-9A-F]{8}$/, '$1'), Properties]),
  );
const alarms = alarmsOf(resources);
const errorsToldOf = [...alarms.keys()].flatMap((name) => /^(\w+)Errors$/.exec(name)?.[1] ?? []);

/** Functions by their construct. */
const functionsIn = (construct: string) =>
  resources.flatMap(({ Type, logicalId }) =>
    Type === 'AWS::Lambda::Function' && logicalId.startsWith(construct)
      ? [logicalId.slice(construct.length).replace(/[0-9A-F]{8}$/, '')]
      : [],
  );

describe('the alarms', () => {
  it('cover the errors of each function that neither the API nor a failed execution shows', () => {
    const all = resources.filter(({ Type }) => Type === 'AWS::Lambda::Function').length;
    const behindApi = [...functionsIn('OperatorApi'), ...functionsIn('Console'), 'ReceiveWebhook'];
    const caught = functionsIn('BatchWorkflow').filter((name) => name !== 'SubmitChunk');
    expect(errorsToldOf).toHaveLength(all - behindApi.length - caught.length);
    expect(errorsToldOf).toEqual(
      expect.arrayContaining(['SubmitChunk', 'ApplyWebhook', 'PublishNews', 'DeliverEvents']),
    );
    expect(errorsToldOf.filter((name) => [...behindApi, ...caught].includes(name))).toEqual([]);
  });

  it.each([
    ['ApiFailed', 'AWS/ApiGateway', '5XXError'],
    ['FunctionsThrottled', 'AWS/Lambda', 'Throttles'],
    ['EventsLate', 'AWS/Lambda', 'IteratorAge'],
    ['WebhooksLate', 'AWS/Lambda', 'IteratorAge'],
  ])('have %s watch %s %s', (name, Namespace, MetricName) => {
    expect(alarms.get(name)).toMatchObject({ Namespace, MetricName });
  });

  it('cover throttling in the whole account, because its functions share one limit', () => {
    expect(alarms.get('FunctionsThrottled')).not.toHaveProperty('Dimensions');
  });

  it.each([
    ['WebhookNotApplied', alarms],
    ['EventNotDelivered', alarms],
    ['NotSettled', alarmsOf(service)],
    ['WebhookNotDelivered', alarmsOf(service)],
  ])('repeat %s before the queue deletes the message', (name, among) => {
    const { MetricName, Threshold, Dimensions } = among.get(`${name}NearlyLost`) ?? {};
    expect(MetricName).toBe('ApproximateAgeOfOldestMessage');
    expect(Dimensions).toEqual(among.get(name)?.['Dimensions']);
    const kept = [...resources, ...service]
      .filter(({ Type }) => Type === 'AWS::SQS::Queue')
      .map(({ Properties }) => Properties['MessageRetentionPeriod'])
      .filter((seconds) => seconds !== undefined);
    expect(Threshold).toBeLessThan(Math.min(...kept.map(Number)));
  });

  it('cover throttled reads and writes of each table', () => {
    for (const [name, among] of [['Ledger', alarms] as const, ['Table', alarmsOf(service)] as const]) {
      expect(among.get(`${name}ReadsThrottled`)?.['MetricName']).toBe('ReadThrottleEvents');
      expect(among.get(`${name}WritesThrottled`)?.['MetricName']).toBe('WriteThrottleEvents');
    }
  });
});

describe('the payment service', () => {
  it('notifies its own topic, or the given one', () => {
    const topics = (given: object) =>
      new Set(
        [...alarmsOf(resourcesOf(composed({ ...given }), 'PaymentService')).values()].map((one) =>
          JSON.stringify(one['AlarmActions']),
        ),
      );
    expect([...topics({})]).toEqual([expect.stringMatching(/^\[\{"Ref":"AlarmsTopic\w+"\}\]$/)]);
    const alarmTopicArn = 'arn:aws:sns:us-east-1:123456789012:ops';
    expect([...topics({ alarmTopicArn })]).toEqual([JSON.stringify([alarmTopicArn])]);
  });

  it('has an alarm for 5xx responses, unless it is a sandbox, which returns them on request', () => {
    const hasAlarm = (sandbox: boolean) =>
      alarmsOf(resourcesOf(composed({ paymentService: JSON.stringify({ sandbox }) }), 'PaymentService')).has(
        'ApiFailed',
      );
    expect([hasAlarm(true), hasAlarm(false)]).toEqual([false, true]);
  });
});
