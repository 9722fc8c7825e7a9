import * as z from 'zod';
import { given } from '../../domain/given.ts';
import type { ProblemCode } from '../../domain/problems.ts';
import { anyRequest, problems, problemType, retryAfterSeconds } from '../../domain/problems.ts';
import type { Operation } from '../schemas/operations/operation.ts';
import { operations } from '../schemas/operations/operations.ts';
import { problemSchema } from '../schemas/problem.ts';
import { linksOf } from './links.ts';
import { withRanges } from './readable-pattern.ts';
import { webhookPath } from './webhook-path.ts';

type Json = Readonly<Record<string, unknown>>;

interface Response {
  readonly description: string;
  readonly content: Json;
  readonly headers?: Json;
}

/** Rewrites a schema's keyword for OpenAPI. zod refers to schemas with an id under $defs, OpenAPI under components. */
const asOpenApi = (keyword: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  if (keyword === '$ref') return value.replace('#/$defs/', '#/components/schemas/');
  return keyword === 'pattern' ? withRanges(value) : value;
};

/** Translates many zod schemas together, so that shared ones become one component. */
const translate = (schemas: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output') => {
  const { properties: named = {}, $defs: components } = z.toJSONSchema(z.object(schemas), { io });
  return { named, components };
};

const inputs = translate(
  Object.fromEntries(
    operations.flatMap(({ id, pathParameters: path, query, headers: header, body }) =>
      Object.entries({ path, query, header, body }).map(([part, schema]) => [`${id}.${part}`, schema]),
    ),
  ),
  'input',
);
const outputs = translate(
  { problem: problemSchema, ...Object.fromEntries(operations.map(({ id, answer }) => [id, answer.schema])) },
  'output',
);

const parametersOf = (operation: Operation, place: 'path' | 'query' | 'header'): Json[] => {
  const described = inputs.named[`${operation.id}.${place}`];
  if (typeof described !== 'object') return [];
  const { properties = {}, required = [] } = described;
  return Object.entries(properties).map(([name, schema]) => ({
    name: name === 'idempotency-key' ? 'Idempotency-Key' : name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
  }));
};

const retryAfter: Json = {
  description: 'Seconds to wait before sending the same request again. Nothing happens twice.',
  schema: { type: 'integer' },
};

/** OpenAPI has one response per HTTP status, so problems with the same status share one. */
const problemResponses = (codes: readonly ProblemCode[]): Readonly<Record<string, Response>> =>
  Object.fromEntries(
    [...Map.groupBy(codes, (code) => problems[code].status)].map(([status, described]) => {
      const lines = described.map((code) => `\`${problemType(code)}\`: ${problems[code].title}.`);
      const waits = described.some((code) => retryAfterSeconds[code] !== undefined);
      const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
      const headers = waits ? { headers: { 'Retry-After': retryAfter } } : {};
      return [status, { description: lines.join('\n\n'), ...headers, content }];
    }),
  );

/** API Gateway's own response. It is not a problem, and its body is for people. */
const notAllowed: Response = {
  description: 'IAM does not allow the request, or its signature is invalid.',
  content: { 'application/json': { schema: { type: 'object' } } },
};

const describeOperation = (operation: Operation): Json => {
  const { id, summary, description, answer } = operation;
  const hasBody = Object.keys(operation.body.shape).length > 0;
  const needsBody = !operation.body.safeParse({}).success;
  const hasPath = Object.keys(operation.pathParameters.shape).length > 0;
  const { 403: forbidden, ...refusals } = problemResponses([
    'invalid_request',
    ...(hasPath ? (['not_found'] as const) : []),
    ...operation.problems,
    ...anyRequest,
  ]);
  return {
    operationId: id,
    summary,
    description,
    parameters: (['path', 'query', 'header'] as const).flatMap((place) => parametersOf(operation, place)),
    ...given({
      requestBody: hasBody
        ? { required: needsBody, content: { 'application/json': { schema: inputs.named[`${id}.body`] } } }
        : undefined,
    }),
    responses: {
      [`${answer.status}`]: {
        description: answer.description,
        content: { [answer.file?.contentType ?? 'application/json']: { schema: outputs.named[id] } },
        links: linksOf(operation, operations),
      },
      ...refusals,
      403: {
        description: [...(forbidden ? [forbidden.description] : []), notAllowed.description].join('\n\n'),
        content: { ...forbidden?.content, ...notAllowed.content },
      },
    },
  };
};

const describePaths = (): Json => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describeOperation(operation) };
  }
  return paths;
};

/** The OpenAPI 3.1 document of the operator API, made from the schemas that parse requests. */
const openApiDocument = (): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Payout orchestrator',
    version: '1',
    description:
      'Starts, follows and steers batches of payouts. Requests are signed with AWS Signature Version 4 (service ' +
      '`execute-api`). Amounts are exact decimals in strings. Errors are RFC 9457 problem details.',
  },
  security: [{ sigv4: [] }],
  paths: { ...describePaths(), ...webhookPath(problemResponses) },
  components: {
    securitySchemes: {
      sigv4: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'AWS Signature Version 4.',
        'x-amazon-apigateway-authtype': 'awsSigv4',
      },
    },
    schemas: { ...inputs.components, ...outputs.components },
  },
});

/** Half of a surrogate pair, as in characters beyond U+FFFF. Escaped, because nobody could see it in a pattern. */
const half = /[\ud800-\udfff]/g;
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16)}`;

/** The document's text, as committed. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), asOpenApi, 2).replace(half, escaped)}\n`;
