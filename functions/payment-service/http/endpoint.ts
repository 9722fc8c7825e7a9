import type * as z from 'zod';
import type { Account } from '../domain/account.ts';
import type { PaymentServiceSettings } from '../settings.ts';
import type { Context } from '../store/context.ts';
import type { SuccessAnswer } from './answer-schemas.ts';
import type { Answer, ErrorBody, ErrorStatus } from './answers.ts';
import { badRequest } from './answers.ts';
import type { ServiceRequest } from './request.ts';
import { readJson } from './wire-json.ts';

/** The two ways for a caller to authenticate. The public document's table says which endpoint requires which. */
export type Access = 'signed' | 'authorization';

interface Place<Body> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** With parameters: `/v1/disbursement/fiat/:idOrReference`. */
  readonly path: string;
  /** Its purpose, in one line. */
  readonly summary: string;
  /** Its successful answer. */
  readonly answers: SuccessAnswer<Body>;
  /** Its own errors. Every endpoint also has 400, 429, 500, and 401 if it requires credentials. */
  readonly refuses?: readonly ErrorStatus[];
}

interface Route<Body> extends Place<Body> {
  readonly access: Access;
}

/** The parts of a request that an endpoint reads. */
interface Reads {
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
}

/** A request of an authenticated caller, before its own fields are read. */
interface Call {
  readonly account: Account;
  readonly params: ReadonlyMap<string, string>;
  readonly request: ServiceRequest;
}

interface GuardedEndpoint extends Route<unknown>, Reads {
  readonly answer: (context: Context, call: Call) => Promise<Answer>;
}

/** Answers everyone, without an account. */
interface OpenEndpoint extends Place<unknown>, Reads {
  readonly access: 'none';
  readonly answer: (settings: PaymentServiceSettings, request: ServiceRequest) => Promise<Answer>;
}

/** One endpoint of the API, ready to be routed to. */
export type Endpoint = GuardedEndpoint | OpenEndpoint;

/** An endpoint answers the success that it declares, or an error. */
type Given<Body> = Promise<Answer<NoInfer<Body & object> | ErrorBody>>;

/** The first problem with a request: `disburseData[3].amount: must be a positive number`. */
const complaint = (error: z.ZodError): string => {
  const issue = error.issues[0];
  if (issue === undefined) return 'the request is not valid';
  const where = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
  return where === '' ? issue.message : `${where}: ${issue.message}`;
};

/** The last value of a repeated name counts. A name without a value is ignored. */
const queryObject = (request: ServiceRequest): Record<string, string> =>
  Object.fromEntries([...new Map(request.query)].filter(([, value]) => value !== ''));

/** Answers with a value of this schema, or refuses it with its first problem. */
const withParsed = async <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  answer: (parsed: z.output<Schema>) => Promise<Answer>,
): Promise<Answer> => {
  const parsed = schema.safeParse(value);
  return parsed.success ? answer(parsed.data) : badRequest(complaint(parsed.error));
};

/** An endpoint that reads only its path. */
export const plainEndpoint = <Body>(
  route: Route<Body>,
  answer: (context: Context, call: Call) => Given<Body>,
): GuardedEndpoint => ({ ...route, answer });

/** An endpoint with query parameters. */
export const queryEndpoint = <Query extends z.ZodType, Body>(
  route: Route<Body>,
  query: Query,
  answer: (context: Context, call: Call, query: z.output<Query>) => Given<Body>,
): GuardedEndpoint => ({
  ...route,
  query,
  answer: (context, call) => withParsed(query, queryObject(call.request), (parsed) => answer(context, call, parsed)),
});

/** An endpoint with query parameters that requires no credentials. */
export const openEndpoint = <Query extends z.ZodType, Body>(
  place: Place<Body>,
  query: Query,
  answer: (settings: PaymentServiceSettings, query: z.output<Query>) => Given<Body>,
): OpenEndpoint => ({
  ...place,
  query,
  access: 'none',
  answer: (settings, request) => withParsed(query, queryObject(request), (parsed) => answer(settings, parsed)),
});

/** An endpoint with a JSON body. */
export const bodyEndpoint = <Schema extends z.ZodType, Body>(
  route: Route<Body>,
  body: Schema,
  answer: (context: Context, call: Call, body: z.output<Schema>) => Given<Body>,
): GuardedEndpoint => ({
  ...route,
  body,
  answer: async (context, call) => {
    const json = readJson(call.request.body);
    if (json === undefined) return badRequest('the body is not JSON');
    return withParsed(body, json.value, (parsed) => answer(context, call, parsed));
  },
});
