import type { z } from 'zod';
import { InvariantBroken } from '../../domain/errors.ts';
import { once } from '../../domain/once.ts';
import type { Item } from './store.ts';

/**
 * Reads an item of the table by its schema, which is made when the first one is read. What does not fit was not written by
 * this ledger: nothing goes on. The message names the kind and the first attribute at fault, never a value.
 */
export const reading = <Value>(kind: string, makeSchema: () => z.ZodType<Value>): ((item: Item) => Value) => {
  const schema = once(makeSchema);
  return (item) => {
    const read = schema().safeParse(item);
    if (read.success) return read.data;
    throw new InvariantBroken(`ledger_item_unreadable: ${kind} ${read.error.issues[0]?.path.join('.') ?? ''}`);
  };
};
