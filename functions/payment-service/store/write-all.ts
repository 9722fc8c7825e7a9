import type { BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';
import type { Pause, Table } from './table.ts';
import { conflictAttempts, conflictPause } from './table.ts';

type Write = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/** What BatchWriteItem takes at once. */
const batchSize = 25;

interface Patience {
  readonly pause: Pause;
  readonly random: () => number;
}

const writeBatch = async (patience: Patience, table: Table, batch: readonly Write[]): Promise<void> => {
  let open = [...batch];
  for (let tried = 0; open.length > 0; tried += 1) {
    if (tried >= conflictAttempts) throw new Error('the table did not take all writes');
    if (tried > 0) await patience.pause(conflictPause(tried, patience.random));
    const answer = await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: open } }));
    open = answer.UnprocessedItems?.[table.name] ?? [];
  }
};

const inBatches = async (patience: Patience, table: Table, writes: readonly Write[]): Promise<void> => {
  const starts = Array.from({ length: Math.ceil(writes.length / batchSize) }, (_, index) => index * batchSize);
  await Promise.all(starts.map((start) => writeBatch(patience, table, writes.slice(start, start + batchSize))));
};

/** Puts items that nothing depends on yet. Not atomic: a part of them may stand when it fails. */
export const writeAll = (patience: Patience, table: Table, items: readonly Record<string, unknown>[]): Promise<void> =>
  inBatches(
    patience,
    table,
    items.map((Item) => ({ PutRequest: { Item } })),
  );

export const deleteAll = (patience: Patience, table: Table, removed: readonly Key[]): Promise<void> =>
  inBatches(
    patience,
    table,
    removed.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  );
