import * as z from 'zod';
import type { Operation } from '../schemas/operations/operation.ts';

/** Path parameters that answers contain under the same name. A `name` in an answer is an execution's, not a file's. */
const ids: readonly string[] = ['batchId', 'reference'];

const namesOf = (schema: unknown): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

/** Where an answer contains these parameters: in its own fields, or else in the first item of its first list. */
const pointersIn = (schema: z.ZodType): ReadonlyMap<string, string> => {
  if (!(schema instanceof z.ZodObject)) return new Map();
  const own = namesOf(schema).map((name) => [name, `/${name}`] as const);
  const ofItems = Object.entries(schema.shape).flatMap(([list, field]) =>
    field instanceof z.ZodArray ? namesOf(field.element).map((name) => [name, `/${list}/0/${name}`] as const) : [],
  );
  return new Map([...ofItems.toReversed(), ...own].filter(([name]) => ids.includes(name)));
};

const answered = (pointer: string): string => `$response.body#${pointer}`;

/** A link to the next page of a list, by its path and the answer's cursor. Filters are left out. */
const nextPage = ({ id, pathParameters, query, answer }: Operation): Readonly<Record<string, object>> => {
  if (!namesOf(answer.schema).includes('cursor') || !('cursor' in query.shape)) return {};
  const asked = Object.keys(pathParameters.shape).map((name) => [name, `$request.path.${name}`]);
  return {
    [`${id}Next`]: { operationId: id, parameters: { ...Object.fromEntries(asked), cursor: answered('/cursor') } },
  };
};

/** An answer's OpenAPI links: the operations whose whole path it contains, so that tools can follow a batch or a payout. */
export const linksOf = (operation: Operation, operations: readonly Operation[]): Readonly<Record<string, object>> => {
  const pointers = pointersIn(operation.answer.schema);
  const byPath = operations.flatMap(({ id, pathParameters }) => {
    const names = Object.keys(pathParameters.shape);
    const found = names.flatMap((name) => {
      const pointer = pointers.get(name);
      return pointer === undefined ? [] : [[name, answered(pointer)] as const];
    });
    if (names.length === 0 || found.length < names.length) return [];
    return [[id, { operationId: id, parameters: Object.fromEntries(found) }] as const];
  });
  return { ...Object.fromEntries(byPath), ...nextPage(operation) };
};
