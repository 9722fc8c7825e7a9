import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';
import type { Pause, Table } from './table.ts';
import { conflictAttempts, conflictPause } from './table.ts';

export interface ReadPorts {
  readonly table: Table;
  readonly pause: Pause;
  readonly random: () => number;
}

/** What BatchGetItem takes at once. */
const keysAtOnce = 100;

type Item = Record<string, unknown>;

const getSome = async ({ table, pause, random }: ReadPorts, wanted: readonly Key[]): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let open: Item[] = wanted.map(({ pk, sk }) => ({ pk, sk }));
  for (let tried = 0; open.length > 0; tried += 1) {
    if (tried >= conflictAttempts) throw new Error('the table did not answer all reads');
    if (tried > 0) await pause(conflictPause(tried, random));
    const answer = await table.client.send(
      new BatchGetCommand({ RequestItems: { [table.name]: { Keys: open, ConsistentRead: true } } }),
    );
    items.push(...(answer.Responses?.[table.name] ?? []));
    open = answer.UnprocessedKeys?.[table.name]?.Keys ?? [];
  }
  return items;
};

/**
 * The items of these keys that there are, in any order, read strongly consistently. No key may be asked for twice.
 *
 * @throws Error when the table leaves some out again and again
 */
export const getAll = async (ports: ReadPorts, wanted: readonly Key[]): Promise<readonly Item[]> => {
  const starts = Array.from({ length: Math.ceil(wanted.length / keysAtOnce) }, (_, index) => index * keysAtOnce);
  const parts = starts.map((start) => getSome(ports, wanted.slice(start, start + keysAtOnce)));
  return (await Promise.all(parts)).flat();
};
