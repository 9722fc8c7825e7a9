import { globSync, readdirSync, readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as byFunction from '../../../../functions/payment-service/endpoints/by-function.ts';
import { deprecationOf } from '../../../../functions/payment-service/http/deprecation.ts';
import { openApiText } from '../../../../functions/payment-service/openapi/document.ts';
import { templateOf } from '../../../../functions/payment-service/openapi/operation.ts';

const { everyEndpoint } = byFunction;
const root = new URL('../../../../functions/payment-service/', import.meta.url);
const text = readFileSync(new URL('openapi.json', root), 'utf8');
const document: unknown = JSON.parse(text);
const endpoints = Object.entries(everyEndpoint()).map(
  ([id, endpoint]) => [`${endpoint.method} ${endpoint.path}`, { id, ...endpoint }] as const,
);

const operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string() })).default([]),
  responses: z.record(
    z.string(),
    z.object({
      links: z
        .record(z.string(), z.object({ operationId: z.string(), parameters: z.record(z.string(), z.string()) }))
        .default({}),
    }),
  ),
});
const { paths } = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) }).parse(document);
const operations = Object.values(paths).flatMap((path) => Object.values(path));

/** Every schema of a field, with its path. */
const emptyFields = (value: unknown, at: string): readonly string[] => {
  const parsed = z.record(z.string(), z.unknown()).safeParse(value);
  if (!parsed.success)
    return Array.isArray(value) ? value.flatMap((part, index) => emptyFields(part, `${at}/${index}`)) : [];
  return Object.entries(parsed.data).flatMap(([key, part]) => {
    const place = `${at}/${key}`;
    const fields = key === 'properties' ? Object.entries(z.record(z.string(), z.unknown()).parse(part)) : [];
    const empty = fields.filter(([, schema]) => JSON.stringify(schema) === '{}').map(([name]) => `${place}/${name}`);
    return [...empty, ...emptyFields(part, place)];
  });
};

describe('the OpenAPI document of the payment service', () => {
  it('is up to date: otherwise run `npm run openapi`', () => {
    expect(text).toBe(openApiText());
  });

  it('is valid OpenAPI 3.1, and has no dangling reference', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(text))).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it.each(endpoints)('has %s', (_, { method, path, id, answers }) => {
    const at = ['paths', templateOf(path), method.toLowerCase()];
    expect(document).toHaveProperty([...at, 'operationId'], id);
    expect(document).toHaveProperty([...at, 'responses', `${answers.statusCode}`, 'content', answers.contentType]);
  });

  it('gives every operation a unique id', () => {
    const { everyEndpoint: _, ...lists } = byFunction;
    const ids = Object.values(lists).flatMap(Object.keys);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('links every creation to existing operations and parameters', () => {
    const known = new Map(operations.map(({ operationId, parameters }) => [operationId, parameters]));
    const links = operations.flatMap(({ operationId, responses }) =>
      Object.values(responses).flatMap((response) =>
        Object.values(response.links).map((link) => ({ ...link, from: operationId })),
      ),
    );
    for (const { operationId, parameters } of links) {
      const names = known.get(operationId)?.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(Object.keys(parameters)));
    }
    const creations = operations.map(({ operationId }) => operationId).filter((id) => id.startsWith('create'));
    expect(creations.length).toBeGreaterThan(0);
    expect(links.map(({ from }) => from)).toEqual(expect.arrayContaining(creations));
  });

  it('gives every field a type', () => {
    expect(emptyFields(document, '')).toEqual([]);
    // In bank details, a field with that name is text. In our own schemas, it never is.
    expect(text).not.toMatch(/"wire": \{\s*"type": "(?!string")/);
  });

  it.each(endpoints.filter(([, endpoint]) => deprecationOf(endpoint.route) !== undefined))(
    'says that %s is deprecated, and by which header',
    (_, { method, path, answers }) => {
      const at = ['paths', templateOf(path), method.toLowerCase()];
      expect(document).toHaveProperty([...at, 'deprecated'], true);
      expect(document).toHaveProperty([...at, 'responses', `${answers.statusCode}`, 'headers', 'Deprecation']);
    },
  );

  it('has every endpoint, and each list of endpoints is served by one function', async () => {
    const modules = globSync('*/*.ts', { cwd: new URL('endpoints/', root) }).concat([
      'get-balance.ts',
      'get-openapi-document.ts',
    ]);
    const exported = await Promise.all(modules.map((name) => import(new URL(`endpoints/${name}`, root).href)));
    const isEndpoint = (value: unknown) => z.object({ method: z.string(), path: z.string() }).safeParse(value).success;
    const found = exported.flatMap((module) => Object.entries(module).filter(([, value]) => isEndpoint(value)));
    expect(everyEndpoint()).toEqual(Object.fromEntries(found));

    const handlers = readdirSync(new URL('handlers/', root)).map((name) =>
      readFileSync(new URL(`handlers/${name}`, root), 'utf8'),
    );
    const served = handlers.flatMap((source) => /serveEndpoints\((\w+)\)/.exec(source)?.[1] ?? []);
    const { everyEndpoint: _, ...lists } = byFunction;
    expect(served.toSorted()).toEqual(Object.keys(lists).toSorted());
    expect(Object.values(lists).flatMap(Object.keys)).toHaveLength(endpoints.length);
  });
});
