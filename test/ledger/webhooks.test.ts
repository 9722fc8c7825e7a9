import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { times } from './example.ts';
import { useLedger } from './table.ts';

const { ledger, dependencies } = useLedger();

it('stores a body once, however often it comes', async () => {
  const webhook = { hash: randomUUID(), body: '{"id":"1"}', receivedAt: '2026-03-14T09:26:53.589Z' };
  const answers = await times(10, () => ledger.storeWebhook(webhook));
  expect(answers.filter((stored) => stored)).toHaveLength(1);
  expect(await ledger.storeWebhook({ ...webhook, receivedAt: '2026-03-15T00:00:00.000Z' })).toBe(false);
});

it('keeps it for thirty days', async () => {
  const webhook = { hash: randomUUID(), body: '{}', receivedAt: '2026-03-14T00:00:00.999Z' };
  await ledger.storeWebhook(webhook);
  const key = { pk: `WEBHOOK#${webhook.hash}`, sk: 'WEBHOOK' };
  const { Item: item } = await dependencies.client.send(new GetCommand({ TableName: dependencies.table, Key: key }));
  expect(item).toEqual({ ...key, ...webhook, expiresAt: Date.parse('2026-04-13T00:00:00Z') / 1000 });
});
