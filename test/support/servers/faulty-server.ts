import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { LoopbackServer } from './loopback-server.ts';
import { serveOnLoopback } from './loopback-server.ts';

/** What may go wrong with a request, and whether it is carried out all the same. */
const faults = [
  { kind: 'no answer, and done', done: 'now' },
  { kind: 'answer cut', done: 'now' },
  { kind: 'error after it was done', done: 'now' },
  { kind: 'time out, and done late', done: 'late' },
  { kind: 'time out, and not done', done: 'never' },
  { kind: 'error of a gateway', done: 'never' },
  { kind: 'too many requests', done: 'never' },
] as const;

/** "Time out, and done late" is carried out when this many milliseconds have passed. */
const lateBy = 2_000;

/** What of it is written: all, or its first half and no more. */
export type Extent = 'whole' | 'cut';

/** A service that is served with faults, in words of its own. */
export interface FaultyService<Asked> {
  /** Milliseconds. */
  readonly now: () => number;
  /** The share of requests that go wrong, 0 to 1. */
  readonly rate: number;
  /** A number from 0 to 1 that is the same whenever the words are. */
  readonly chance: (...words: (string | number)[]) => number;
  /** What a request asks, and in which words: equal ones share their luck. One that is answered already is undefined. */
  readonly read: (
    request: IncomingMessage,
    sent: string,
    response: ServerResponse,
  ) => { readonly asked: Asked; readonly words: string } | undefined;
  /** Does what was asked, and answers how to write the answer. */
  readonly carryOut: (asked: Asked, now: number) => (response: ServerResponse, extent: Extent) => void;
  readonly tellError: (response: ServerResponse) => void;
  readonly tellTooMany: (response: ServerResponse) => void;
}

export interface FaultyServer extends LoopbackServer {
  /** How often each kind of fault struck. */
  readonly struck: ReadonlyMap<string, number>;
  /** How many requests came. */
  requests(): number;
  /** Carries out what is late and due. Each request does so first. */
  carryOutLate(): void;
}

/** Serves on loopback. What goes wrong hangs on what is asked and how often: which of two requests comes first changes nothing. */
export const serveWithFaults = async <Asked>(service: FaultyService<Asked>): Promise<FaultyServer> => {
  const { now, rate, chance, carryOut } = service;
  const times = new Map<string, number>();
  const struck = new Map<string, number>();
  let late: { readonly at: number; readonly asked: Asked }[] = [];
  let requests = 0;

  const faultOf = (words: string): (typeof faults)[number] | undefined => {
    const time = (times.get(words) ?? 0) + 1;
    times.set(words, time);
    if (chance('fault', words, time) >= rate) return undefined;
    return faults[Math.floor(chance('kind', words, time) * faults.length)];
  };

  const carryOutLate = (): void => {
    for (const { at, asked } of late.filter((one) => one.at <= now())) carryOut(asked, at);
    late = late.filter((one) => one.at > now());
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await text(request);
    requests += 1;
    carryOutLate();
    const one = service.read(request, sent, response);
    if (one === undefined) return;
    const { asked, words } = one;
    const fault = faultOf(words);
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
      case 'no answer, and done':
        response.destroy();
        break;
      case 'error after it was done':
        service.tellError(response);
        break;
      case 'error of a gateway':
        response.writeHead(502, { 'content-type': 'text/html' });
        response.end('<html><body><h1>502 Bad Gateway</h1></body></html>');
        break;
      case 'too many requests':
        service.tellTooMany(response);
        break;
      case 'time out, and done late':
      case 'time out, and not done':
        // Nothing is said until the client has had enough.
        break;
    }
  };

  const server = await serveOnLoopback((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  return { ...server, struck, requests: () => requests, carryOutLate };
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
