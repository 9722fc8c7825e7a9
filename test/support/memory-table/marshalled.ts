import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './expressions.ts';

const marshalledValue = (value: unknown): AttributeValue => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Set) {
    const [first] = value;
    return typeof first === 'number' ? { NS: [...value].map(String) } : { SS: [...value].map(String) };
  }
  if (value instanceof Uint8Array) return { B: value };
  if (Array.isArray(value)) return { L: value.map(marshalledValue) };
  if (typeof value === 'object') return { M: marshalled({ ...value }) };
  throw new Error(`a ${typeof value} cannot be an attribute`);
};

/** An item in DynamoDB's own notation, as in a failed condition and in a stream. */
export const marshalled = (item: Item): Record<string, AttributeValue> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, marshalledValue(value)]));

/** The document client refuses instances of classes too: money, for example, must be written as text. */
const refuseInstance = (value: object): void => {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError(`an instance of ${value.constructor.name} cannot be an attribute`);
};

/** A value as the document client writes it: a copy without undefined fields. */
const storedValue = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Set) return new Set(value);
  if (value instanceof Uint8Array) return value.slice();
  if (Array.isArray(value)) return value.map(storedValue);
  refuseInstance(value);
  return stored({ ...value });
};

/** The table's own copy of an item, which shares nothing with the caller's. */
export const stored = (item: Item): Item => {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(item)) if (value !== undefined) copy[name] = storedValue(value);
  return copy;
};
