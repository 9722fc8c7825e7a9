import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  ExecuteStatementCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import type { Attempt } from './attempts.ts';
import type { RoleClients } from './deployed-roles.ts';
import type { World } from './world.ts';

/** A key without an item. */
const Key = { pk: { S: 'NONE#denied' }, sk: { S: 'NONE' } };
/** Fails for a missing item, but only after the request was allowed. */
const ConditionExpression = 'attribute_exists(pk)';

const byPartition = {
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': Key.pk },
};

type OnTable = (as: RoleClients, TableName: string) => Promise<unknown>;

const onAnyTable: Readonly<Record<string, OnTable>> = {
  GetItem: (as, TableName) => as.table.send(new GetItemCommand({ TableName, Key })),
  BatchGetItem: (as, TableName) =>
    as.table.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [Key] } } })),
  Query: (as, TableName) => as.table.send(new QueryCommand({ TableName, ...byPartition })),
  PutItem: (as, TableName) => as.table.send(new PutItemCommand({ TableName, Item: Key, ConditionExpression })),
  UpdateItem: (as, TableName) => as.table.send(new UpdateItemCommand({ TableName, Key, ConditionExpression })),
  DeleteItem: (as, TableName) => as.table.send(new DeleteItemCommand({ TableName, Key, ConditionExpression })),
  ConditionCheckItem: (as, TableName) =>
    as.table.send(
      new TransactWriteItemsCommand({ TransactItems: [{ ConditionCheck: { TableName, Key, ConditionExpression } }] }),
    ),
  BatchWriteItem: (as, TableName) =>
    as.table.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ DeleteRequest: { Key } }] } })),
  Scan: (as, TableName) => as.table.send(new ScanCommand({ TableName, Limit: 1 })),
  PartiQL: (as, TableName) =>
    as.table.send(new ExecuteStatementCommand({ Statement: `SELECT * FROM "${TableName}" WHERE pk = 'NONE'` })),
  'of its description': (as, TableName) => as.table.send(new DescribeTableCommand({ TableName })),
  change: (as, TableName) => as.table.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false })),
};

const indexAttempt = (IndexName: string, partitionKey: string, tableOf: (world: World) => string): Attempt => ({
  right: `index ${IndexName}`,
  make: (as: RoleClients, world: World) =>
    as.table.send(
      new QueryCommand({
        TableName: tableOf(world),
        IndexName,
        KeyConditionExpression: '#key = :none',
        ExpressionAttributeNames: { '#key': partitionKey },
        ExpressionAttributeValues: { ':none': { S: '1970-01-01' } },
      }),
    ),
});

/** Attempts on one of the tables. */
export const tableAttempts = (name: string, tableOf: (world: World) => string): readonly Attempt[] => [
  ...Object.entries(onAnyTable).map(([action, attempt]) => ({
    right: `${name} ${action}`,
    make: (as: RoleClients, world: World) => attempt(as, tableOf(world)),
  })),
  ...(name === 'ledger'
    ? [
        indexAttempt('batches-by-day', 'day', tableOf),
        indexAttempt('open', 'open', tableOf),
        indexAttempt('payouts-by-destination', 'destinationHash', tableOf),
      ]
    : []),
];
