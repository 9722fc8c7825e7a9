import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { composed, readable, resourcesOf } from '../../support/synthesized.ts';

const resources = resourcesOf(composed(), 'PaymentService');

const queueProperties = z.object({
  VisibilityTimeout: z.number().optional(),
  MessageRetentionPeriod: z.number(),
  RedrivePolicy: z.object({ maxReceiveCount: z.number(), deadLetterTargetArn: z.unknown() }).optional(),
});

const queue = (name: string, among = resources) => {
  const found = among.find(
    ({ Type, logicalId }) => Type === 'AWS::SQS::Queue' && new RegExp(`^${name}[0-9A-F]{8}$`).test(logicalId),
  );
  return queueProperties.parse(found?.Properties);
};

describe('the queue of webhooks', () => {
  it.each([
    ['by default, nine', {}, 9],
    ['as many as there are waits and one more', { paymentService: { webhooks: { waitsSeconds: [1, 2, 2] } } }, 4],
  ])('moves a message to the dead-letter queue after too many attempts: %s', (_, settings, maxReceiveCount) => {
    const { RedrivePolicy } = queue('Webhooks', resourcesOf(composed(settings), 'PaymentService'));
    expect(RedrivePolicy?.maxReceiveCount).toBe(maxReceiveCount);
    expect(readable(RedrivePolicy?.deadLetterTargetArn)).toMatch(/^<WebhooksUndelivered/);
  });

  it('keeps messages for 14 days, and hides a webhook for six times as long as an attempt can take', () => {
    expect(queue('Webhooks')).toMatchObject({ MessageRetentionPeriod: 1_209_600, VisibilityTimeout: 270 });
    expect(queue('WebhooksUndelivered')).toMatchObject({ MessageRetentionPeriod: 1_209_600 });
  });
});

it('the stream passes on changes of existing items that have an announcement', () => {
  const mapping = resources.find(
    ({ Type, Properties }) => Type === 'AWS::Lambda::EventSourceMapping' && 'FilterCriteria' in Properties,
  );
  const { Filters } = z
    .object({ Filters: z.array(z.object({ Pattern: z.string() })) })
    .parse(mapping?.Properties['FilterCriteria']);
  expect(Filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
    { eventName: ['MODIFY'], dynamodb: { NewImage: { announce: { S: [{ exists: true }] } } } },
  ]);
  expect(mapping?.Properties).toMatchObject({ BisectBatchOnFunctionError: true });
  // Otherwise a text would be lost after some failures, because a destination gets only its place in the stream.
  expect(mapping?.Properties).not.toHaveProperty('MaximumRetryAttempts');
  expect(mapping?.Properties).not.toHaveProperty('DestinationConfig');
});
