import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../functions/payment-service/store/table.ts';
import { canceled } from '../aws-errors.ts';

/**
 * The same table. A transaction that writes an item in a partition with this prefix is refused for a conflict: the first one, or
 * the one after this many. It is written after all before the next request, like an attempt that the client had given up.
 */
export const withLateAttempt = (table: Table, prefix: string, after = 0): Table => {
  const { client } = table;
  const watched = Object.create(client);
  const late: TransactWriteCommand[] = [];
  let before = 0;
  const writes = (command: unknown): command is TransactWriteCommand =>
    command instanceof TransactWriteCommand &&
    (command.input.TransactItems ?? []).some(({ Put, Update }) =>
      `${(Put?.Item ?? Update?.Key)?.['pk']}`.startsWith(prefix),
    );
  watched.send = async (command: Parameters<typeof client.send>[0]) => {
    for (const one of late.splice(0)) await client.send(one);
    if (!writes(command)) return await client.send(command);
    before += 1;
    if (before !== after + 1) return await client.send(command);
    late.push(command);
    throw canceled('TransactionConflict');
  };
  return { ...table, client: watched };
};
