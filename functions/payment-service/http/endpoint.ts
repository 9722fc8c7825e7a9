import * as z from 'zod';
import type { Account } from '../domain/account.ts';
import { isReservedReference, referencePattern } from '../domain/reference.ts';
import type { Answer, ErrorBody, ErrorStatus } from './answers.ts';
import { badRequest } from './answers.ts';
import type { ServiceRequest } from './request.ts';
import type { SuccessAnswer } from './success-answer.ts';
import { readJsonBody } from './wire-json.ts';

/** How a caller proves who they are; which endpoint asks for which is the document's table. */
export type Access = 'signed' | 'authorization';

interface Place<Body> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** With parameters: `/v1/disbursement/fiat/:idOrReference`. */
  readonly path: string;
  /** Its name in the OpenAPI document, unique: a verb and what it is about. */
  readonly id: string;
  /** What it does in one line. */
  readonly summary: string;
  /** A success. */
  readonly answers: SuccessAnswer<Body>;
  /** What it may answer besides what any endpoint may: 400, 429, 500, and 401 where it asks for credentials. */
  readonly refuses?: readonly ErrorStatus[];
}

interface Route<Body> extends Place<Body> {
  readonly access: Access;
}

/** How an endpoint reads what a request says. */
interface Reads {
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
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

interface GuardedEndpoint<Ports> extends Route<unknown>, Reads {
  readonly answer: (ports: Ports, call: Call) => Promise<Answer>;
}

/** Answers whoever asks, and knows no account. */
interface OpenEndpoint<Ports> extends Place<unknown>, Reads {
  readonly access: 'none';
  readonly answer: (ports: Ports, call: OpenCall) => Promise<Answer>;
}

/** One endpoint of the interface, ready to be routed to. `Ports` is what it needs of the service. */
export type Endpoint<Ports> = GuardedEndpoint<Ports> | OpenEndpoint<Ports>;

/** What an endpoint answers: what it said a success looks like, or an error. */
type Given<Body> = Promise<Answer<NoInfer<Body & object> | ErrorBody>>;

/** `disburseData[3].amount: must be a positive number`, of the first thing that is wrong. */
const complaint = (error: z.ZodError): string => {
  const issue = error.issues[0];
  if (issue === undefined) return 'the request is not valid';
  const where = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
  return where === '' ? issue.message : `${where}: ${issue.message}`;
};

/** A name given twice counts as its last value, and one without a value as not given. */
const queryObject = (request: ServiceRequest): Record<string, string> =>
  Object.fromEntries([...new Map(request.query)].filter(([, value]) => value !== ''));

/** An endpoint that reads nothing but its path. */
export const plainEndpoint = <Ports, Body>(
  route: Route<Body>,
  answer: (ports: Ports, call: Call) => Given<Body>,
): GuardedEndpoint<Ports> => ({ ...route, answer });

/** An endpoint with query parameters. */
export const queryEndpoint = <Ports, Query extends z.ZodType, Body>(
  route: Route<Body>,
  query: Query,
  answer: (ports: Ports, call: Call, query: z.output<Query>) => Given<Body>,
): GuardedEndpoint<Ports> => ({
  ...route,
  query,
  answer: async (ports, call) => {
    const parsed = query.safeParse(queryObject(call.request));
    return parsed.success ? await answer(ports, call, parsed.data) : badRequest(complaint(parsed.error));
  },
});

/** An endpoint with query parameters that asks nobody who they are. */
export const openEndpoint = <Ports, Query extends z.ZodType, Body>(
  place: Place<Body>,
  query: Query,
  answer: (ports: Ports, query: z.output<Query>) => Given<Body>,
): OpenEndpoint<Ports> => ({
  ...place,
  query,
  access: 'none',
  answer: async (ports, { request }) => {
    const parsed = query.safeParse(queryObject(request));
    return parsed.success ? await answer(ports, parsed.data) : badRequest(complaint(parsed.error));
  },
});

/** An endpoint with a JSON body. */
export const bodyEndpoint = <Ports, Schema extends z.ZodType, Body>(
  route: Route<Body>,
  body: Schema,
  answer: (ports: Ports, call: Call, body: z.output<Schema>) => Given<Body>,
): GuardedEndpoint<Ports> => ({
  ...route,
  body,
  answer: async (ports, call) => {
    const json = readJsonBody(call.request.body);
    if (json === undefined) return badRequest('the body is not JSON');
    const parsed = body.safeParse(json.value);
    return parsed.success ? await answer(ports, call, parsed.data) : badRequest(complaint(parsed.error));
  },
});

/** One of a few words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

const hasControlCharacters = /\p{Cc}/u;

/** The same for OpenAPI, since many tools know no Unicode properties; and not blanks alone. */
const readable = String.raw`^[^\u0000-\u001f\u007f-\u009f]*[^\s\ufeff\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$`;

/** Text of a bounded length without control characters. */
export const text = (maximum: number) =>
  z
    .string({ error: 'must be a text' })
    .trim()
    .min(1, 'must not be empty')
    .max(maximum, `must have at most ${maximum} characters`)
    .refine((value) => !hasControlCharacters.test(value), 'must not hold control characters')
    .meta({ pattern: readable });

const isNotALine =
  /^[\s\p{Join_Control}\p{Variation_Selector}]*$|[\p{Zl}\p{Zp}\u2800\ufff9-\ufffb[\p{Default_Ignorable_Code_Point}--[\p{Join_Control}\p{Variation_Selector}]]]/v;

/** The same for OpenAPI, control characters among them. Dialects share no escape beyond U+FFFF. */
const unseen = String.raw`\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb${'\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}'}`;
const joining = String.raw`\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f${'\u{e0100}-\u{e01ef}'}`;
const lineOfText = String.raw`^[^${unseen}]*[^\s${unseen}${joining}][^${unseen}]*$`;

/** Text whose characters are all shown, joiners and variation selectors apart, and neither turn nor break its line. */
export const line = (maximum: number) =>
  text(maximum)
    .refine((value) => !isNotALine.test(value), 'must be one line, without characters that are not shown')
    .meta({ pattern: lineOfText });

/** A client's id of a record: what can stand in a path as it is, and means nothing else there. */
export const reference = z
  .string({ error: 'must be a text' })
  .regex(referencePattern, 'must be 1 to 128 letters, digits or . _ ~ : @ + = -, a letter or digit first')
  .refine(
    (given) => !isReservedReference(given),
    'must be neither a word of the paths, as estimate, nor of the form of an id',
  );
