import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { keepAttempt, listAttempts } from '../../../../../functions/payment-service/store/webhooks/delivery-log.ts';
import type { Attempt } from '../../../../../functions/payment-service/webhooks/attempt-delivery.ts';

/** A table that gives the prepared answers, and records the requests. */
const tableAnswering = (answer: (round: number) => object) => {
  const asked: object[] = [];
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' }));
  client.middlewareStack.add(
    () =>
      async ({ input }) => {
        asked.push(input);
        return { output: { $metadata: {}, ...answer(asked.length) }, response: {} };
      },
    { step: 'initialize', name: 'answer', priority: 'high' },
  );
  return { table: { client, name: 'table' }, asked };
};

const attempt: Attempt = {
  clientId: 'merchant',
  webhookId: 'msg_dep_1_2',
  type: 'deposit.updated',
  about: 'dep_1',
  attempt: 3,
  at: '2026-11-21T06:00:00.500Z',
  host: 'merchant.example',
  durationMs: 120,
  outcome: 'refused',
  cause: 'status 500',
  nextAttemptAt: '2026-11-21T06:05:00.000Z',
};
const { clientId: _, ...shown } = attempt;
const item = (sk: string) => ({ pk: 'DELIVERIES#merchant', sk, timeToLive: 1, ...shown });

it('an attempt is stored by its moment under its merchant, for 30 days', async () => {
  const { table, asked } = tableAnswering(() => ({}));
  await keepAttempt(table, attempt);
  expect(asked).toEqual([
    {
      TableName: 'table',
      Item: {
        pk: 'DELIVERIES#merchant',
        sk: '2026-11-21T06:00:00.500Z#msg_dep_1_2#03',
        ...shown,
        timeToLive: Date.parse('2026-12-21T06:00:00.000Z') / 1000,
      },
    },
  ]);
});

describe('the log', () => {
  it('is read newest first, from the given position, without internal fields', async () => {
    const { table, asked } = tableAnswering(() => ({ Items: [item('b'), item('a')] }));
    expect(await listAttempts(table, { clientId: 'merchant', limit: 2, before: 'c' })).toEqual({
      deliveries: [shown, shown],
      next: 'a',
    });
    expect(asked).toMatchObject([
      {
        Limit: 2,
        ScanIndexForward: false,
        ExpressionAttributeValues: { ':pk': 'DELIVERIES#merchant', ':before': 'c' },
      },
    ]);
  });

  it('has no next position at its end', async () => {
    const { table } = tableAnswering(() => ({ Items: [item('a')] }));
    expect(await listAttempts(table, { clientId: 'merchant', limit: 2 })).toEqual({ deliveries: [shown] });
  });

  it('is searched for one webhook up to a limit, and then says where to read on', async () => {
    const { table, asked } = tableAnswering((round) => ({
      Items: round === 7 ? [item('g')] : [],
      LastEvaluatedKey: { pk: 'DELIVERIES#merchant', sk: `place-${round}` },
    }));
    expect(await listAttempts(table, { clientId: 'merchant', limit: 5, webhookId: 'msg_dep_1_2' })).toEqual({
      deliveries: [shown],
      next: 'place-20',
    });
    expect(asked).toHaveLength(20);
    expect(asked[1]).toMatchObject({
      FilterExpression: 'webhookId = :webhookId',
      ExpressionAttributeValues: { ':webhookId': 'msg_dep_1_2', ':before': 'place-1' },
    });
  });
});
