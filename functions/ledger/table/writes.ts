import type { TransactWriteItem } from '@aws-sdk/lib-dynamodb';
import type { Expression } from './expressions.ts';
import { allNames, allValues } from './expressions.ts';
import type { Key } from './keys.ts';
import { ledgerTable } from './table.ts';

/** One write, alone or in a transaction. With `returnsOld`, a failed condition returns the existing item. */
export type Write =
  | { readonly kind: 'put'; readonly item: Key; readonly condition: Expression; readonly returnsOld?: true }
  | {
      readonly kind: 'update';
      readonly key: Key;
      readonly update: Expression;
      readonly condition?: Expression;
      readonly returnsOld?: true;
    }
  | { readonly kind: 'delete'; readonly key: Key; readonly condition?: Expression }
  | { readonly kind: 'check'; readonly key: Key; readonly condition: Expression; readonly returnsOld?: true };

/** DynamoDB refuses an empty map of names or values, so empty ones are left out. */
export const placeholders = (...expressions: readonly (Expression | undefined)[]) => {
  const parts = expressions.filter((part) => part !== undefined);
  const names = allNames(parts);
  const values = allValues(parts);
  return {
    ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  };
};

export const conditionOf = (condition: Expression | undefined) =>
  condition === undefined ? {} : { ConditionExpression: condition.text };

export const returningOld = (returnsOld: boolean | undefined) =>
  returnsOld ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const } : {};

const primaryKey = (key: Key) => ({ [ledgerTable.partitionKey]: key.pk, [ledgerTable.sortKey]: key.sk });

/** The write in the format of TransactWriteItems. */
export const transactItem = (table: string, write: Write): TransactWriteItem => {
  switch (write.kind) {
    case 'put':
      return {
        Put: {
          TableName: table,
          Item: { ...write.item },
          ...conditionOf(write.condition),
          ...placeholders(write.condition),
          ...returningOld(write.returnsOld),
        },
      };
    case 'update':
      return {
        Update: {
          TableName: table,
          Key: primaryKey(write.key),
          UpdateExpression: write.update.text,
          ...conditionOf(write.condition),
          ...placeholders(write.update, write.condition),
          ...returningOld(write.returnsOld),
        },
      };
    case 'delete':
      return {
        Delete: {
          TableName: table,
          Key: primaryKey(write.key),
          ...conditionOf(write.condition),
          ...placeholders(write.condition),
        },
      };
    case 'check':
      return {
        ConditionCheck: {
          TableName: table,
          Key: primaryKey(write.key),
          ConditionExpression: write.condition.text,
          ...placeholders(write.condition),
          ...returningOld(write.returnsOld),
        },
      };
  }
};
