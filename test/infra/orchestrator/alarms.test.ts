import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ledgerTable } from '../../../functions/ledger/table/table.ts';
import { composed, resourcesOf } from '../../support/synthesized.ts';

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

  // SQS counts a message's 14 days from its first queue, and the metric its age from its move to the dead-letter queue.
  const twenty = (seconds: number) => Array.from({ length: 20 }, () => seconds);
  describe.each([
    ['by default', settings, { hints: [11, 3600], events: [8, 42_600], webhooks: [8, 43_000] }],
    [
      'with the longest waits',
      {
        eventWebhook: { ...settings.eventWebhook, waitsSeconds: twenty(42_600) },
        orchestrator: { webhooks: { retryWaitsSeconds: twenty(42_600) } },
        paymentService: { webhooks: { waitsSeconds: twenty(43_000) } },
      },
      { hints: [20, 42_600], events: [20, 42_600], webhooks: [20, 43_000] },
    ],
    [
      'with waits shorter than the window of a lookup',
      { ...settings, orchestrator: { webhooks: { lookupWindowSeconds: 30, retryWaitsSeconds: [20, 20] } } },
      { hints: [2, 30], events: [8, 42_600], webhooks: [8, 43_000] },
    ],
  ])('%s', (_, given, { hints, events, webhooks }) => {
    const app = composed(given);
    const ours = alarmsOf(resourcesOf(app, 'PayoutOrchestrator'));
    const theirs = alarmsOf(resourcesOf(app, 'PaymentService'));
    const longest = ([waits = 0, wait = 0]: readonly number[], attempt: number) => waits * wait + (waits + 1) * attempt;

    it.each([
      ['WebhookNotApplied', ours, longest(hints, 6 * 330)],
      ['EventNotDelivered', ours, longest(events, 6 * 30)],
      ['NotSettled', theirs, 900 + 10 * 360],
      ['WebhookNotDelivered', theirs, longest(webhooks, 6 * 45)],
    ])('repeat %s three days before SQS may delete a message', (name, among, attemptsTake) => {
      const { MetricName, Threshold, Dimensions } = among.get(`${name}NearlyLost`) ?? {};
      expect(MetricName).toBe('ApproximateAgeOfOldestMessage');
      expect(Dimensions).toEqual(among.get(name)?.['Dimensions']);
      expect(Number(Threshold) + attemptsTake).toBe((14 - 3) * 86_400);
      expect(Threshold).toBeGreaterThan(0);
    });
  });

  it('cover throttled reads and writes of each table', () => {
    for (const [name, among] of [['Ledger', alarms] as const, ['Table', alarmsOf(service)] as const]) {
      expect(among.get(`${name}ReadsThrottled`)?.['MetricName']).toBe('ReadThrottleEvents');
      expect(among.get(`${name}WritesThrottled`)?.['MetricName']).toBe('WriteThrottleEvents');
    }
  });

  it('cover throttled writes of each of the ledger’s indexes, which the table’s metric leaves out', () => {
    const watched = ['BatchesByDay', 'Open', 'PayoutsByDestination'].map((index) => {
      const { MetricName, Dimensions } = alarms.get(`Ledger${index}WritesThrottled`) ?? {};
      const names = z.array(z.object({ Name: z.string(), Value: z.unknown() })).parse(Dimensions);
      return [MetricName, names.find(({ Name }) => Name === 'GlobalSecondaryIndexName')?.Value];
    });
    expect(watched).toEqual(Object.values(ledgerTable.indexes).map(({ name }) => ['WriteThrottleEvents', name]));
  });
});

describe('functions that run by the clock', () => {
  it.each([
    [
      {},
      { WatchBatches: 3600, ReconcileBatches: 3600, PublishOverdue: 3600 },
      { BatchWaits: 300, BatchNotReconciled: 900 },
    ],
    [
      { watchMinutes: 42 },
      { WatchBatches: 5040, ReconcileBatches: 3600, PublishOverdue: 5040 },
      { BatchWaits: 2700, BatchNotReconciled: 900 },
    ],
  ])('are missed in time, and repeat no mail while an alarm lasts, with %j', (given, missedAfter, periods) => {
    const among = alarmsOf(resourcesOf(composed(given), 'PayoutOrchestrator'));
    for (const [name, Period] of Object.entries(missedAfter))
      expect(among.get(`${name}NotRunning`)).toMatchObject({
        MetricName: 'Invocations',
        Dimensions: [{ Value: { Ref: expect.stringContaining(name) } }],
        Period,
        Threshold: 1,
        ComparisonOperator: 'LessThanThreshold',
        TreatMissingData: 'breaching',
      });
    for (const [name, Period] of Object.entries(periods)) expect(among.get(name)).toMatchObject({ Period });
  });

  it('each have an alarm for when they do not run', () => {
    const targets = resources.flatMap(({ Type, Properties }) =>
      Type === 'AWS::Events::Rule' && 'ScheduleExpression' in Properties ? [JSON.stringify(Properties['Targets'])] : [],
    );
    const missed = [...alarms.keys()].flatMap((name) => /^(\w+)NotRunning$/.exec(name)?.[1] ?? []);
    expect(missed).toHaveLength(targets.length);
    for (const name of missed) expect(targets.join()).toContain(name);
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
