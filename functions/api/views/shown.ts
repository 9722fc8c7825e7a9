import * as z from 'zod';
import { givenBy } from '../../domain/given.ts';

/** A member that may be absent may be undefined too. */
type Found<Value> = Value extends readonly (infer One)[]
  ? readonly Found<One>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Found<Value[Name]> | (object extends Pick<Value, Name> ? undefined : never) }
    : Value;

const promised = (schema: unknown, item: unknown): unknown => {
  if (item === undefined) return undefined;
  if (schema instanceof z.ZodExactOptional) return promised(schema.unwrap(), item);
  if (schema instanceof z.ZodArray && Array.isArray(item)) return item.map((one) => promised(schema.element, one));
  if (!(schema instanceof z.ZodObject)) return item;
  const members = new Map(Object.entries(Object(item)));
  return givenBy(Object.keys(schema.shape), (name) => promised(schema.shape[name], members.get(name)));
};

/**
 * The fields of an item that the API promises, in the order of its schema, at every level of records and lists. Other attributes
 * of a ledger item stay internal.
 */
export function shown<Schema extends z.ZodType>(schema: Schema, item: Found<z.output<Schema>>): z.output<Schema>;
export function shown(schema: unknown, item: unknown): unknown {
  return promised(schema, item);
}
