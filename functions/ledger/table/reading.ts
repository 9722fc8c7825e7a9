import type { z } from 'zod';
import { InvariantBroken } from '../../domain/errors.ts';
import { once } from '../../domain/once.ts';
import type { Item } from './store.ts';

/**
 * Reads an item by its schema, which is created on the first read. An item that does not fit was not written by this ledger, so
 * this throws. The message names the kind and the first faulty attribute, never a value.
 */
export const reading = <Value>(kind: string, makeSchema: () => z.ZodType<Value>): ((item: Item) => Value) => {
  const schema = once(makeSchema);
  return (item) => {
    const read = schema().safeParse(item);
    if (read.success) return read.data;
    throw new InvariantBroken(`ledger_item_unreadable: ${kind} ${read.error.issues[0]?.path.join('.') ?? ''}`);
  };
};
