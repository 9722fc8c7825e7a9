import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod';

/** An answer of the payment service, as a caller got it. */
export interface SeenAnswer {
  readonly method: string;
  /** Relative to the base address, as it was asked for; a query does not matter. */
  readonly path: string;
  readonly status: number;
  /** Undefined for one that is not there. */
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
  readFileSync(new URL('../../../functions/payment-service/openapi.json', import.meta.url), 'utf8'),
);
const { paths, components } = openApi.parse(committed);

// The document is no schema itself: what it says besides schemas is none of the validator's words.
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ ...z.record(z.string(), z.unknown()).parse(committed), $id: 'document' });

/** JSON pointer of a place in the document. */
const pointer = (...parts: readonly string[]): string =>
  `document#${parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;

/** What of a JSON text does not fit the schema at a place of the document. */
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

/** A body that tells a status tells the one of HTTP. */
const misfitsOfStatus = ({ status, body }: SeenAnswer): readonly string[] => {
  const told = statusIn.safeParse(JSON.parse(body.toString('utf8'))).data?.statusCode;
  return told === undefined || told === status ? [] : [`the body says ${told}`];
};

const mediaType = (answer: SeenAnswer): string => answer.header('content-type')?.split(';')[0]?.trim() ?? '';

const errorSchema = pointer('components', 'schemas', 'Error');

/** An answer that belongs to no operation: an error, with one of these statuses. */
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

/** The document's path that a request's path stands for; one without parameters goes before one with. */
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

/** What a gateway says in place of the service. */
const gatewayBody = z.strictObject({ message: z.string() });

const jsonIn = (body: Buffer): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(body.toString('utf8')) };
  } catch {
    return undefined;
  }
};

/**
 * What a fault must look like that a merchant had put into its own sandbox, and the document does not know: no more than
 * that. All other faults are answers as the document has them.
 */
const faultyLooks: Readonly<Record<string, (answer: SeenAnswer) => readonly string[]>> = {
  drop: ({ status, body }) =>
    [502, 504].includes(status) && gatewayBody.safeParse(jsonIn(body)?.value).success ? [] : ['is no lost connection'],
  unparsable: ({ body }) => (jsonIn(body) === undefined ? [] : ['can be parsed']),
  contradiction: (answer) => {
    const told = statusIn.safeParse(jsonIn(answer.body)?.value).data?.statusCode;
    if (told === undefined || told === answer.status) return ['contradicts nothing'];
    return misfitsWithoutFaults({ ...answer, status: told });
  },
};

/** Where an answer does not fit the committed OpenAPI document; empty when it fits. */
export const misfitsOf = (answer: SeenAnswer): readonly string[] => {
  const faults = (answer.header('x-sandbox-fault') ?? '').split(', ').map((fault) => fault.replace(/^drop-.*/, 'drop'));
  const looks = faults.flatMap((fault) => faultyLooks[fault] ?? []);
  return looks.length === 0 ? misfitsWithoutFaults(answer) : looks.flatMap((misfits) => misfits(answer));
};

const misfitsWithoutFaults = (answer: SeenAnswer): readonly string[] => {
  const path = answer.path.split('?')[0] ?? '';
  // Gateways differ in whether an encoded slash is one.
  const [kept = [], taken = []] = [decodeURI, decodeURIComponent].map((decode) =>
    misfitsAt(answer, templateOf(decoded(path, decode))),
  );
  return taken.length === 0 ? taken : kept;
};

const misfitsAt = (answer: SeenAnswer, template: string | undefined): readonly string[] => {
  const method = answer.method.toLowerCase();
  // The gateway answers by itself what it cannot read (400), what comes too often, and what it has no route for.
  if (template === undefined) return misfitsOfUndocumented(answer, [400, 404, 429]);
  const documented = paths[template]?.[method];
  // What HEAD answers is the head of what GET does.
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

/** `GET /v1/balance 200: body/userId must be string`, one a misfit. */
export const tellMisfits = (answer: SeenAnswer): readonly string[] =>
  misfitsOf(answer).map((misfit) => `${answer.method} ${answer.path} ${answer.status}: ${misfit}`);

/** What of a webhook does not fit what the document says of its type. */
export const misfitsOfWebhook = (type: string, body: string): readonly string[] =>
  misfitsOfBody(
    Buffer.from(body),
    pointer('webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema'),
  );
