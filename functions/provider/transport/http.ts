import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as PlainAgent, request as requestPlain } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import { given } from '../../domain/given.ts';
import { openConnection } from './open-connection.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: URL;
  /** Path and query string exactly as in the request line. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the first DNS lookup to the last byte of the answer. */
  readonly timeoutMilliseconds: number;
  readonly maximumBytes: number;
}

export type HttpOutcome =
  /** `retryAfter`, `date`: the headers unchanged. */
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly body: Buffer;
      readonly retryAfter?: string;
      readonly date?: string;
    }
  /** No byte of the request can have reached the service. */
  | { readonly kind: 'not_sent'; readonly cause: string }
  /** The request may have reached the service, but no complete answer came back. */
  | { readonly kind: 'unknown'; readonly cause: string };

const resets = ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'];

const causeOf = (error: Error): string => {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (resets.includes(code)) return 'connection_reset';
  return code.startsWith('HPE_') ? 'unreadable_response' : 'connection_failed';
};

const collect = (
  response: IncomingMessage,
  maximumBytes: number,
  answer: (outcome: HttpOutcome) => void,
  abandon: () => void,
): void => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maximumBytes) {
      answer({ kind: 'unknown', cause: 'response_too_large' });
      abandon();
    } else {
      chunks.push(chunk);
    }
  });
  response.on('error', (error: Error) => answer({ kind: 'unknown', cause: causeOf(error) }));
  response.on('end', () => {
    const { statusCode } = response;
    if (!response.complete || statusCode === undefined) return answer({ kind: 'unknown', cause: 'connection_reset' });
    const { 'retry-after': retryAfter, date } = response.headers;
    answer({
      kind: 'response',
      status: statusCode,
      body: Buffer.concat(chunks),
      ...given({ retryAfter, date }),
    });
  });
};

/** Writes the request and reads its answer. The first event decides; later ones are ignored. */
const exchange = (made: ClientRequest, request: HttpRequest, deadline: AbortSignal): Promise<HttpOutcome> =>
  new Promise((resolve) => {
    const onDeadline = (): void => {
      resolve({ kind: 'unknown', cause: 'timeout' });
      made.destroy();
    };
    deadline.addEventListener('abort', onDeadline, { once: true });
    made.on('response', (response) => collect(response, request.maximumBytes, resolve, () => made.destroy()));
    made.on('error', (error: Error) => resolve({ kind: 'unknown', cause: causeOf(error) }));
    made.on('close', () => {
      deadline.removeEventListener('abort', onDeadline);
      resolve({ kind: 'unknown', cause: 'connection_reset' });
    });
    if (deadline.aborted) onDeadline();
    else made.end(request.body);
  });

const headersOf = (request: HttpRequest): Record<string, string> => ({
  ...request.headers,
  host: request.url.host,
  ...given({ 'content-length': request.body === undefined ? undefined : String(Buffer.byteLength(request.body)) }),
});

/** `AbortSignal.timeout` throws for a negative number or a fraction. */
const deadlineIn = (milliseconds: number): AbortSignal => AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)));

/**
 * Makes one request once, on its own connection: no retry, no redirect, no pooled socket that the other side may have closed.
 * Never throws for a failure of the network or the service.
 */
export const requestOnce = async (request: HttpRequest): Promise<HttpOutcome> => {
  const deadline = deadlineIn(request.timeoutMilliseconds);
  const connection = await openConnection(request.url, deadline);
  if (connection.kind === 'not_open') return { kind: 'not_sent', cause: connection.cause };
  const { socket } = connection;
  if (socket.destroyed || deadline.aborted) {
    socket.destroy();
    return { kind: 'not_sent', cause: deadline.aborted ? 'connect_timeout' : 'connection_failed' };
  }
  try {
    // Plain http.request writes to this socket, which is already encrypted for https.
    const made = requestPlain({
      method: request.method,
      path: request.path,
      headers: { ...headersOf(request), connection: 'close' },
      createConnection: () => socket,
    });
    return await exchange(made, request, deadline);
  } finally {
    socket.destroy();
  }
};

const agentOptions = { keepAlive: true, maxSockets: 32, maxFreeSockets: 8 } as const;
const plainAgent = new PlainAgent(agentOptions);
const secureAgent = new SecureAgent({ ...agentOptions, rejectUnauthorized: true });

const readOnce = (request: HttpRequest, deadline: AbortSignal): Promise<HttpOutcome> => {
  const options = { method: request.method, path: request.path, headers: headersOf(request) };
  const host = request.url.hostname.replace(/^\[|\]$/g, '');
  const made =
    request.url.protocol === 'http:'
      ? requestPlain({ ...options, host, port: request.url.port || '80', agent: plainAgent })
      : requestSecure({ ...options, host, port: request.url.port || '443', agent: secureAgent });
  return exchange(made, request, deadline);
};

/**
 * Makes one read on a pooled connection. The connection may have been closed while the function was frozen, so a reset read is
 * retried once, within the same timeout. Nothing else is retried here: the state machine does that.
 *
 * @param again the same request, signed again: the service may have seen the first one, and accepts each signature once
 */
export const requestRead = async (request: HttpRequest, again: () => Promise<HttpRequest>): Promise<HttpOutcome> => {
  const deadline = deadlineIn(request.timeoutMilliseconds);
  const first = await readOnce(request, deadline);
  if (first.kind !== 'unknown' || first.cause !== 'connection_reset') return first;
  try {
    return await readOnce(await again(), deadline);
  } catch {
    return first;
  }
};
