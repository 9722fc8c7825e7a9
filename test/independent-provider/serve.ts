import type { ServerResponse } from 'node:http';
import type { Extent, FaultyServer } from '../support/servers/faulty-server.ts';
import { serveWithFaults, writeAnswer } from '../support/servers/faulty-server.ts';
import type { Disbursement } from './account.ts';
import { Account, chance, Refused } from './account.ts';
import type { Asked, Methods } from './endpoints.ts';
import { answer } from './endpoints.ts';

export type ProviderOptions = {
  seed: string;
  /** Milliseconds since 1970. All durations are measured with this clock. */
  now: () => number;
  /** The share of requests that fail, 0 to 1. */
  faults: number;
  /** Milliseconds by which lists and lookups lag. */
  lag: number;
  /** The account's initial balances by currency. */
  funds: Record<string, string>;
  methods: Methods;
};

export interface IndependentProvider extends FaultyServer {
  /** Every disbursement ever made, to compare with the orchestrator's ledger. */
  readonly disbursements: readonly Disbursement[];
}

/**
 * Returns the headers that a request must have, from the document's table under Authentication. Their values are not checked,
 * because the document shows neither computation.
 */
const requiredHeaders = (method: string, path: string): string[] =>
  method === 'POST' || path === '/v1/balance' || path.endsWith('/payment-method')
    ? ['authorization']
    : ['x-signature', 'x-timestamp', 'x-client-id'];

/** Sends an answer. The code in its body decides: the HTTP status is 201 for every POST and 200 otherwise, even for refusals. */
const send = (response: ServerResponse, method: string, body: object | Uint8Array, extent: Extent): void => {
  const status = method === 'POST' ? 201 : 200;
  if (!(body instanceof Uint8Array)) {
    const json = { 'content-type': 'application/json; charset=utf-8' };
    writeAnswer(response, status, json, Buffer.from(JSON.stringify(body)), extent);
    return;
  }
  const pdf = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="disbursement.pdf"' };
  writeAnswer(response, status, pdf, body, extent);
};

const asBody = ({ statusCode, message }: Refused) => ({ statusCode, error: 'Not Found', message });

/** Starts the provider on a free loopback port. */
export const serve = async (options: ProviderOptions): Promise<IndependentProvider> => {
  const { seed, now, lag, methods } = options;
  const account = new Account(seed, options.funds);
  const carryOut = (asked: Asked): object | Uint8Array => {
    try {
      return answer(account, methods, lag, asked);
    } catch (error) {
      if (error instanceof Refused) return asBody(error);
      throw error;
    }
  };

  const server = await serveWithFaults<Omit<Asked, 'now'>>({
    now,
    rate: options.faults,
    chance: (...words) => chance(seed, ...words),
    read: ({ method = '', url = '', headers }, sent, response) => {
      const { pathname: path, searchParams: query } = new URL(url, 'http://provider');
      if (requiredHeaders(method, path).some((header) => !headers[header])) {
        send(response, method, asBody(new Refused(401, 'Unauthorized')), 'whole');
        return undefined;
      }
      return { method, path, query, body: sent === '' ? undefined : JSON.parse(sent) };
    },
    carryOut: (asked, at) => {
      const body = carryOut({ ...asked, now: at });
      return (response, extent) => send(response, asked.method, body, extent);
    },
    writeError: (response) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ statusCode: 500, error: 'Internal Server Error', message: 'Something went wrong' }),
      );
    },
    writeTooMany: (response) => {
      response.writeHead(429, { 'content-type': 'text/plain', 'retry-after': '1' });
      response.end('Too Many Requests');
    },
  });
  return { ...server, disbursements: account.disbursements };
};
