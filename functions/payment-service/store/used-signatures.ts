import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { keys } from './keys.ts';
import type { Table } from './table.ts';
import { conditionHeld, putNew } from './table.ts';

/**
 * Remembers a signature until it is too old to be accepted.
 *
 * @param signature hexadecimal digits
 * @returns false when it was used before: the request is a replay
 */
export const useSignature = (table: Table, clientId: string, signature: string, until: Date): Promise<boolean> => {
  const item = { ...keys.signature(clientId, signature), timeToLive: Math.ceil(until.getTime() / 1000) };
  return conditionHeld(table.client.send(new PutCommand(putNew(table, item).Put)));
};
