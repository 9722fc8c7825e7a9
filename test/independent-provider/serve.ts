import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveOnLoopback } from '../support/loopback-server.ts';
import type { Disbursement } from './account.ts';
import { Account, Refused } from './account.ts';
import type { Asked, Methods } from './endpoints.ts';
import { answer } from './endpoints.ts';
import { faultsOf } from './faults.ts';

export type ProviderOptions = {
  seed: string;
  /** Milliseconds; whatever has a duration reads it here. */
  now: () => number;
  /** The share of requests that go wrong, 0 to 1. */
  faults: number;
  /** Milliseconds by which lists and look-ups are behind. */
  lag: number;
  /** What the account holds at first, by currency. */
  funds: Record<string, string>;
  methods: Methods;
};

export type IndependentProvider = {
  url: string;
  /** Every disbursement that was ever made: the truth of what was paid. */
  disbursements: Disbursement[];
  /** How often each kind of fault struck. */
  struck: Map<string, number>;
  /** How many requests came. */
  requests: () => number;
  close: () => Promise<void>;
};

/** "Time out, and done late" is carried out when this many milliseconds have passed. */
const lateBy = 2_000;

/** The document's table under Authentication: how the request must be signed. Neither computation is shown, so none is checked. */
const needed = (method: string, path: string): string[] =>
  method === 'POST' || path === '/v1/balance' || path.endsWith('/payment-method')
    ? ['authorization']
    : ['x-signature', 'x-timestamp', 'x-client-id'];

/** The code in the body is the one to read: over HTTP a refusal comes as 200, and what was created as 201. */
const send = (response: ServerResponse, method: string, told: object | Uint8Array, cut: boolean): void => {
  const isFile = told instanceof Uint8Array;
  const body = isFile ? told : Buffer.from(JSON.stringify(told));
  response.writeHead(method === 'POST' ? 201 : 200, {
    'content-type': isFile ? 'application/pdf' : 'application/json; charset=utf-8',
    'content-length': body.byteLength,
    ...(isFile && { 'content-disposition': 'attachment; filename="disbursement.pdf"' }),
  });
  if (!cut) response.end(body);
  else response.write(body.subarray(0, body.byteLength / 2), () => response.destroy());
};

const asBody = ({ statusCode, message }: Refused) => ({ statusCode, error: 'Not Found', message });

/** Starts the provider on a free port of loopback. */
export const serve = async (options: ProviderOptions): Promise<IndependentProvider> => {
  const { seed, now, lag, methods } = options;
  const account = new Account(seed, options.funds);
  const faultOf = faultsOf(seed, options.faults);
  const struck = new Map<string, number>();
  const late: { at: number; asked: Asked }[] = [];

  const carryOut = (asked: Asked): object | Uint8Array => {
    try {
      return answer(account, methods, lag, asked);
    } catch (error) {
      if (error instanceof Refused) return asBody(error);
      throw error;
    }
  };

  const carryOutLate = (): void => {
    for (const { at, asked } of late.filter((one) => one.at <= now())) carryOut({ ...asked, now: at });
    late.splice(0, late.length, ...late.filter((one) => one.at > now()));
  };

  let requests = 0;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request;
    const { pathname: path, searchParams: query } = new URL(url, 'http://provider');
    const sent = await text(request);
    requests += 1;
    carryOutLate();
    if (needed(method, path).some((header) => !request.headers[header])) {
      send(response, method, asBody(new Refused(401, 'Unauthorized')), false);
      return;
    }
    const asked = { method, path, query, body: sent === '' ? undefined : JSON.parse(sent), now: now() };
    const fault = faultOf(`${method} ${url} ${sent}`);
    if (fault) struck.set(fault.kind, (struck.get(fault.kind) ?? 0) + 1);
    if (fault?.done === 'late') late.push({ at: now() + lateBy, asked });
    const told = !fault || fault.done === 'now' ? carryOut(asked) : {};
    switch (fault?.kind) {
      case undefined:
        send(response, method, told, false);
        return;
      case 'answer cut':
        send(response, method, told, true);
        return;
      case 'no answer, and done':
        response.destroy();
        return;
      case 'error after it was done':
        response.writeHead(500, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ statusCode: 500, error: 'Internal Server Error', message: 'Something went wrong' }),
        );
        return;
      case 'error of a gateway':
        response.writeHead(502, { 'content-type': 'text/html' });
        response.end('<html><body><h1>502 Bad Gateway</h1></body></html>');
        return;
      case 'too many requests':
        response.writeHead(429, { 'content-type': 'text/plain', 'retry-after': '1' });
        response.end('Too Many Requests');
        return;
      default:
        // Nothing is said until the client has had enough.
        return;
    }
  };

  const { url, close } = await serveOnLoopback((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  return {
    url,
    disbursements: account.disbursements,
    struck,
    requests: () => requests,
    close,
  };
};
