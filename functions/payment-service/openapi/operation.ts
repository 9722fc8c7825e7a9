import type { ErrorStatus } from '../http/answers.ts';
import { deprecationHeaders, deprecationOf } from '../http/deprecation.ts';
import type { Access, Endpoint } from '../http/endpoint.ts';
import { errorResponses } from './errors.ts';
import type { Json } from './json-schemas.ts';
import { jsonAt } from './json-schemas.ts';
import { linksOf } from './links.ts';

/** Translated schemas, by `<operation id>.query`, `.body` or `.answer`. */
type Translated = Readonly<Record<'sent' | 'received', Json>>;

export const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'The merchant’s API key.' },
  clientId: { type: 'apiKey', in: 'header', name: 'X-Client-ID' },
  timestamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Timestamp',
    description:
      'Unix milliseconds or nanoseconds, within five minutes of the service’s clock. A signature is accepted once.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Signature',
    description:
      'Hex HMAC-SHA256, keyed by the client secret, of `<timestamp>.<METHOD>.<path>.<hash>`: the path as sent, relative to the base ' +
      'address, with its query sorted by name; the hash is the hex SHA-256 of the body.',
  },
} as const;

const security: Readonly<Record<Access | 'none', readonly Json[]>> = {
  authorization: [{ apiKey: [] }],
  signed: [{ clientId: [], timestamp: [], signature: [] }],
  none: [],
};

/** `/v1/things/:id` in OpenAPI's notation: `/v1/things/{id}`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

/** Parameters that are texts: from descriptions by name. */
export const textParameters = (
  place: 'path' | 'header' | 'query',
  descriptions: Readonly<Record<string, string>>,
  required?: true,
): readonly Json[] =>
  Object.entries(descriptions).map(([name, description]) => ({
    name,
    in: place,
    required,
    schema: { type: 'string', description },
  }));

const pathParameters = (path: string): readonly Json[] => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const descriptionOf = (name: string): string =>
    name.endsWith('OrReference') ? 'The id, or the merchant’s reference.' : 'The id from the service’s answer.';
  return textParameters('path', Object.fromEntries(names.map((name) => [name, descriptionOf(name)])), true);
};

const queryParameters = (schema: Json): readonly Json[] => {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(jsonAt(schema, 'properties')).map(([name, described]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    // A parameter without a value counts as absent.
    allowEmptyValue: required.includes(name) ? undefined : true,
    schema: described,
  }));
};

/** The notice of deprecation that every answer of the endpoint carries. Documented for its success. */
const deprecated = (endpoint: Endpoint) => {
  const deprecation = deprecationOf(endpoint.route);
  if (deprecation === undefined) return { headers: {}, operation: {}, refuses: [] };
  const { removedAt, replacement } = deprecation;
  const { deprecation: since, sunset } = deprecationHeaders(deprecation);
  const lines = [
    ...(replacement === undefined ? [] : [`Use ${replacement}.`]),
    ...(removedAt === undefined ? [] : [`Answers 410 from ${removedAt.toISOString()} on.`]),
  ];
  return {
    headers: { Deprecation: `\`${since}\``, ...(sunset && { Sunset: `\`${sunset}\`` }) },
    operation: { deprecated: true, description: lines.length === 0 ? undefined : lines.join(' ') },
    refuses: removedAt === undefined ? [] : [410 as const],
  };
};

/** Headers that an answer always has: from descriptions by name. */
export const requiredHeaders = (descriptions: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      { description, required: true, schema: { type: 'string' } },
    ]),
  );

/** An endpoint as an operation of the document. */
export const describeOperation = (id: string, endpoint: Endpoint, translated: Translated): Json => {
  const { path, summary, access, answers, refuses = [] } = endpoint;
  const end = deprecated(endpoint);
  const parameters = [...pathParameters(path), ...queryParameters(jsonAt(translated.sent, `${id}.query`))];
  const headers = { ...answers.headers, ...end.headers };
  const common: readonly ErrorStatus[] = access === 'none' ? [400, 429, 500] : [400, 401, 429, 500];
  return {
    operationId: id,
    summary,
    ...end.operation,
    security: security[access],
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: endpoint.body && {
      required: true,
      content: { 'application/json': { schema: translated.sent[`${id}.body`] } },
    },
    responses: {
      [`${answers.statusCode}`]: {
        description: answers.statusCode === 201 ? 'Created.' : 'Done.',
        headers: Object.keys(headers).length === 0 ? undefined : requiredHeaders(headers),
        content: { [answers.contentType]: answers.body ? { schema: translated.received[`${id}.answer`] } : {} },
        ...linksOf(id),
      },
      ...errorResponses([...common, ...refuses, ...end.refuses]),
    },
  };
};
