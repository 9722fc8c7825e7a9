import * as z from 'zod';
import type { Account } from '../domain/account.ts';
import type { Answer } from './answers.ts';
import { badRequest } from './answers.ts';
import type { ServiceRequest } from './request.ts';
import { readJson } from './wire-json.ts';

/** How a caller proves who they are; which endpoint asks for which is the document's table. */
export type Access = 'signed' | 'authorization';

interface Place {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** With parameters: `/v1/disbursement/fiat/:idOrReference`. */
  readonly path: string;
}

interface Route extends Place {
  readonly access: Access;
}

/** What is known of a request of anybody's before its own fields are read. */
interface OpenCall {
  readonly params: ReadonlyMap<string, string>;
  readonly request: ServiceRequest;
}

/** The same of a caller who proved who they are. */
export interface Call extends OpenCall {
  readonly account: Account;
}

interface GuardedEndpoint<Ports> extends Route {
  readonly answer: (ports: Ports, call: Call) => Promise<Answer>;
}

/** Answers whoever asks, and knows no account. */
interface OpenEndpoint<Ports> extends Place {
  readonly access: 'none';
  readonly answer: (ports: Ports, call: OpenCall) => Promise<Answer>;
}

/** One endpoint of the interface, ready to be routed to. `Ports` is what it needs of the service. */
export type Endpoint<Ports> = GuardedEndpoint<Ports> | OpenEndpoint<Ports>;

/** `disburseData[3].amount: must be a positive number`, of the first thing that is wrong. */
function complaint(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'the request is not valid';
  const where = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}

const queryObject = (request: ServiceRequest): Record<string, string> => Object.fromEntries(request.query);

/** An endpoint that reads nothing but its path. */
export const plainEndpoint = <Ports>(
  route: Route,
  answer: (ports: Ports, call: Call) => Promise<Answer>,
): GuardedEndpoint<Ports> => ({ ...route, answer });

/** An endpoint with query parameters; a name given twice counts as its last value. */
export const queryEndpoint = <Ports, Schema extends z.ZodType>(
  route: Route,
  schema: Schema,
  answer: (ports: Ports, call: Call, query: z.output<Schema>) => Promise<Answer>,
): GuardedEndpoint<Ports> => ({
  ...route,
  answer: async (ports, call) => {
    const parsed = schema.safeParse(queryObject(call.request));
    return parsed.success ? await answer(ports, call, parsed.data) : badRequest(complaint(parsed.error));
  },
});

/** An endpoint with query parameters that asks nobody who they are. */
export const openEndpoint = <Ports, Schema extends z.ZodType>(
  place: Place,
  schema: Schema,
  answer: (ports: Ports, query: z.output<Schema>) => Promise<Answer>,
): OpenEndpoint<Ports> => ({
  ...place,
  access: 'none',
  answer: async (ports, { request }) => {
    const parsed = schema.safeParse(queryObject(request));
    return parsed.success ? await answer(ports, parsed.data) : badRequest(complaint(parsed.error));
  },
});

/** An endpoint with a JSON body. */
export const bodyEndpoint = <Ports, Schema extends z.ZodType>(
  route: Route,
  schema: Schema,
  answer: (ports: Ports, call: Call, body: z.output<Schema>) => Promise<Answer>,
): GuardedEndpoint<Ports> => ({
  ...route,
  answer: async (ports, call) => {
    const json = readJson(call.request.body.toString('utf8'));
    if (json === undefined) return badRequest('the body is not JSON');
    const parsed = schema.safeParse(json.value);
    return parsed.success ? await answer(ports, call, parsed.data) : badRequest(complaint(parsed.error));
  },
});

/** One of a few words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

const hasControlCharacters = /\p{Cc}/u;

/** Text of a bounded length without control characters. */
export const text = (maximum: number) =>
  z
    .string({ error: 'must be a text' })
    .trim()
    .min(1, 'must not be empty')
    .max(maximum, `must have at most ${maximum} characters`)
    .refine((value) => !hasControlCharacters.test(value), 'must not hold control characters');

/** A client's id of a disbursement: what can stand in a path as it is. */
export const reference = z
  .string({ error: 'must be a text' })
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._~:@+=-]{0,127}$/,
    'must be 1 to 128 letters, digits or . _ ~ : @ + = -, a letter or digit first',
  );
