import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

/**
 * Remembers a signature until it is too old to be taken anyway.
 *
 * @param signature hexadecimal digits
 * @returns false when it was used before: the request is a replay
 */
export const useSignature = async (
  table: Table,
  clientId: string,
  signature: string,
  until: Date,
): Promise<boolean> => {
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...keys.signature(clientId, signature), timeToLive: Math.ceil(until.getTime() / 1000) },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};
