import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { InvariantBroken } from '../../domain/errors.ts';

/**
 * Reads an item in DynamoDB's own notation. The document client does this for responses, but not for items in errors (why a
 * condition failed) or in a stream's images. Supports the types the ledger writes, except binary: packed debts come from neither.
 * Numbers are its counters and versions, never amounts.
 */
export const plainItem = (item: Readonly<Record<string, AttributeValue>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plainValue(value)]));

const plainValue = (value: AttributeValue): unknown => {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  if (value.SS !== undefined) return new Set(value.SS);
  if (value.L !== undefined) return value.L.map(plainValue);
  if (value.M !== undefined) return plainItem(value.M);
  throw new InvariantBroken('ledger_attribute_kind_unknown');
};
