import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { HttpRequest } from '../../../functions/provider/transport/http.ts';
import { requestOnce, requestRead } from '../../../functions/provider/transport/http.ts';
import type { Http } from '../../../functions/provider/transport/transport.ts';
import type { LoopbackServer } from './loopback-server.ts';
import { serveOnLoopback } from './loopback-server.ts';

/** Faults of a request, and whether the request is still processed. */
const faults = [
  { kind: 'processed, no answer', done: 'now' },
  { kind: 'answer cut', done: 'now' },
  { kind: 'processed, then an error', done: 'now' },
  { kind: 'timeout, processed late', done: 'late' },
  { kind: 'timeout, never processed', done: 'never' },
  { kind: 'gateway error', done: 'never' },
  { kind: 'too many requests', done: 'never' },
] as const;

/** Delay in milliseconds before "timeout, processed late" is processed. */
const lateBy = 2_000;

/** The extent of an answer: whole, or only its first half. */
export type Extent = 'whole' | 'cut';

/** A service that is served with faults and writes its own answers. */
export interface FaultyService<Asked> {
  /** Milliseconds. */
  readonly now: () => number;
  /** The share of requests that go wrong, 0 to 1. */
  readonly rate: number;
  /** A number from 0 to 1 that depends only on the words. */
  readonly chance: (...words: (string | number)[]) => number;
  /** Parses a request. Undefined when the request is already answered. */
  readonly read: (request: IncomingMessage, sent: string, response: ServerResponse) => Asked | undefined;
  /** Processes the request, and returns a function that writes the answer. */
  readonly carryOut: (asked: Asked, now: number) => (response: ServerResponse, extent: Extent) => void;
  readonly writeError: (response: ServerResponse) => void;
  readonly writeTooMany: (response: ServerResponse) => void;
}

export interface FaultyServer extends LoopbackServer {
  /** Number of faults by kind. */
  readonly struck: ReadonlyMap<string, number>;
  /** Number of requests received. */
  requests(): number;
  /**
   * Real sockets. A request that will not be answered waits only briefly. Any other waits as long as its client does, because a
   * busy machine may be slow.
   */
  readonly http: Http;
  /** Processes late requests that are due. Each request does so first. */
  carryOutLate(): void;
}

/** Milliseconds that a request waits for an answer that will not come. */
const brieflyMs = 120;

/** Faults that reset the connection. */
const resets = new Set<string | undefined>(['answer cut', 'processed, no answer']);

/** Requests with equal words share their faults. */
const wordsOf = (request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>, sent: string): string =>
  `${request.method} ${request.url} ${request.headers['idempotency-key'] ?? ''} ${sent}`;

/** Serves on loopback. Faults depend only on the request and its repetitions, not on the order of concurrent requests. */
export const serveWithFaults = async <Asked>(service: FaultyService<Asked>): Promise<FaultyServer> => {
  const { now, rate, chance, carryOut } = service;
  const times = new Map<string, number>();
  const struck = new Map<string, number>();
  let late: { readonly at: number; readonly asked: Asked }[] = [];
  let requests = 0;

  /** The fault of the next request with these words, or of a later one. */
  const nextFaultOf = (words: string, later = 0): (typeof faults)[number] | undefined => {
    const time = (times.get(words) ?? 0) + 1 + later;
    if (chance('fault', words, time) >= rate) return undefined;
    return faults[Math.floor(chance('kind', words, time) * faults.length)];
  };

  const faultOf = (words: string): ReturnType<typeof nextFaultOf> => {
    const fault = nextFaultOf(words);
    times.set(words, (times.get(words) ?? 0) + 1);
    return fault;
  };

  const carryOutLate = (): void => {
    for (const { at, asked } of late.filter((one) => one.at <= now())) carryOut(asked, at);
    late = late.filter((one) => one.at > now());
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await text(request);
    requests += 1;
    carryOutLate();
    const asked = service.read(request, sent, response);
    if (asked === undefined) return;
    const fault = faultOf(wordsOf(request, sent));
    if (fault === undefined) {
      carryOut(asked, now())(response, 'whole');
      return;
    }
    struck.set(fault.kind, (struck.get(fault.kind) ?? 0) + 1);
    if (fault.done === 'late') late.push({ at: now() + lateBy, asked });
    const write = fault.done === 'now' ? carryOut(asked, now()) : undefined;
    switch (fault.kind) {
      case 'answer cut':
        write?.(response, 'cut');
        break;
      case 'processed, no answer':
        response.destroy();
        break;
      case 'processed, then an error':
        service.writeError(response);
        break;
      case 'gateway error':
        response.writeHead(502, { 'content-type': 'text/html' });
        response.end('<html><body><h1>502 Bad Gateway</h1></body></html>');
        break;
      case 'too many requests':
        service.writeTooMany(response);
        break;
      case 'timeout, processed late':
      case 'timeout, never processed':
        // No answer is sent until the client gives up.
        break;
    }
  };

  const server = await serveOnLoopback((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const isUnanswered = (words: string, later = 0): boolean =>
    nextFaultOf(words, later)?.kind.startsWith('timeout') === true;
  const timed = (request: HttpRequest): HttpRequest => {
    const words = wordsOf({ ...request, url: request.path }, request.body ?? '');
    // The client repeats a read whose connection is reset.
    const isRepeated = request.method === 'GET' && resets.has(nextFaultOf(words)?.kind);
    return isUnanswered(words, isRepeated ? 1 : 0) ? { ...request, timeoutMilliseconds: brieflyMs } : request;
  };
  const http: Http = {
    requestOnce: (request) => requestOnce(timed(request)),
    requestRead: (request, again) => requestRead(timed(request), again),
  };
  return { ...server, struck, requests: () => requests, http, carryOutLate };
};

/** Writes an answer, or half of it. */
export const writeAnswer = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  extent: Extent,
): void => {
  response.writeHead(status, { ...headers, 'content-length': body.byteLength });
  if (extent === 'whole') response.end(body);
  else response.write(body.subarray(0, body.byteLength / 2), () => response.destroy());
};
