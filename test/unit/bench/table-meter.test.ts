import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../bench/metering/aws-meter.ts';
import { itemBytes } from '../../bench/metering/item-size.ts';
import { TableMeter } from '../../bench/metering/table-meter.ts';

const table = 'ledger';

const exchange = (operation: string, asked: object, answered: object = {}, status = 200): Exchange => ({
  method: 'POST',
  host: '127.0.0.1',
  path: '/',
  target: `DynamoDB_20120810.${operation}`,
  requestBody: Buffer.from(JSON.stringify(asked)),
  status,
  responseBody: Buffer.from(JSON.stringify(answered)),
});

const key = { pk: { S: 'a' }, sk: { S: 'b' } };
/** Puts an item of about this many bytes. */
const item = (bytes: number, more: object = {}) => ({ ...key, text: { S: 'x'.repeat(bytes) }, ...more });
const put = (bytes: number, more: object = {}) => ({ TableName: table, Item: item(bytes, more) });

const used = (...exchanges: readonly Exchange[]) => {
  const meter = new TableMeter({
    table,
    keys: ['pk', 'sk'],
    indexes: [
      { partitionKey: 'providerId', projection: 'KEYS_ONLY' },
      { partitionKey: 'day', projection: 'ALL' },
    ],
  });
  for (const one of exchanges) meter.observe(one);
  return meter.use;
};

const conditionFailed = { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException' };
const throttled = { __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException' };

describe('the cost of writes', () => {
  it.each([
    ['one unit for an item below a KB', [exchange('PutItem', put(100))], { writes: 1, writeUnits: 1 }],
    ['a unit for each KB begun', [exchange('PutItem', put(1100))], { writes: 1, writeUnits: 2 }],
    [
      'twice as much in a transaction, a check included',
      [
        exchange('PutItem', put(1100)),
        exchange('TransactWriteItems', {
          TransactItems: [{ Put: put(10) }, { ConditionCheck: { TableName: table, Key: key } }],
        }),
      ],
      { writes: 2, writeUnits: 2 + 4 + 4 },
    ],
    [
      'a refused write as much as a made one, without being one',
      [exchange('PutItem', put(100), conditionFailed, 400)],
      { writes: 0, writeUnits: 1 },
    ],
    [
      'nothing when DynamoDB did not read',
      [exchange('PutItem', put(100), throttled, 400)],
      { writes: 0, writeUnits: 0 },
    ],
    [
      'nothing for another table',
      [exchange('PutItem', { ...put(100), TableName: 'other' })],
      { writes: 0, writeUnits: 0 },
    ],
    [
      'an entry in an index of keys once',
      [
        exchange('PutItem', put(100, { providerId: { S: '1' } })),
        exchange('PutItem', put(100, { providerId: { S: '1' } })),
      ],
      { writes: 2, writeUnits: 3 },
    ],
    [
      'an entry in an index of everything with every write',
      [exchange('PutItem', put(1100, { day: { S: '1' } })), exchange('PutItem', put(1100, { day: { S: '1' } }))],
      { writes: 2, writeUnits: 8 },
    ],
    [
      'an update by the larger of the old and new item',
      [
        exchange('PutItem', put(2100)),
        exchange('UpdateItem', { TableName: table, Key: key }, { Attributes: item(10) }),
      ],
      { writes: 2, writeUnits: 6 },
    ],
    [
      'an update of unknown size by the old item plus the new values',
      [
        exchange('PutItem', put(1000)),
        exchange('TransactWriteItems', {
          TransactItems: [
            { Update: { TableName: table, Key: key, ExpressionAttributeValues: { ':more': { S: 'x'.repeat(100) } } } },
          ],
        }),
      ],
      { writes: 2, writeUnits: 1 + 4 },
    ],
  ])('are %s', (_, exchanges, expected) => {
    expect(used(...exchanges)).toMatchObject(expected);
  });
});

describe('the cost of reads', () => {
  it.each([
    [
      'one for 4 KB read strongly',
      exchange('GetItem', { TableName: table, ConsistentRead: true }, { Item: item(4000) }),
      1,
    ],
    ['half a one otherwise', exchange('GetItem', { TableName: table }, { Item: item(4000) }), 0.5],
    ['one for nothing that is there', exchange('GetItem', { TableName: table, ConsistentRead: true }), 1],
    [
      'the sum of a query’s items',
      exchange('Query', { TableName: table, ConsistentRead: true }, { Items: [item(3000), item(3000)] }),
      2,
    ],
    [
      'each key of many',
      exchange('BatchGetItem', { RequestItems: { [table]: { Keys: [key, key, key], ConsistentRead: true } } }),
      3,
    ],
  ])('is %s', (_, one, units) => {
    expect(used(one).readUnits).toBe(units);
  });

  it('is not guessed for an unknown operation', () => {
    expect(() => used(exchange('Scan', { TableName: table }))).toThrow('Scan');
  });
});

describe('the size of an item', () => {
  it.each([
    [{ ab: { S: 'é' } }, 4],
    [{ n: { N: '-12.345' } }, 1 + 4],
    [{ b: { BOOL: true } }, 2],
    [{ l: { L: [{ S: 'abc' }] } }, 1 + 3 + 1 + 3],
    [{ m: { M: { k: { S: 'v' } } } }, 1 + 3 + 1 + 2],
    [{ s: { SS: ['ab', 'c'] } }, 4],
  ])('%j is %d bytes', (made, bytes) => {
    expect(itemBytes(made)).toBe(bytes);
  });
});
