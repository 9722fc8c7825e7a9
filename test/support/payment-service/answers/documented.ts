import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod';

/** An answer of the payment service, as its caller received it. */
export interface SeenAnswer {
  readonly method: string;
  /** The requested path, relative to the base address. A query is ignored. */
  readonly path: string;
  readonly status: number;
  /** Undefined when the answer has no such header. */
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
}

const response = z.looseObject({
  headers: z.record(z.string(), z.unknown()).default({}),
  content: z.record(z.string(), z.looseObject({})).default({}),
});
type DocumentedResponse = z.infer<typeof response>;

const operation = z.looseObject({
  responses: z.record(z.string(), z.union([z.strictObject({ $ref: z.string() }), response])),
});

const openApi = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ responses: z.record(z.string(), response) }),
});

const committed: unknown = JSON.parse(
  readFileSync(new URL('../../../../functions/payment-service/openapi.json', import.meta.url), 'utf8'),
);
const { paths, components } = openApi.parse(committed);

// The document is not itself a schema: the validator does not know its other keywords.
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ ...z.record(z.string(), z.unknown()).parse(committed), $id: 'document' });

/** The JSON pointer to a part of the document. */
const pointer = (...parts: readonly string[]): string =>
  `document#${parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;

/** The ways in which a JSON text breaks the schema at this pointer. */
const misfitsOfBody = (body: Buffer, schemaAt: string): readonly string[] => {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return ['the body is not JSON'];
  }
  const validate = ajv.getSchema(schemaAt);
  if (validate === undefined) return [`the document has nothing at ${schemaAt}`];
  validate(value);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `body${instancePath} ${message} ${JSON.stringify(params)}`,
  );
};

const statusIn = z.object({ statusCode: z.number() });

/** A status in the body must equal the HTTP status. */
const misfitsOfStatus = ({ status, body }: SeenAnswer): readonly string[] => {
  const bodyStatus = statusIn.safeParse(JSON.parse(body.toString('utf8'))).data?.statusCode;
  return bodyStatus === undefined || bodyStatus === status ? [] : [`the status in the body is ${bodyStatus}`];
};

const mediaType = (answer: SeenAnswer): string => answer.header('content-type')?.split(';')[0]?.trim() ?? '';

const errorSchema = pointer('components', 'schemas', 'Error');

/** An answer outside every operation must be an error with one of these statuses. */
const misfitsOfUndocumented = (answer: SeenAnswer, statuses: readonly number[]): readonly string[] => {
  if (!statuses.includes(answer.status)) return [`is not documented, and answers ${answer.status}`];
  if (answer.method === 'HEAD') return [];
  // The hosted page is for people, and so are its errors.
  if (answer.path.startsWith('/checkout/') && mediaType(answer) === 'text/html') return [];
  if (mediaType(answer) !== 'application/json') return [`is of type ${mediaType(answer)}`];
  const found = misfitsOfBody(answer.body, errorSchema);
  return found.length > 0 ? found : misfitsOfStatus(answer);
};

const matches = (template: string, path: string): boolean => {
  const [wanted, given] = [template.split('/'), path.replace(/\/$/, '').split('/')];
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith('{') || part === given[index]);
};

const decoded = (path: string, decode: (text: string) => string): string => {
  try {
    return decode(path);
  } catch {
    return path;
  }
};

/** The document's path for a request's path. Literal paths win over parameters. */
const templateOf = (path: string): string | undefined => {
  const found = Object.keys(paths).filter((template) => matches(template, path));
  return found.toSorted((a, b) => a.split('{').length - b.split('{').length)[0];
};

const misfitsOfDocumented = (
  answer: SeenAnswer,
  { headers, content }: DocumentedResponse,
  contentAt: readonly string[],
): readonly string[] => {
  const missing = Object.keys(headers).filter((name) => answer.header(name.toLowerCase()) === undefined);
  const withoutHeaders = missing.map((name) => `has no header ${name}`);
  if (Object.keys(content).length === 0)
    return answer.body.length === 0 ? withoutHeaders : [...withoutHeaders, 'has a body'];
  const type = mediaType(answer);
  const described = content[type];
  if (described === undefined) return [...withoutHeaders, `is of type ${type}`];
  if (type !== 'application/json') return answer.body.length === 0 ? [...withoutHeaders, 'is empty'] : withoutHeaders;
  const found = misfitsOfBody(answer.body, pointer(...contentAt, 'content', type, 'schema'));
  return [...withoutHeaders, ...(found.length > 0 ? found : misfitsOfStatus(answer))];
};

/** The body of a gateway's own answers. */
const gatewayBody = z.strictObject({ message: z.string() });

const jsonIn = (body: Buffer): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(body.toString('utf8')) };
  } catch {
    return undefined;
  }
};

/**
 * The exact effect of the faults that the document does not describe. The answers of all other faults are documented.
 */
const faultyLooks: Readonly<Record<string, (answer: SeenAnswer) => readonly string[]>> = {
  drop: ({ status, body }) =>
    [502, 504].includes(status) && gatewayBody.safeParse(jsonIn(body)?.value).success ? [] : ['is no lost connection'],
  unparsable: ({ body }) => (jsonIn(body) === undefined ? [] : ['can be parsed']),
  contradiction: (answer) => {
    const bodyStatus = statusIn.safeParse(jsonIn(answer.body)?.value).data?.statusCode;
    if (bodyStatus === undefined || bodyStatus === answer.status) return ['contradicts nothing'];
    return misfitsWithoutFaults({ ...answer, status: bodyStatus });
  },
};

/** The ways in which an answer differs from the committed OpenAPI document. Empty when it matches. */
export const misfitsOf = (answer: SeenAnswer): readonly string[] => {
  const faults = (answer.header('x-sandbox-fault') ?? '').split(', ').map((fault) => fault.replace(/^drop-.*/, 'drop'));
  const looks = faults.flatMap((fault) => faultyLooks[fault] ?? []);
  return looks.length === 0 ? misfitsWithoutFaults(answer) : looks.flatMap((misfits) => misfits(answer));
};

const misfitsWithoutFaults = (answer: SeenAnswer): readonly string[] => {
  const path = answer.path.split('?')[0] ?? '';
  // Gateways differ in whether an encoded slash separates segments.
  const [kept = [], taken = []] = [decodeURI, decodeURIComponent].map((decode) =>
    misfitsAt(answer, templateOf(decoded(path, decode))),
  );
  return taken.length === 0 ? taken : kept;
};

const misfitsAt = (answer: SeenAnswer, template: string | undefined): readonly string[] => {
  const method = answer.method.toLowerCase();
  // The gateway itself answers unreadable requests (400), too many requests (429), and paths without a route (404).
  if (template === undefined) return misfitsOfUndocumented(answer, [400, 404, 429]);
  const documented = paths[template]?.[method];
  // HEAD answers with the headers of GET.
  if (method === 'head' && paths[template]?.['get']?.responses[answer.status] !== undefined) return [];
  if (documented === undefined) {
    const allow = answer.status === 405 && answer.header('allow') === undefined ? ['has no header Allow'] : [];
    return [...misfitsOfUndocumented(answer, [400, 405, 429]), ...allow];
  }
  const given = documented.responses[answer.status.toString()];
  if (given === undefined) return [`answers ${answer.status}, which is not documented`];
  if (!('$ref' in given) || typeof given.$ref !== 'string') {
    return misfitsOfDocumented(answer, response.parse(given), [
      'paths',
      template,
      method,
      'responses',
      `${answer.status}`,
    ]);
  }
  const name = given.$ref.replace('#/components/responses/', '');
  return misfitsOfDocumented(answer, response.parse(components.responses[name]), ['components', 'responses', name]);
};

/** The same as text: `GET /v1/balance 200: body/userId must be string`. */
export const describeMisfits = (answer: SeenAnswer): readonly string[] =>
  misfitsOf(answer).map((misfit) => `${answer.method} ${answer.path} ${answer.status}: ${misfit}`);

/** The ways in which a webhook differs from the document's description of its type. */
export const misfitsOfWebhook = (type: string, body: string): readonly string[] =>
  misfitsOfBody(
    Buffer.from(body),
    pointer('webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema'),
  );
