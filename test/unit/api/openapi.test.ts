import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiText } from '../../../functions/api/openapi/document.ts';
import { operations } from '../../../functions/api/schemas/operations/operations.ts';
import { reasonText } from '../../../functions/api/schemas/parameters.ts';
import { problemSchema } from '../../../functions/api/schemas/problem.ts';
import { startBatchBody } from '../../../functions/api/schemas/start-batch.ts';
import { problems, problemType } from '../../../functions/domain/problems.ts';
import { hasHidden, isBroken } from '../../../functions/domain/readable-text.ts';
import { batchCursor, lineCursor, payoutCursor } from '../../../functions/ledger/table/cursors.ts';
import { drawsAll } from '../../support/fast-loop.ts';

const read = (path: string) => readFile(new URL(`../../../functions/api/${path}`, import.meta.url), 'utf8');

describe('the OpenAPI document', () => {
  it('matches the schemas: otherwise run `npm run openapi`', async () => {
    expect(await read('openapi.json')).toBe(openApiText());
  });

  it('has no dangling reference', async () => {
    const text = await read('openapi.json');
    const { components } = JSON.parse(text);
    const referred = [...text.matchAll(/"\$ref": "([^"]+)"/g)].map(([, reference]) => reference);
    expect(referred.length).toBeGreaterThan(0);
    const held = Object.keys(components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(held).toEqual(expect.arrayContaining([...new Set(referred)]));
  });

  it.each(operations)('documents that IAM may refuse $method $path', async ({ method, path }) => {
    const { responses } = JSON.parse(await read('openapi.json')).paths[path][method];
    expect(responses).toHaveProperty(['403', 'content', 'application/json']);
  });

  it('lists the problems of a 403', async () => {
    const { responses } = JSON.parse(await read('openapi.json')).paths['/batches/{batchId}/reject'].post;
    expect(responses['403'].description).toMatch(/own_batch.*not_an_approver.*IAM/s);
    expect(Object.keys(responses['403'].content)).toEqual(['application/problem+json', 'application/json']);
  });

  it('has only portable patterns', async () => {
    expect(await read('openapi.json')).not.toContain('\\\\p{');
  });

  const reasonPattern = async () =>
    new RegExp(JSON.parse(await read('openapi.json')).components.schemas.Why.pattern, 'u');

  it.runIf(drawsAll)('has patterns that reject forbidden characters in bodies', async () => {
    const pattern = await reasonPattern();
    const characters = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code));
    const refused = characters.filter((each) => !pattern.test(`a${each}b`));
    const unlike = characters.filter((each) => (hasHidden(each) || isBroken(each)) !== !pattern.test(`a${each}b`));
    expect(refused.length).toBeGreaterThan(3_000);
    expect(unlike.filter((each) => !/\u200c|\u200d|\p{Variation_Selector}/u.test(each))).toEqual([]);
  });

  it.each([
    ['', false],
    ['  ', false],
    [' a ', true],
    ['\na', false],
    ['a\n', false],
  ])('has patterns that judge the reason %j as the API does', async (reason, isGood) => {
    expect((await reasonPattern()).test(reason)).toBe(isGood);
    expect(reasonText.safeParse(reason)).toMatchObject(isGood ? { data: reason.trim() } : { success: false });
  });

  it('limits the number of sums, and their digits', async () => {
    const { sums } = JSON.parse(await read('openapi.json')).components.schemas.ControlTotals.properties;
    expect(sums.maxProperties).toBe(100);
    expect(sums.additionalProperties.pattern).not.toContain('\\d');
  });

  it.each([
    ['the batch that a start answered', '/batches', 'post', '202', 'getBatch', { batchId: '$response.body#/batchId' }],
    ['a batch of a page', '/batches', 'get', '200', 'listPayouts', { batchId: '$response.body#/batches/0/batchId' }],
    [
      'a payout of a page',
      '/batches/{batchId}/payouts',
      'get',
      '200',
      'settlePayout',
      { reference: '$response.body#/payouts/0/reference' },
    ],
    [
      'the page after it',
      '/batches/{batchId}/payouts',
      'get',
      '200',
      'listPayoutsNext',
      { batchId: '$request.path.batchId', cursor: '$response.body#/cursor' },
    ],
    [
      'the batch of a reservation, which mostly exists',
      '/funds',
      'get',
      '200',
      'getBatch',
      { batchId: '$response.body#/reservations/0/batchId' },
    ],
  ])('lets a tool follow %s', async (_, path, method, status, link, parameters) => {
    const response = JSON.parse(await read('openapi.json')).paths[path][method].responses[status];
    expect(response.links[link]).toMatchObject({ parameters });
  });

  it('links to existing operations and parameters', async () => {
    const { paths } = JSON.parse(await read('openapi.json'));
    const links = operations.flatMap(({ path, method, answer }) =>
      Object.values<{ operationId: string; parameters: object }>(paths[path][method].responses[answer.status].links),
    );
    for (const { operationId, parameters } of links) {
      const { pathParameters, query } = operations.find(({ id }) => id === operationId) ?? {};
      const known = Object.keys({ ...pathParameters?.shape, ...query?.shape });
      expect(known).toEqual(expect.arrayContaining(Object.keys(parameters)));
    }
    expect(links.length).toBeGreaterThan(0);
  });

  it.each([
    ['/batches', batchCursor.read],
    ['/batches/{batchId}', lineCursor.read],
    ['/batches/{batchId}/payouts', payoutCursor.read],
  ] as const)('has an example of a valid cursor for GET %s', async (path, readCursor) => {
    const { get } = JSON.parse(await read('openapi.json')).paths[path];
    const { schema } = get.parameters.find(({ name }: { readonly name: string }) => name === 'cursor');
    expect(() => readCursor(schema.example)).not.toThrow();
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

/** Every example of a schema, including nested and optional fields. */
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
  if (schema instanceof z.ZodExactOptional) {
    const present = schema.unwrap();
    return present instanceof z.ZodType ? [...own, ...examplesIn(at, present)] : own;
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
  it.each(Object.entries(problems))('describe the problem %s', async (code, { status }) => {
    expect(await read('PROBLEMS.md')).toMatch(new RegExp(`\\| \`${code}\` *\\| ${status} `));
  });

  it.each(operations)('describe $method $path', async ({ method, path }) => {
    expect(await read('README.md')).toContain(`\`${method.toUpperCase()} ${path}\``);
  });

  it.each(Object.keys(startBatchBody.shape))('explain the option %s of a start', async (option) => {
    expect(await read('STARTING.md')).toContain(`\n| \`${option}\` |`);
  });

  it('describe the types of problems', async () => {
    expect(await read('PROBLEMS.md')).toContain(problemType('same_file').replace('same_file', '<code>'));
  });
});
