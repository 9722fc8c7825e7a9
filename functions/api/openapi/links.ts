import * as z from 'zod';
import type { Operation } from '../schemas/operations/operation.ts';

/** Path parameters that answers contain under the same name. A `name` in an answer is an execution's, not a file's. */
const ids: readonly string[] = ['batchId', 'reference'];

const namesOf = (schema: unknown): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

const answered = (pointer: string): string => `$response.body#${pointer}`;

/** Where an answer contains these parameters: in its own fields, or else in the first item of its first list. */
const pointersIn = (schema: z.ZodType): ReadonlyMap<string, string> => {
  if (!(schema instanceof z.ZodObject)) return new Map();
  const own = namesOf(schema).map((name) => [name, answered(`/${name}`)] as const);
  const ofItems = Object.entries(schema.shape).flatMap(([list, field]) =>
    field instanceof z.ZodArray
      ? namesOf(field.element).map((name) => [name, answered(`/${list}/0/${name}`)] as const)
      : [],
  );
  return new Map([...ofItems.toReversed(), ...own].filter(([name]) => ids.includes(name)));
};

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
    if (names.length === 0 || !names.every((name) => pointers.has(name))) return [];
    const parameters = Object.fromEntries(names.map((name) => [name, pointers.get(name)]));
    return [[id, { operationId: id, parameters }] as const];
  });
  return { ...Object.fromEntries(byPath), ...nextPage(operation) };
};
