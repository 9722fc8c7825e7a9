import type { z } from 'zod';
import { givenBy } from '../../domain/given.ts';

/** A member that may be absent may be undefined too. */
type Found<Members> = {
  readonly [Name in keyof Members]: object extends Pick<Members, Name> ? Members[Name] | undefined : Members[Name];
};

/**
 * The fields of an item that the API promises, in the order of its schema. Other attributes of a ledger item stay internal. Narrows
 * only the top level: each record in it needs a `shown` of its own.
 */
export function shown<Schema extends z.ZodObject>(schema: Schema, item: Found<z.output<Schema>>): z.output<Schema>;
export function shown({ shape }: z.ZodObject, item: Readonly<Record<string, unknown>>): object {
  return givenBy(Object.keys(shape), (name) => item[name]);
}
