import type { TransactWriteItem } from '@aws-sdk/lib-dynamodb';
import { given } from '../../domain/given.ts';
import type { Expression } from './expressions.ts';
import { absent, allValues } from './expressions.ts';
import type { Key } from './keys.ts';

/** One write, alone or in a transaction. With `returnsOld`, a failed condition returns the existing item. */
export type Write = { readonly returnsOld?: true } & (
  | { readonly kind: 'put'; readonly item: Key; readonly condition: Expression }
  | { readonly kind: 'update'; readonly key: Key; readonly update: Expression; readonly condition?: Expression }
  | { readonly kind: 'delete'; readonly key: Key; readonly condition?: Expression }
  | { readonly kind: 'check'; readonly key: Key; readonly condition: Expression }
);

/** Puts an item that must not exist yet. */
export const creating = <Item extends Key>(item: Item): Write => ({ kind: 'put', item, condition: absent('pk') });

export const updating = (key: Key, update: Expression, condition?: Expression): Write => ({
  kind: 'update',
  key,
  update,
  ...given({ condition }),
});

export const deleting = (key: Key, condition?: Expression): Write => ({ kind: 'delete', key, ...given({ condition }) });

/** Changes nothing: the other writes of the transaction depend on the condition. */
export const checking = (key: Key, condition: Expression): Write => ({ kind: 'check', key, condition });

/** The same write. If its condition fails, it returns the existing item. */
export const returningOld = (write: Write): Write => ({ ...write, returnsOld: true });

/** DynamoDB refuses an empty map of names or values, so empty ones are left out. */
const unlessEmpty = <Placeholders extends object>(map: Placeholders): Placeholders | undefined =>
  Object.keys(map).length > 0 ? map : undefined;

/** The attributes that expressions name, by their placeholders. */
export const namesIn = (text: string): Record<string, string> =>
  Object.fromEntries((text.match(/#\w+/g) ?? []).map((name) => [name, name.slice(1)]));

const placeholders = (parts: readonly Expression[]) =>
  given({
    ExpressionAttributeNames: unlessEmpty(namesIn(parts.map(({ text }) => text).join(' '))),
    ExpressionAttributeValues: unlessEmpty(allValues(parts)),
  });

interface WriteParts {
  readonly update?: Expression | undefined;
  readonly condition?: Expression | undefined;
  readonly returnsOld?: boolean;
}

/** The fields that all kinds of write requests have in common. */
export const requestOf = (table: string, { update, condition, returnsOld }: WriteParts) => ({
  TableName: table,
  ...given({
    ConditionExpression: condition?.text,
    ReturnValuesOnConditionCheckFailure: returnsOld ? ('ALL_OLD' as const) : undefined,
  }),
  ...placeholders([update, condition].filter((part) => part !== undefined)),
});

/** The write in the format of TransactWriteItems. */
export const transactItem = (table: string, write: Write): TransactWriteItem => {
  const request = requestOf(table, write);
  switch (write.kind) {
    case 'put':
      return { Put: { ...request, Item: { ...write.item } } };
    case 'update':
      return { Update: { ...request, Key: { ...write.key }, UpdateExpression: write.update.text } };
    case 'delete':
      return { Delete: { ...request, Key: { ...write.key } } };
    case 'check':
      return {
        ConditionCheck: { ...request, Key: { ...write.key }, ConditionExpression: write.condition.text },
      };
  }
};
