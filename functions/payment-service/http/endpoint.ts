import * as z from 'zod';
import type { Account } from '../domain/account.ts';
import { Refused } from '../domain/refused.ts';
import type { Context } from '../store/context.ts';
import type { Answer, ErrorStatus } from './answers.ts';
import { failure, RefusedWith } from './answers.ts';
import type { ServiceRequest } from './request.ts';
import type { Success } from './success.ts';
import { readJson } from './wire-json.ts';

/** The two ways for a caller to authenticate. The public document's table says which endpoint requires which. */
export type Access = 'signed' | 'authorization';

export interface Place<Data> {
  /** Method and path, with parameters: `GET /v1/disbursement/fiat/:idOrReference`. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'PATCH'} /${string}`;
  /** Its purpose, in one line. */
  readonly summary: string;
  /** Its successful answer. */
  readonly answers: Success<Data>;
  /** Its own errors. Every endpoint also has 400, 429, 500, and 401 if it requires credentials. */
  readonly refuses?: readonly ErrorStatus[];
}

/** A request of an authenticated caller, before its own fields are read. */
interface Call {
  readonly account: Account;
  readonly params: ReadonlyMap<string, string>;
  readonly request: ServiceRequest;
}

interface Routed extends Place<never> {
  readonly method: string;
  readonly path: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
}

interface GuardedEndpoint extends Routed {
  readonly access: Access;
  readonly answer: (context: Context, call: Call) => Promise<Answer>;
}

/** What endpoints without an account work with. */
export type OpenContext = Pick<Context, 'settings' | 'now'>;

interface OpenEndpoint extends Routed {
  readonly access: 'none';
  readonly answer: (context: OpenContext, request: ServiceRequest) => Promise<Answer>;
}

/** One endpoint of the API, ready to be routed to. */
export type Endpoint = GuardedEndpoint | OpenEndpoint;

/** The data of the success that an endpoint declares, or a refusal. */
type Result<Data> = Promise<NoInfer<Data> | Refused>;

const routed = <Declared extends Place<never>>(place: Declared) => {
  const [method = '', path = ''] = place.route.split(' ');
  return { ...place, method, path };
};

const answerOf = <Data>(
  { answers }: Place<Data>,
  result: NoInfer<Data> | Refused,
  { requestId }: ServiceRequest,
  { now }: OpenContext,
): Answer => {
  if (!(result instanceof Refused)) return answers.answerWith(result, requestId, now());
  return failure(result instanceof RefusedWith ? result.statusCode : 400, result.message);
};

/** The message where a schema has none of its own. */
const messageOf: z.core.$ZodErrorMap = ({ code, expected }) =>
  code === 'invalid_type' && expected === 'object' ? 'must be an object' : undefined;

/** The first problem with a request: `disburseData[3].amount: must be a positive number`. */
const complaint = ({ issues: [issue] }: z.ZodError): string => {
  if (issue === undefined) return 'the request is not valid';
  const where = z.core.toDotPath(issue.path);
  if (where !== '') return `${where}: ${issue.message}`;
  return issue.code === 'invalid_type' ? `the body ${issue.message}` : issue.message;
};

/** Works with a value of this schema, or refuses it with its first problem. */
const withParsed = async <Schema extends z.ZodType, Worked>(
  schema: Schema,
  value: unknown,
  work: (parsed: z.output<Schema>) => Promise<Worked>,
): Promise<Worked | Refused> => {
  const parsed = schema.safeParse(value, { error: messageOf });
  return parsed.success ? await work(parsed.data) : new Refused(complaint(parsed.error));
};

/** The last value of a repeated name counts. A name without a value is ignored. */
const queryObject = (request: ServiceRequest): Record<string, string> =>
  Object.fromEntries([...new Map(request.query)].filter(([, value]) => value !== ''));

/** `Given` are the values that the endpoint reads from a request, besides its path. */
interface GuardedPlace<Data, Given extends readonly unknown[] = []> extends Place<Data> {
  readonly access: Access;
  readonly work: (context: Context, call: Call, ...given: Given) => Result<Data>;
}

/** An endpoint that reads only its path. */
export const plainEndpoint = <Data>({ work, ...place }: GuardedPlace<Data>): GuardedEndpoint => ({
  ...routed(place),
  answer: async (context, call) => answerOf(place, await work(context, call), call.request, context),
});

interface QueryPlace<Query extends z.ZodType, Data> extends GuardedPlace<Data, [query: z.output<Query>]> {
  readonly query: Query;
}

/** An endpoint with query parameters. */
export const queryEndpoint = <Query extends z.ZodType, Data>({ query, work, ...place }: QueryPlace<Query, Data>) => ({
  ...plainEndpoint<Data>({
    ...place,
    work: (context, call) => withParsed(query, queryObject(call.request), (parsed) => work(context, call, parsed)),
  }),
  query,
});

interface OpenPlace<Query extends z.ZodType, Data> extends Place<Data> {
  readonly query: Query;
  readonly work: (context: OpenContext, query: z.output<Query>) => Result<Data>;
}

/** An endpoint with query parameters that requires no credentials. */
export const openEndpoint = <Query extends z.ZodType, Data>({
  query,
  work,
  ...place
}: OpenPlace<Query, Data>): OpenEndpoint => ({
  ...routed(place),
  query,
  access: 'none',
  answer: async (context, request) => {
    const worked = await withParsed(query, queryObject(request), (parsed) => work(context, parsed));
    return answerOf(place, worked, request, context);
  },
});

interface BodyPlace<Body extends z.ZodType, Data> extends GuardedPlace<Data, [body: z.output<Body>]> {
  readonly body: Body;
}

/** An endpoint with a JSON body. */
export const bodyEndpoint = <Body extends z.ZodType, Data>({ body, work, ...place }: BodyPlace<Body, Data>) => ({
  ...plainEndpoint<Data>({
    ...place,
    work: async (context, call) => {
      const json = readJson(call.request.body);
      if (json === undefined) return new Refused('the body is not JSON');
      return await withParsed(body, json.value, (parsed) => work(context, call, parsed));
    },
  }),
  body,
});
