import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiText } from '../../../functions/api/openapi/document.ts';
import { operations } from '../../../functions/api/schemas/operations.ts';
import { problemSchema, problems, problemType } from '../../../functions/api/schemas/problem.ts';

const read = (path: string) => readFile(new URL(`../../../functions/api/${path}`, import.meta.url), 'utf8');

describe('the OpenAPI document', () => {
  it('is as the schemas say: run `npm run openapi` when it is not', async () => {
    expect(await read('openapi.json')).toBe(openApiText());
  });

  it('refers to nothing it does not hold', async () => {
    const text = await read('openapi.json');
    const { components } = JSON.parse(text);
    const referred = [...text.matchAll(/"\$ref": "([^"]+)"/g)].map(([, reference]) => reference);
    expect(referred.length).toBeGreaterThan(0);
    const held = Object.keys(components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(held).toEqual(expect.arrayContaining([...new Set(referred)]));
  });

  it.each(operations)('has $method $path', async ({ method, path, id }) => {
    expect(JSON.parse(await read('openapi.json'))).toHaveProperty(['paths', path, method, 'operationId'], id);
  });
});

interface Example {
  readonly at: string;
  readonly schema: z.ZodType;
  readonly example: unknown;
}

/** Every example beside a schema, down to the fields of fields. */
const examplesIn = (at: string, schema: z.ZodType): Example[] => {
  const example = schema.meta()?.['example'];
  const own = example === undefined ? [] : [{ at, schema, example }];
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.ZodType>(schema.shape);
    return [...own, ...fields.flatMap(([name, field]) => examplesIn(`${at}.${name}`, field))];
  }
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodType) {
    return [...own, ...examplesIn(`${at}[]`, schema.element)];
  }
  return own;
};

it.each(
  [
    ...operations.flatMap(({ id, pathParameters, query, headers, body, answer }) =>
      [pathParameters, query, headers, body, answer.schema].flatMap((schema) => examplesIn(id, schema)),
    ),
    ...examplesIn('problem', problemSchema),
  ].map((found) => [found.at, found] as const),
)('shows an example that fits its schema: %s', (_at, { schema, example }) => {
  expect(schema.parse(example)).toEqual(example);
});

describe('the documents', () => {
  it.each(Object.entries(problems))('tell the problem %s as it is', async (code, { status }) => {
    expect(await read('PROBLEMS.md')).toMatch(new RegExp(`\\| \`${code}\` *\\| ${status} `));
  });

  it.each(operations)('tell $method $path', async ({ method, path }) => {
    expect(await read('README.md')).toContain(`\`${method.toUpperCase()} ${path}\``);
  });

  it('tell what the types of problems look like', async () => {
    expect(await read('PROBLEMS.md')).toContain(problemType('same_file').replace('same_file', '<code>'));
  });
});
