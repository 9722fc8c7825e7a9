import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { InvariantBroken } from '../../../../functions/domain/errors.ts';
import { given } from '../../../../functions/domain/given.ts';
import { absent } from '../../../../functions/ledger/table/expressions.ts';
import type { LedgerDependencies } from '../../../../functions/ledger/table/store.ts';
import { createStore } from '../../../../functions/ledger/table/store.ts';
import type { Write } from '../../../../functions/ledger/table/writes.ts';

type Answer = (input: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/** The store on a client that sends nothing. Each function answers one request. */
const storeAnswering = (...answers: readonly Answer[]) => {
  const inputs: Readonly<Record<string, unknown>>[] = [];
  const waits: number[] = [];
  let tokens = 0;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' }));
  client.middlewareStack.add(
    () => async (args) => {
      const input: Readonly<Record<string, unknown>> = { ...args.input };
      inputs.push(input);
      const answer = answers[inputs.length - 1] ?? answers.at(-1);
      if (answer === undefined) throw new Error('no answer is scripted for the fake client');
      return { response: {}, output: { $metadata: {}, ...answer(input) } };
    },
    { step: 'initialize', name: 'answer' },
  );
  const dependencies: LedgerDependencies = {
    client,
    table: 'table',
    clock: () => 0,
    ids: {
      sortable: () => 'id',
      unique: () => {
        tokens += 1;
        return `token-${tokens}`;
      },
    },
    random: () => 0.5,
    wait: async (ms) => {
      waits.push(ms);
    },
  };
  return { store: createStore(dependencies), inputs, waits };
};

const key = (n: number) => ({ pk: `REF#${n}`, sk: 'REF' });

describe('reading many', () => {
  it('requests a hundred at a time, and repeats unread ones', async () => {
    const { store, inputs, waits } = storeAnswering(
      () => ({
        Responses: { table: Array.from({ length: 98 }, (_, n) => key(n)) },
        UnprocessedKeys: { table: { Keys: [key(98), key(99)] } },
      }),
      () => ({ Responses: { table: [key(100), key(98), key(99)] } }),
    );
    const items = await store.getMany(
      Array.from({ length: 101 }, (_, n) => key(n)),
      { consistent: true },
    );
    expect(new Set(items.map(({ pk }) => pk)).size).toBe(101);
    expect(inputs[1]).toMatchObject({
      RequestItems: { table: { Keys: [key(100), key(98), key(99)], ConsistentRead: true } },
    });
    expect(waits).toEqual([12]);
  });

  it('gives up when nothing is ever read', async () => {
    const { store } = storeAnswering(() => ({ UnprocessedKeys: { table: { Keys: [key(1)] } } }));
    await expect(store.getMany([key(1)], { consistent: true })).rejects.toThrow('ledger_reads_throttled');
  });
});

/** Pages with an empty one in the middle. */
const threePages = () =>
  storeAnswering(
    () => ({ Items: [key(1)], LastEvaluatedKey: key(1) }),
    () => ({ Items: [], LastEvaluatedKey: key(2) }),
    () => ({ Items: [key(3)] }),
  );

it('a query continues after each page of 1 MB, and after an empty one', async () => {
  const { store, inputs } = threePages();
  const items = await Array.fromAsync(store.query({ pk: 'p', prefix: 'A' }));
  expect(items).toEqual([key(1), key(3)]);
  expect(inputs.map(({ ExclusiveStartKey }) => ExclusiveStartKey)).toEqual([undefined, key(1), key(2)]);
  expect(inputs.every(({ ConsistentRead }) => ConsistentRead === true)).toBe(true);
});

it('so does a query of an index', async () => {
  const { store, inputs } = threePages();
  const items = await Array.fromAsync(store.queryIndex({ index: 'open', value: 'BATCHES' }));
  expect(items).toEqual([key(1), key(3)]);
  expect(inputs.map(({ ExclusiveStartKey }) => ExclusiveStartKey)).toEqual([undefined, key(1), key(2)]);
});

describe('a query of an index reads', () => {
  it.each([
    ['the whole partition', undefined, '', undefined],
    ['one sort key', { is: 'k' }, ' AND #sort = :sort', 'k'],
    ['the sort keys below one', { below: 'k' }, ' AND #sort < :sort', 'k'],
  ] as const)('%s', async (_name, sortKey, condition, value) => {
    const { store, inputs } = storeAnswering(() => ({ Items: [] }));
    await Array.fromAsync(store.queryIndex({ index: 'batchesByDay', value: '2026-01-05', ...given({ sortKey }) }));
    const isSorted = value !== undefined;
    expect(inputs).toMatchObject([{ KeyConditionExpression: `#partition = :partition${condition}` }]);
    expect(inputs[0]?.['ExpressionAttributeNames']).toEqual({
      '#partition': 'day',
      ...(isSorted && { '#sort': 'createdAtAndId' }),
    });
    expect(inputs[0]?.['ExpressionAttributeValues']).toEqual({
      ':partition': '2026-01-05',
      ...(isSorted && { ':sort': value }),
    });
  });
});

describe('a transaction', () => {
  const write: Write = { kind: 'check', key: key(1), condition: absent('pk') };
  const canceled =
    (...codes: readonly string[]): Answer =>
    () => {
      throw new TransactionCanceledException({
        $metadata: {},
        message: 'm',
        CancellationReasons: codes.map((Code) => ({ Code, ...(Code === 'None' ? {} : { Item: { n: { N: '1' } } }) })),
      });
    };

  it('keeps its token over its attempts, and the next one has another', async () => {
    const { store, inputs } = storeAnswering(
      canceled('TransactionConflict'),
      () => ({}),
      () => ({}),
    );
    expect(await store.transact([write])).toEqual({ kind: 'written' });
    await store.transact([write]);
    expect(inputs.map(({ ClientRequestToken }) => ClientRequestToken)).toEqual(['token-1', 'token-1', 'token-2']);
  });

  it('reports the failed writes and the stored items', async () => {
    const { store } = storeAnswering(canceled('None', 'ConditionalCheckFailed'));
    expect(await store.transact([write, write])).toEqual({
      kind: 'refused',
      writes: [{ failed: false }, { failed: true, item: { n: 1 } }],
    });
  });

  it('is an outage when it was canceled for another reason than a condition', async () => {
    const { store } = storeAnswering(canceled('ValidationError'));
    await expect(store.transact([write])).rejects.toThrow(TransactionCanceledException);
  });

  it('cannot exceed DynamoDB’s limit', async () => {
    const { store } = storeAnswering();
    await expect(store.transact(Array<Write>(101).fill(write))).rejects.toThrow(InvariantBroken);
  });
});
