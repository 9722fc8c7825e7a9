import type { BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';
import type { Patience } from './retry.ts';
import { retryConflicts } from './retry.ts';
import type { Item, Table } from './table.ts';

type Write = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/** Many requests to one table. They are repeated until the table has processed all of them. */
export interface ManyItems extends Patience {
  readonly table: Table;
}

/** The limits of one BatchGetItem and of one BatchWriteItem. */
const keysAtOnce = 100;
const writesAtOnce = 25;

/**
 * Splits `all` into parts, and makes a request for each part until the table has processed all of it.
 *
 * @param request returns what the table left unprocessed
 * @throws Error when the table leaves something of a part in every attempt
 */
const inParts = async <One>(
  patience: Patience,
  all: readonly One[],
  size: number,
  request: (part: One[]) => Promise<One[] | undefined>,
): Promise<void> => {
  const starts = Array.from({ length: Math.ceil(all.length / size) }, (_, index) => index * size);
  const finish = async (start: number): Promise<void> => {
    let open = all.slice(start, start + size);
    const done = await retryConflicts(patience, async () => {
      open = (await request(open)) ?? [];
      return open.length === 0 ? 'done' : 'again';
    });
    if (done === undefined) throw new Error('the table left a part of a request unprocessed');
  };
  await Promise.all(starts.map(finish));
};

/**
 * The items at these keys, in any order, read strongly consistently. Keys without an item are left out. No key may be
 * given twice.
 *
 * @throws Error when the table leaves some reads unprocessed in every attempt
 */
export const getAll = async ({ table, ...patience }: ManyItems, wanted: readonly Key[]): Promise<readonly Item[]> => {
  const items: Item[] = [];
  await inParts<Item>(patience, wanted, keysAtOnce, async (part) => {
    const answer = await table.client.send(
      new BatchGetCommand({ RequestItems: { [table.name]: { Keys: part, ConsistentRead: true } } }),
    );
    items.push(...(answer.Responses?.[table.name] ?? []));
    return answer.UnprocessedKeys?.[table.name]?.Keys;
  });
  return items;
};

/** Not atomic: after a failure, some of the items may exist. */
export const deleteAll = ({ table, ...patience }: ManyItems, removed: readonly Key[]): Promise<void> => {
  const writes = removed.map((key): Write => ({ DeleteRequest: { Key: key } }));
  return inParts(patience, writes, writesAtOnce, async (part) => {
    const answer = await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: part } }));
    return answer.UnprocessedItems?.[table.name];
  });
};
