import { keys } from './keys.ts';
import type { Table } from './table.ts';
import { putIfFree } from './table.ts';

/**
 * Remembers a signature until it is too old to be accepted.
 *
 * @param signature hexadecimal digits
 * @returns false when it was used before: the request is a replay
 */
export const useSignature = (table: Table, clientId: string, signature: string, until: Date): Promise<boolean> =>
  putIfFree(table, { ...keys.signature(clientId, signature), timeToLive: Math.ceil(until.getTime() / 1000) });
