import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Table } from '../../../functions/payment-service/store/table.ts';

type Item = Record<string, unknown>;

interface Expressions {
  readonly UpdateExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}

const itemKey = z.object({ pk: z.string(), sk: z.string() });
const numbers = z.set(z.number());

type Part = readonly [verb: string, target: string, operand: string];

/** `SET #a = :a, #b = :b REMOVE #c` as three parts. */
function partsOf(expression: string): readonly Part[] {
  const clauses = expression.matchAll(/(SET|ADD|DELETE|REMOVE) (.*?)(?= (?:SET|ADD|DELETE|REMOVE) |$)/g);
  return [...clauses].flatMap(([, verb = '', text = '']) =>
    text.split(/, (?=#)/).map((part): Part => {
      const [target = '', operand = ''] = part.split(verb === 'SET' ? ' = ' : ' ');
      return [verb, target, operand];
    }),
  );
}

/** The service's table in memory, as far as creating, changing and listing disbursements goes. It refuses what it does not know. */
export class MemoryTable {
  readonly #items = new Map<string, Map<string, Item>>();
  readonly table: Table;

  constructor(name = 'memory') {
    const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'none' }));
    this.table = { name, client: Object.assign(client, { send: async (command: unknown) => this.#answer(command) }) };
  }

  /** All items, as a scan shows them. */
  items(): readonly Item[] {
    return [...this.#items.values()].flatMap((own) => [...own.values()]);
  }

  /** Forgets the items whose partition begins so, and hands them over. */
  take(prefix: string): readonly Item[] {
    const taken = [...this.#items].filter(([pk]) => pk.startsWith(prefix));
    for (const [pk] of taken) this.#items.delete(pk);
    return taken.flatMap(([, own]) => [...own.values()]);
  }

  #answer(command: unknown): unknown {
    if (command instanceof GetCommand) return { Item: this.#get(command.input.Key) };
    if (command instanceof BatchGetCommand) {
      const asked = Object.entries(command.input.RequestItems ?? {});
      const found = asked.map(([name, { Keys = [] }]) => [name, Keys.flatMap((key) => this.#get(key) ?? [])]);
      return { Responses: Object.fromEntries(found) };
    }
    if (command instanceof QueryCommand) return { Items: this.#query(command.input.ExpressionAttributeValues ?? {}) };
    if (command instanceof BatchWriteCommand) {
      for (const { PutRequest } of Object.values(command.input.RequestItems ?? {}).flat()) {
        if (PutRequest === undefined) throw new Error('only puts are known here');
        this.#put(PutRequest.Item ?? {});
      }
      return {};
    }
    if (command instanceof UpdateCommand) return this.#update(command.input.Key ?? {}, command.input);
    if (command instanceof TransactWriteCommand) return this.#transact(command);
    throw new Error(`${command?.constructor.name} is not known here`);
  }

  #transact(command: TransactWriteCommand): unknown {
    const writes = command.input.TransactItems ?? [];
    const holds = writes.map(({ Put, Update }) => {
      const [key, write] = [Put?.Item ?? Update?.Key, Put ?? Update];
      if (key === undefined || write === undefined) throw new Error('only puts and updates are known here');
      return this.#holds(key, write);
    });
    if (holds.includes(false)) {
      throw new TransactionCanceledException({
        $metadata: {},
        message: 'refused',
        CancellationReasons: holds.map((held) => ({ Code: held ? 'None' : 'ConditionalCheckFailed' })),
      });
    }
    for (const { Put, Update } of writes) {
      if (Put !== undefined) this.#put(Put.Item ?? {});
      if (Update !== undefined) this.#update(Update.Key ?? {}, Update);
    }
    return {};
  }

  #get(key: unknown): Item | undefined {
    const { pk, sk } = itemKey.parse(key);
    return this.#items.get(pk)?.get(sk);
  }

  #put(item: Item): void {
    const { pk, sk } = itemKey.parse(item);
    const own = this.#items.get(pk) ?? new Map<string, Item>();
    own.set(sk, Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)));
    this.#items.set(pk, own);
  }

  #query({ ':pk': pk, ':from': from = '', ':to': to = '\uffff' }: Item): readonly Item[] {
    const own = this.#items.get(z.string().parse(pk)) ?? new Map<string, Item>();
    return [...own]
      .filter(([sk]) => sk >= String(from) && sk <= String(to))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, item]) => item);
  }

  #holds(key: unknown, { ConditionExpression, ...given }: Expressions): boolean {
    if (ConditionExpression === undefined) return true;
    const item = this.#get(key);
    if (ConditionExpression === 'attribute_not_exists(pk)') return item === undefined;
    const [name = '', value = ''] = ConditionExpression.split(' = ');
    return item?.[given.ExpressionAttributeNames?.[name] ?? name] === given.ExpressionAttributeValues?.[value];
  }

  #update(key: Item, given: Expressions): unknown {
    const item: Item = { ...(this.#get(key) ?? key) };
    const name = (word: string): string => given.ExpressionAttributeNames?.[word] ?? word;
    const value = (word: string): unknown => given.ExpressionAttributeValues?.[word];
    const set = (at: string, operand: string): void => {
      const [, unless, otherwise] = /^if_not_exists\((\S+), (\S+)\)$/.exec(operand) ?? [];
      item[at] = (unless === undefined ? undefined : item[name(unless)]) ?? value(otherwise ?? operand);
    };
    for (const [verb, target, operand] of partsOf(given.UpdateExpression ?? '')) {
      const at = name(target);
      if (verb === 'REMOVE') delete item[at];
      else if (verb === 'SET') set(at, operand);
      else this.#count(item, at, verb === 'ADD', value(operand));
    }
    this.#put(item);
    return {};
  }

  #count(item: Item, at: string, isAdded: boolean, given: unknown): void {
    const was = item[at];
    if (typeof given === 'number') {
      item[at] = (typeof was === 'number' ? was : 0) + given;
      return;
    }
    const before = was === undefined ? new Set<number>() : numbers.parse(was);
    const after = isAdded ? before.union(numbers.parse(given)) : before.difference(numbers.parse(given));
    if (after.size === 0) delete item[at];
    else item[at] = after;
  }
}
