import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { service } from '../service-under-test.ts';
import type { SeenAnswer } from './documented.ts';
import { describeMisfits } from './documented.ts';

/**
 * Compares every answer that this process gets from the payment service with its OpenAPI document: tests use `fetch`,
 * and the orchestrator's client uses `node:https`. Test files share this module, so that each answer is compared once.
 */
const baseUrl = new URL(service.url);
const prefix = baseUrl.pathname.replace(/\/$/, '');

let seen: { readonly answer: string; readonly misfits: readonly string[] }[] = [];

let reported = 0;

/** Every answer since the test file began: `GET /v1/balance 200`. */
export const watchedAnswers = (): readonly string[] => seen.map(({ answer }) => answer);

/** Forgets the answers of the test file before this one. */
export const watchAnew = (): void => {
  seen = [];
  reported = 0;
};

const look = (answer: SeenAnswer): void => {
  const path = answer.path.split('?')[0];
  seen.push({ answer: `${answer.method} ${path} ${answer.status}`, misfits: describeMisfits(answer) });
};

/** The hosted page is for customers. It is not part of the API, and answers with pages. */
const isForCustomers = (path: string): boolean => path.startsWith('/checkout/');

/** The path of a request relative to the service's base address. Undefined for requests to other addresses. */
const placeOf = (host: string, path: string): string | undefined => {
  if (host !== baseUrl.host || !path.startsWith(prefix)) return undefined;
  const place = path.slice(prefix.length);
  return isForCustomers(place) ? undefined : place;
};

const fetchPlainly = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const given = await fetchPlainly(input, init);
  const url = new URL(input instanceof Request ? input.url : input);
  const path = placeOf(url.host, `${url.pathname}${url.search}`);
  if (path === undefined) return given;
  look({
    method: init?.method ?? 'GET',
    path,
    status: given.status,
    header: (name) => given.headers.get(name) ?? undefined,
    body: Buffer.from(await given.clone().arrayBuffer()),
  });
  return given;
};

interface Finished {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
}

const headerText = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(', ');

// Attached before the client's own listeners, so that both read the same bytes.
subscribe('http.client.response.finish', (message) => {
  const { request, response } = message as Finished;
  const path = placeOf(`${request.getHeader('host')}`, request.path);
  if (path === undefined) return;
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () =>
    look({
      method: request.method,
      path,
      status: response.statusCode ?? 0,
      header: (name) => headerText(response.headers[name]),
      body: Buffer.concat(chunks),
    }),
  );
});

/** Throws when an answer since the last call does not match the document. */
export const failOnMisfits = (): void => {
  const fresh = seen.slice(reported).flatMap(({ misfits }) => misfits);
  reported = seen.length;
  if (fresh.length > 0) throw new Error(`Answers that do not match the OpenAPI document:\n${fresh.join('\n')}`);
};
