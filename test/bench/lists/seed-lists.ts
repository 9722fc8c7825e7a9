import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { inParallel } from '../../../functions/domain/in-parallel.ts';
import type { DisbursementStatus } from '../../../functions/payment-service/domain/disbursements/disbursement.ts';
import type { Table } from '../../../functions/payment-service/store/table.ts';
import { MemoryTable } from '../../support/memory-table/memory-table.ts';
import { ListScene } from '../../support/payment-service/list-scene.ts';

type Item = Record<string, unknown>;

const waits = { pause: async () => undefined, random: () => 0, hasTime: () => true };
const groupsBetweenWrites = 1000;

/** The limit of one BatchWriteItem, and how many such requests are made at once. */
const itemsAtOnce = 25;
const requestsAtOnce = 8;

const writeInTurns = async ({ client, name }: Table, items: readonly Item[]): Promise<void> => {
  const starts = Array.from({ length: Math.ceil(items.length / itemsAtOnce) }, (_, part) => part * itemsAtOnce);
  await inParallel(starts, requestsAtOnce, async (start) => {
    const part = items.slice(start, start + itemsAtOnce).map((Item) => ({ PutRequest: { Item } }));
    const { UnprocessedItems } = await client.send(new BatchWriteCommand({ RequestItems: { [name]: part } }));
    if (UnprocessedItems?.[name] !== undefined) throw new Error('the local AWS left items unprocessed');
  });
};

/**
 * Fills a table with crypto disbursements of one merchant, all of one amount to one receiver. They are posted and settled in
 * memory with the store's own functions, then written in batches. Ledger entries, which lists never read, are omitted.
 *
 * @param sizes number of disbursements of each POST, in order
 * @param statusAt status of the nth disbursement, from 0
 */
export const seedLists = async (
  table: Table,
  accountId: string,
  sizes: readonly number[],
  statusAt: (index: number) => DisbursementStatus,
  say: (line: string) => void,
): Promise<void> => {
  const memory = new MemoryTable({ name: table.name });
  const scene = new ListScene(memory, accountId, waits);
  let index = 0;
  for (const [at, size] of sizes.entries()) {
    const settled = Array.from({ length: size }, (_, position) => statusAt(index + position));
    index += size;
    await scene.postAndSettle({ rail: 'crypto', currency: 'usdc-polygon', settled });
    if (at % groupsBetweenWrites !== groupsBetweenWrites - 1) continue;
    await writeInTurns(table, memory.take('GROUP#'));
    memory.take('LEDGER#');
    if (at % (10 * groupsBetweenWrites) === 10 * groupsBetweenWrites - 1)
      say(`${index.toLocaleString('en-US')} are in`);
  }
  memory.take('LEDGER#');
  await writeInTurns(table, memory.items());
};
