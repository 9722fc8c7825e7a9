import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { GatewayEvent } from '../../../functions/payment-service/http/request.ts';
import { serveOnLoopback } from './loopback-server.ts';

/** API Gateway's event for a request: the fields that our functions read. */
export type ProxyEvent = GatewayEvent & Pick<APIGatewayProxyEvent, 'queryStringParameters'>;

export type Lambda = (event: ProxyEvent) => Promise<APIGatewayProxyResult>;

/** Returns a path's parameters, decoded as the gateway does. Undefined when the path does not match the template. */
export const parametersOf = (template: string, path: string): Readonly<Record<string, string>> | undefined => {
  const [wanted, given] = [template.split('/'), path.split('/')];
  const pairs = wanted.map((part, index) => [part, given[index] ?? ''] as const);
  const fits = pairs.every(([part, segment]) => (part.startsWith('{') ? segment !== '' : part === segment));
  if (!fits || wanted.length !== given.length) return undefined;
  const parameters = pairs.filter(([part]) => part.startsWith('{'));
  return Object.fromEntries(parameters.map(([part, segment]) => [part.slice(1, -1), decodeURIComponent(segment)]));
};

export interface LoopbackGateway {
  /** Without a trailing slash. */
  readonly url: string;
  /** The number of 2xx responses, or 303 for a form, by operation: `GET /v1/deposit/fiat/{idOrReference}`. */
  readonly successes: ReadonlyMap<string, number>;
  readonly close: () => Promise<void>;
}

const joined = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value.join(', ') : value;

const queryOf = (parameters: URLSearchParams) => {
  const names = [...new Set(parameters.keys())];
  return {
    // The gateway uses the last value.
    queryStringParameters: Object.fromEntries(names.map((name) => [name, parameters.getAll(name).at(-1) ?? ''])),
    multiValueQueryStringParameters: Object.fromEntries(names.map((name) => [name, parameters.getAll(name)])),
  };
};

const eventOf = async (request: IncomingMessage, requestId: string): Promise<ProxyEvent> => {
  const [path = '/', search = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const body = await buffer(request);
  return {
    requestContext: { requestId },
    httpMethod: request.method ?? 'GET',
    path,
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, joined(value)])),
    ...queryOf(new URLSearchParams(search)),
    body: body.length === 0 ? null : body.toString('base64'),
    isBase64Encoded: body.length > 0,
  };
};

/**
 * Serves functions over HTTP on a free loopback port, like API Gateway with all media types binary. It runs in this process, so a
 * request takes a millisecond.
 *
 * @param operations the document's operations, such as `POST /v1/checkout`
 */
export const openGateway = async (lambda: Lambda, operations: readonly string[]): Promise<LoopbackGateway> => {
  let requests = 0;
  const successes = new Map(operations.map((operation) => [operation, 0]));
  // Literal paths come before parameters, because `{` sorts after the letters.
  const byPlace = operations.toSorted();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests += 1;
    const event = await eventOf(request, `request-${requests}`);
    const { statusCode, headers = {}, body, isBase64Encoded = false } = await lambda(event);
    const operation = byPlace.find((one) => parametersOf(one, `${event.httpMethod} ${event.path}`) !== undefined);
    if (operation !== undefined && (statusCode < 300 || statusCode === 303))
      successes.set(operation, (successes.get(operation) ?? 0) + 1);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
    response.writeHead(statusCode).end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
  };
  const { url, close } = await serveOnLoopback((request, response) => {
    // When a function throws, the caller gets a 502.
    answer(request, response).catch((error: unknown) => response.writeHead(502).end(String(error)));
  });
  return {
    url,
    successes,
    close,
  };
};
