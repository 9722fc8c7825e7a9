import * as z from 'zod';
import { isBroken } from '../../domain/readable-text.ts';
import type { Operation, RequestOf } from '../schemas/operations/operation.ts';
import type { GatewayRequest } from './gateway.ts';
import type { Problem } from './problem.ts';
import { problem } from './problem.ts';

const lowerCased = (headers: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Thrown and caught while a body is parsed. */
class BrokenText extends Error {}

/** Refuses broken text anywhere, including keys: S3 and the ledger do not accept it. */
const refuseBroken = (key: string, value: unknown): unknown => {
  if (isBroken(key) || (typeof value === 'string' && isBroken(value))) throw new BrokenText();
  return value;
};

/** Parses the body, or says what is wrong with it. An absent body is an empty object, because some POSTs need none. */
const readJson = (event: GatewayRequest): { readonly value: unknown } | { readonly wrong: string } => {
  const text = event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString('utf8') : (event.body ?? '');
  if (text === '') return { value: {} };
  try {
    return { value: JSON.parse(text, refuseBroken) };
  } catch (error) {
    const isBrokenText = error instanceof BrokenText;
    return {
      wrong: isBrokenText ? 'The body has half a character, or bytes that are not UTF-8.' : 'The body is not JSON.',
    };
  }
};

/** A plausible field name: no number, address or person's name. Other names are not repeated in an answer. */
const fieldLike = /^[A-Za-z_-]{1,40}$/;

const messageOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'unrecognized_keys' && !issue.keys.every((key) => fieldLike.test(key))
    ? 'There are unknown fields here.'
    : issue.message;

/** Keys of a map are the caller's words, so the same rule applies to them. */
const errorsOf = (part: string, error: z.ZodError) =>
  error.issues.slice(0, 20).map((issue) => ({
    where: [part, ...issue.path.map(String).filter((name) => fieldLike.test(name))].join('.'),
    message: messageOf(issue),
  }));

/** The IAM principal that API Gateway authenticated. `unknown` only where no authorizer runs. */
const callerOf = (event: GatewayRequest): string => {
  const { identity } = event.requestContext;
  return identity?.userArn ?? identity?.caller ?? 'unknown';
};

/**
 * Parses an API Gateway event by the operation's schemas, or returns a problem with at most 20 errors of each part. A bad path, a
 * missing Idempotency-Key and a body that is not readable JSON are reported alone.
 */
export const parseRequest = <Described extends Operation>(
  operation: Described,
  event: GatewayRequest,
): { readonly kind: 'parsed'; readonly request: RequestOf<Described> } | Problem => {
  const path = z.safeParse<Described['pathParameters']>(operation.pathParameters, event.pathParameters ?? {});
  if (!path.success) return problem('not_found');
  const given = lowerCased(event.headers ?? {});
  if ('idempotency-key' in operation.headers.shape && given['idempotency-key'] === undefined)
    return problem('idempotency_key_missing');
  const headers = z.safeParse<Described['headers']>(operation.headers, given);
  const query = z.safeParse<Described['query']>(operation.query, event.queryStringParameters ?? {});
  const json = readJson(event);
  if ('wrong' in json) return problem('invalid_request', { errors: [{ where: 'body', message: json.wrong }] });
  const body = z.safeParse<Described['body']>(operation.body, json.value);
  if (headers.success && query.success && body.success) {
    const request = {
      path: path.data,
      query: query.data,
      headers: headers.data,
      body: body.data,
      caller: callerOf(event),
    };
    return { kind: 'parsed', request };
  }
  const errors = Object.entries({ headers, query, body }).flatMap(([part, { error }]) =>
    error === undefined ? [] : errorsOf(part, error),
  );
  return problem('invalid_request', { errors });
};
