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

const inParts = <T, R>(all: readonly T[], size: number, run: (part: readonly T[]) => Promise<R>): Promise<R[]> => {
  const starts = Array.from({ length: Math.ceil(all.length / size) }, (_, index) => index * size);
  return Promise.all(starts.map((start) => run(all.slice(start, start + size))));
};

/**
 * The items at these keys, in any order, read strongly consistently. Keys without an item are left out. No key may be
 * given twice.
 *
 * @throws Error when the table leaves some reads unprocessed in every attempt
 */
export const getAll = async ({ table, ...patience }: ManyItems, wanted: readonly Key[]): Promise<readonly Item[]> => {
  const getPart = async (part: readonly Key[]): Promise<readonly Item[]> => {
    const items: Item[] = [];
    let open: Item[] = [...part];
    const done = await retryConflicts(patience, async () => {
      const answer = await table.client.send(
        new BatchGetCommand({ RequestItems: { [table.name]: { Keys: open, ConsistentRead: true } } }),
      );
      items.push(...(answer.Responses?.[table.name] ?? []));
      open = answer.UnprocessedKeys?.[table.name]?.Keys ?? [];
      return open.length === 0 ? 'done' : 'again';
    });
    if (done === undefined) throw new Error('the table left reads unprocessed');
    return items;
  };
  return (await inParts(wanted, keysAtOnce, getPart)).flat();
};

const writeMany = async ({ table, ...patience }: ManyItems, writes: readonly Write[]): Promise<void> => {
  await inParts(writes, writesAtOnce, async (part) => {
    let open = [...part];
    const done = await retryConflicts(patience, async () => {
      const answer = await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: open } }));
      open = answer.UnprocessedItems?.[table.name] ?? [];
      return open.length === 0 ? 'done' : 'again';
    });
    if (done === undefined) throw new Error('the table left writes unprocessed');
  });
};

/** Writes items on which nothing depends yet. Not atomic: after a failure, some of them may exist. */
export const putAll = (many: ManyItems, items: readonly Item[]): Promise<void> =>
  writeMany(
    many,
    items.map((item) => ({ PutRequest: { Item: item } })),
  );

export const deleteAll = (many: ManyItems, removed: readonly Key[]): Promise<void> =>
  writeMany(
    many,
    removed.map((key) => ({ DeleteRequest: { Key: key } })),
  );
