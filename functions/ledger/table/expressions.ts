import { InvariantBroken } from '../../domain/errors.ts';

/** A condition or an update, with its values. `#name` in the text stands for the attribute with that name. */
export interface Expression {
  readonly text: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The values of several expressions, merged for one request. */
export const allValues = (parts: readonly Expression[]): Record<string, unknown> =>
  Object.fromEntries(parts.flatMap((part) => Object.entries(part.values)));

const joined = (word: string, parts: readonly Expression[]): Expression => ({
  text: parts.map((part) => `(${part.text})`).join(word),
  values: allValues(parts),
});

export const and = (...parts: readonly Expression[]): Expression => joined(' AND ', parts);
export const or = (...parts: readonly Expression[]): Expression => joined(' OR ', parts);

export const absent = (attribute: string): Expression => ({ text: `attribute_not_exists(#${attribute})`, values: {} });
export const present = (attribute: string): Expression => ({ text: `attribute_exists(#${attribute})`, values: {} });

/** @param placeholder prefix of the value's placeholder, different for each operator, so that conditions can be combined */
const comparing = (attribute: string, operator: string, placeholder: string, value: unknown): Expression => ({
  text: `#${attribute} ${operator} :${placeholder}_${attribute}`,
  values: { [`:${placeholder}_${attribute}`]: value },
});

export const equals = (attribute: string, value: string | number | boolean | ReadonlySet<string>): Expression =>
  comparing(attribute, '=', 'is', value);
/** Compares numbers or texts. ISO 8601 times in one format sort by time. */
export const below = (attribute: string, value: string | number): Expression =>
  comparing(attribute, '<', 'below', value);
export const atMost = (attribute: string, value: string): Expression => comparing(attribute, '<=', 'most', value);
/** Compares numbers. */
export const atLeast = (attribute: string, value: number): Expression => comparing(attribute, '>=', 'least', value);

/** The attribute is as it was read: this value, or absent when that is undefined. */
export const asRead = (attribute: string, value: string | number | ReadonlySet<string> | undefined): Expression =>
  value === undefined ? absent(attribute) : equals(attribute, value);

/** Compares a field of a map attribute. */
export const fieldEquals = (attribute: string, field: string, value: string): Expression => ({
  text: `#${attribute}.#${field} = :is_${attribute}_${field}`,
  values: { [`:is_${attribute}_${field}`]: value },
});

/** True when a list attribute lacks the member, or is absent. */
export const lacks = (attribute: string, member: string): Expression => ({
  text: `NOT contains(#${attribute}, :lacks_${attribute})`,
  values: { [`:lacks_${attribute}`]: member },
});

/** The attribute has no value yet, or a lower one: a late writer of an older value fails. */
export const absentOrBelow = (attribute: string, value: string | number): Expression =>
  or(absent(attribute), below(attribute, value));

/** The condition of a transition: the attribute has one of the values that it may leave from. */
export const oneOf = (attribute: string, values: readonly string[]): Expression => {
  if (values.length === 0) throw new InvariantBroken('condition_without_values');
  return {
    text: `#${attribute} IN (${values.map((_, index) => `:${attribute}${index}`).join(', ')})`,
    values: Object.fromEntries(values.map((value, index) => [`:${attribute}${index}`, value])),
  };
};

/** Adds members to sets or removes them. DynamoDB creates a set with its first member and removes it with its last. */
export const changingSets = (
  verb: 'ADD' | 'DELETE',
  members: Readonly<Record<string, readonly string[]>>,
): Expression => ({
  text: `${verb} ${Object.keys(members)
    .map((attribute) => `#${attribute} :of_${attribute}`)
    .join(', ')}`,
  values: Object.fromEntries(Object.entries(members).map(([attribute, of]) => [`:of_${attribute}`, new Set(of)])),
});

/** Sets each attribute to its value. `null` removes it; `undefined` leaves it unchanged. */
export const setting = (changes: Readonly<Record<string, unknown>>): Expression => {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const set = given.filter(([, value]) => value !== null);
  const removed = given.filter(([, value]) => value === null);
  const clauses = [
    ...(set.length > 0 ? [`SET ${set.map(([name]) => `#${name} = :to_${name}`).join(', ')}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`] : []),
  ];
  return {
    text: clauses.join(' '),
    values: Object.fromEntries(set.map(([name, value]) => [`:to_${name}`, value])),
  };
};
