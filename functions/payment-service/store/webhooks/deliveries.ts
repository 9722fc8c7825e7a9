import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Attempt, LogPage, LogQuery } from '../../webhooks/delivery-log.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';

/** 30 days, which is long after the last attempt of any webhook. */
const keptSeconds = 30 * 86_400;

/** One query of the table reads 1 MB, about 3,000 attempts: 20 of them take some seconds. */
const roundsAtMost = 20;

const attemptItem = z.object({
  webhookId: z.string(),
  type: z.enum(['disbursement.updated', 'deposit.updated']),
  about: z.string(),
  attempt: z.number(),
  at: z.string(),
  host: z.string(),
  durationMs: z.number(),
  outcome: z.enum(['delivered', 'refused', 'given_up']),
  status: z.number().optional(),
  cause: z.string().optional(),
  nextAttemptAt: z.string().optional(),
});

/** Keeps an attempt for 30 days. Keeping it twice keeps it once. */
export const keepAttempt = async (table: Table, { clientId, ...attempt }: Attempt): Promise<void> => {
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: {
        ...keys.webhookDelivery(clientId, attempt.at, attempt.webhookId, attempt.attempt),
        ...attempt,
        timeToLive: Math.floor(Date.parse(attempt.at) / 1000) + keptSeconds,
      },
    }),
  );
};

/**
 * A part of the log, newest first. Of one webhook among very many, fewer than `limit` may be found in one go; `next`
 * says then where to read on.
 */
export const listAttempts = async (table: Table, query: LogQuery): Promise<LogPage> => {
  const { clientId, limit, webhookId } = query;
  const found: z.infer<typeof attemptItem>[] = [];
  let before = query.before;
  for (let round = 0; round < roundsAtMost; round += 1) {
    const answer = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: before === undefined ? 'pk = :pk' : 'pk = :pk AND sk < :before',
        ...(webhookId === undefined ? { Limit: limit } : { FilterExpression: 'webhookId = :webhookId' }),
        ExpressionAttributeValues: {
          ':pk': keys.webhookDelivery(clientId, '', '', 0).pk,
          ...(before === undefined ? {} : { ':before': before }),
          ...(webhookId === undefined ? {} : { ':webhookId': webhookId }),
        },
        ScanIndexForward: false,
      }),
    );
    for (const item of answer.Items ?? []) {
      found.push(attemptItem.parse(item));
      if (found.length === limit) return { deliveries: found, next: String(item['sk']) };
    }
    if (answer.LastEvaluatedKey === undefined) return { deliveries: found };
    before = String(answer.LastEvaluatedKey['sk']);
  }
  return { deliveries: found, ...(before === undefined ? {} : { next: before }) };
};
