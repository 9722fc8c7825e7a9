import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { GatewayEvent } from '../../functions/payment-service/http/request.ts';

/** What API Gateway tells a function of a request, as far as ours read it. */
export type ProxyEvent = GatewayEvent & Pick<APIGatewayProxyEvent, 'queryStringParameters'>;

export type Lambda = (event: ProxyEvent) => Promise<APIGatewayProxyResult>;

export interface LoopbackGateway {
  /** No slash at its end. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const joined = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value.join(', ') : value;

const queryOf = (parameters: URLSearchParams) => {
  const names = [...new Set(parameters.keys())];
  return {
    // The last one counts, as the gateway has it.
    queryStringParameters: Object.fromEntries(names.map((name) => [name, parameters.getAll(name).at(-1) ?? ''])),
    multiValueQueryStringParameters: Object.fromEntries(names.map((name) => [name, parameters.getAll(name)])),
  };
};

async function eventOf(request: IncomingMessage, requestId: string, isBinary: boolean): Promise<ProxyEvent> {
  const [path = '/', search = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const body = await buffer(request);
  return {
    requestContext: { requestId },
    httpMethod: request.method ?? 'GET',
    path,
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, joined(value)])),
    ...queryOf(new URLSearchParams(search)),
    body: body.length === 0 ? null : body.toString(isBinary ? 'base64' : 'utf8'),
    isBase64Encoded: isBinary && body.length > 0,
  };
}

/**
 * API Gateway in front of Lambda on a free port of the loopback, in this process: a tool that speaks HTTP reaches the
 * functions in a millisecond.
 *
 * @param isBinary whether the functions get bodies in base64, as the API's binary media types say
 */
export async function openGateway(
  lambda: Lambda,
  { isBinary }: { readonly isBinary: boolean },
): Promise<LoopbackGateway> {
  let requests = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests += 1;
    const event = await eventOf(request, `request-${requests}`, isBinary);
    const { statusCode, headers = {}, body, isBase64Encoded = false } = await lambda(event);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
    response.writeHead(statusCode).end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
  };
  const server = createServer((request, response) => {
    // What a function throws is a 502 to the caller.
    answer(request, response).catch((error: unknown) => response.writeHead(502).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the gateway has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
