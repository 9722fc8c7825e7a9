import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod';
import type { Attempt } from '../../webhooks/attempt-delivery.ts';
import { attemptSchema } from '../../webhooks/attempt-delivery.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { putItem } from '../table.ts';

/** 30 days: long after the last attempt of any webhook. */
const keptSeconds = 30 * 86_400;

/** One query reads 1 MB, about 3,000 attempts. Twenty of them take some seconds. */
const queriesAtMost = 20;

const attemptItem = attemptSchema.omit({ clientId: true });

/** Selects a part of the log, newest first. */
interface LogQuery {
  readonly clientId: string;
  readonly limit: number;
  readonly webhookId?: string | undefined;
  /** Only attempts before this: a date, or `next` of an earlier answer. */
  readonly before?: string | undefined;
}

export interface LogPage {
  readonly deliveries: readonly Omit<Attempt, 'clientId'>[];
  /** The position from which to read on. Undefined at the end. */
  readonly next?: string | undefined;
}

/** Stores an attempt for 30 days. Idempotent. */
export const keepAttempt = (table: Table, { clientId, ...attempt }: Attempt): Promise<void> =>
  putItem(table, {
    ...keys.webhookDelivery(clientId, attempt.at, attempt.webhookId, attempt.attempt),
    ...attempt,
    timeToLive: Math.floor(Date.parse(attempt.at) / 1000) + keptSeconds,
  });

/**
 * A part of the log, newest first. When one webhook is selected among very many, a call may return fewer than `limit`
 * attempts; `next` then says where to read on.
 */
export const listAttempts = async (table: Table, query: LogQuery): Promise<LogPage> => {
  const { clientId, limit, webhookId } = query;
  const found: z.infer<typeof attemptItem>[] = [];
  let before = query.before;
  for (let queried = 0; queried < queriesAtMost; queried += 1) {
    const answer = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: before === undefined ? 'pk = :pk' : 'pk = :pk AND sk < :before',
        Limit: webhookId === undefined ? limit : undefined,
        FilterExpression: webhookId === undefined ? undefined : 'webhookId = :webhookId',
        // The document client omits undefined values.
        ExpressionAttributeValues: {
          ':pk': keys.webhookDelivery(clientId, '', '', 0).pk,
          ':before': before,
          ':webhookId': webhookId,
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
  return { deliveries: found, next: before };
};
