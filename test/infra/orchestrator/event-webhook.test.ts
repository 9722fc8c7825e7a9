import { describe, expect, it } from 'vitest';
import { composed, resourcesOf } from '../../support/synthesized.ts';

const eventWebhook = { url: 'https://merchant.example/hooks', secretName: 'merchant/events', waitsSeconds: [5, 60] };
const resources = resourcesOf(composed({ eventWebhook }), 'PayoutOrchestrator');
const named = (name: RegExp) => resources.filter(({ logicalId }) => name.test(logicalId));

describe('the merchant’s webhook', () => {
  it('exists only if it is set', () => {
    const without = resourcesOf(composed(), 'PayoutOrchestrator');
    expect(without.filter(({ logicalId }) => logicalId.startsWith('EventWebhook'))).toEqual([]);
  });

  it('gets every event of the stack’s bus, without its envelope', () => {
    expect(named(/^EventWebhookEvents/).map(({ Properties }) => Properties)).toMatchObject([
      {
        EventBusName: { Ref: expect.stringMatching(/^EventsBus/) },
        EventPattern: { source: ['payout-orchestrator'] },
        Targets: [{ InputPath: '$.detail' }],
      },
    ]);
  });

  it('is attempted once more than there are waits, and its queue keeps events for two weeks', () => {
    const [queue] = named(/^EventWebhookQueue[0-9A-F]{8}$/);
    expect(queue?.Properties).toMatchObject({
      RedrivePolicy: { maxReceiveCount: 3 },
      VisibilityTimeout: 6 * 30,
      MessageRetentionPeriod: 14 * 86_400,
    });
  });

  it('has an alarm for events that could not be delivered', () => {
    const [alarm] = named(/EventNotDelivered/);
    expect(alarm?.Properties).toMatchObject({ MetricName: 'ApproximateNumberOfMessagesVisible', Threshold: 1 });
  });
});

describe('people', () => {
  const subscriptions = (settings: Readonly<Record<string, unknown>>) =>
    resourcesOf(composed(settings), 'PayoutOrchestrator').filter(({ Type }) => Type === 'AWS::SNS::Subscription');

  it('are emailed at the address in the settings, if there is one', () => {
    expect(subscriptions({})).toEqual([]);
    expect(subscriptions({ notifyEmail: 'clerk@example.com' }).map(({ Properties }) => Properties)).toMatchObject([
      { Protocol: 'email', Endpoint: 'clerk@example.com', TopicArn: { Ref: expect.stringMatching(/^NoticesTopic/) } },
    ]);
  });

  it('are notified only about batches, by an encrypted topic that requires TLS', () => {
    const rules = named(/^NoticesBatches/).filter(({ Type }) => Type === 'AWS::Events::Rule');
    expect(rules.map(({ Properties }) => Properties)).toMatchObject([
      { EventPattern: { 'detail-type': [{ prefix: 'batch.' }] } },
    ]);
    expect(named(/^NoticesTopic[0-9A-F]{8}$/)[0]?.Properties['KmsMasterKeyId']).toBeDefined();
    expect(JSON.stringify(named(/^NoticesTopicPolicy/))).toContain('"aws:SecureTransport":"false"');
  });
});
