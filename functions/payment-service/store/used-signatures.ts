import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from './context.ts';
import { keys } from './keys.ts';
import { conditionHeld } from './table.ts';

/**
 * Remembers a signature until it is too old to be accepted. The client repeats a write whose answer was lost, so each use
 * has an id of its own and meets its own item without harm. The gateway's request id would not do: callers can set it.
 *
 * @param signature hexadecimal digits
 * @returns false when it was used before: the request is a replay
 */
export const useSignature = (
  { table, randomHex }: Pick<Context, 'table' | 'randomHex'>,
  clientId: string,
  signature: string,
  until: Date,
): Promise<boolean> => {
  const useId = randomHex();
  const item = { ...keys.signature(clientId, signature), useId, timeToLive: Math.ceil(until.getTime() / 1000) };
  const put = new PutCommand({
    TableName: table.name,
    Item: item,
    ConditionExpression: 'attribute_not_exists(pk) OR useId = :useId',
    ExpressionAttributeValues: { ':useId': useId },
  });
  return conditionHeld(table.client.send(put));
};
