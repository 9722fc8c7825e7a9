import { randomBytes, randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { createLedger } from '../../functions/ledger/ledger.ts';
import type { LedgerDependencies } from '../../functions/ledger/table/store.ts';
import { ledgerTable } from '../../functions/ledger/table/table.ts';
import type { Ids } from '../../functions/ports/environment.ts';
import type { Ledger } from '../../functions/ports/ledger/ledger.ts';
import { chanceOf } from '../support/chance.ts';
import { memoryLedgerTable } from '../support/memory-table/ledger-table.ts';

/** Tools of the ledger's tests: a table of their own, and a clock that they set. */
export interface LedgerUnderTest {
  readonly ledger: Ledger;
  readonly dependencies: LedgerDependencies;
  /** The ledger's clock in milliseconds since 1970. It does not advance by itself. */
  readonly time: { now: number };
}

/** Sorts by creation, independently of the clock. */
const countingIds = (): Ids => {
  let count = 0;
  return {
    sortable: () => {
      count += 1;
      return `${count.toString().padStart(10, '0')}${randomBytes(8).toString('hex').toUpperCase()}`;
    },
    unique: () => randomUUID(),
  };
};

const { indexes } = ledgerTable;

const createTable = async (client: DynamoDBClient, table: string): Promise<void> => {
  const { partitionKey, sortKey } = ledgerTable;
  const keysOf = Object.values(indexes).flatMap((index) => [index.partitionKey, index.sortKey]);
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [...new Set([partitionKey, sortKey, ...keysOf])].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: [
        { AttributeName: partitionKey, KeyType: 'HASH' },
        { AttributeName: sortKey, KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: Object.values(indexes).map((index) => ({
        IndexName: index.name,
        KeySchema: [
          { AttributeName: index.partitionKey, KeyType: 'HASH' },
          { AttributeName: index.sortKey, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: index.projection },
      })),
      StreamSpecification: { StreamEnabled: true, StreamViewType: ledgerTable.stream },
    }),
  );
};

/**
 * A fresh table for the calling test file, removed at the end. It is at the endpoint that the environment names, or in memory
 * with `LEDGER_UNDER_TEST`. Both runs together show that the memory's semantics are the real ones. The ledger's tests need no
 * deployed stack: names and indexes come from the constants from which the infra makes its table.
 */
export const useLedger = (): LedgerUnderTest => {
  const table = `ledger-test-${randomUUID()}`;
  const time = { now: Date.parse('2026-03-14T09:26:53.589Z') };
  const around = { table, clock: () => time.now, ids: countingIds(), random: chanceOf(1).next };
  if (process.env['LEDGER_UNDER_TEST'] === 'memory') {
    const dependencies: LedgerDependencies = { ...around, client: memoryLedgerTable({ name: table }).client };
    return { ledger: createLedger(dependencies), dependencies, time };
  }
  const client = new DynamoDBClient({});
  const dependencies: LedgerDependencies = {
    ...around,
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
  };
  beforeAll(() => createTable(client, table));
  afterAll(async () => {
    await client.send(new DeleteTableCommand({ TableName: table }));
    client.destroy();
  });
  return { ledger: createLedger(dependencies), dependencies, time };
};
