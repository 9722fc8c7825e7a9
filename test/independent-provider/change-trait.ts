import { buffer } from 'node:stream/consumers';
import { serveOnLoopback } from '../support/servers/loopback-server.ts';

/** A request on its way to the provider. A turn may change it. */
export interface Passing {
  readonly headers: Map<string, string>;
  readonly url: URL;
}

/** The fields of the document's error body. */
export interface Refusal {
  readonly statusCode: number;
  readonly message: string;
}

/** One trait that differs from the documented provider. */
export interface Turn {
  /** Returns a refusal. Undefined when the request passes. */
  readonly pass?: (request: Passing) => Refusal | undefined;
  /** Returns another message for a refusal. */
  readonly say?: (refusal: Refusal) => string;
}

const refusalOf = (text: string): Refusal | undefined => {
  if (!text.startsWith('{')) return undefined;
  const { statusCode, message } = JSON.parse(text);
  return statusCode >= 400 ? { statusCode, message } : undefined;
};

/** Starts a proxy on loopback that behaves like the target provider with one trait changed. */
export const turned = async (target: string, { pass, say }: Turn) => {
  return serveOnLoopback(async (request, response) => {
    const url = new URL(request.url ?? '', target);
    const headers = new Map(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const body = await buffer(request);
    const refuse = (refusal: Refusal): void => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...refusal, error: 'Not Found', message: say?.(refusal) ?? refusal.message }));
    };
    const refused = pass?.({ headers, url });
    if (refused !== undefined) return refuse(refused);
    for (const name of ['host', 'connection', 'content-length']) headers.delete(name);
    const { method = 'GET' } = request;
    const answer = await fetch(url, { method, headers: [...headers], ...(method === 'GET' ? {} : { body }) });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const refusal = refusalOf(bytes.toString());
    if (refusal !== undefined) return refuse(refusal);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(bytes);
  });
};

const unauthorized: Refusal = { statusCode: 401, message: 'Unauthorized' };
const isList = ({ url }: Passing): boolean => /\/v1\/disbursement\/(fiat|crypto)$/.test(url.pathname);
const lacks =
  (path: RegExp) =>
  ({ url: { pathname } }: Passing): Refusal | undefined =>
    path.test(pathname) ? { statusCode: 404, message: `Cannot GET ${pathname}` } : undefined;

/** Expects a header under another name. */
const renamed =
  (name: string, other: string) =>
  ({ headers }: Passing): Refusal | undefined => {
    const value = headers.get(other);
    headers.delete(name);
    if (value !== undefined) headers.set(name, value);
    // A request with neither header passes on. The provider refuses it if it needs one.
    return undefined;
  };

/** Changes of every trait that requests can reveal. */
export const turns = {
  'the key in a header of its own': { pass: renamed('authorization', 'x-api-key') },
  'another prefix of the key': {
    pass: ({ headers }) => {
      const value = headers.get('authorization');
      return value === undefined || value.startsWith('Token ') ? undefined : unauthorized;
    },
  },
  'the signature in another header': { pass: renamed('x-signature', 'x-sign') },
  'the time in another header': { pass: renamed('x-timestamp', 'x-time') },
  'the client id in another header': { pass: renamed('x-client-id', 'x-merchant') },
  'pages of 20 at most': {
    pass: (request) =>
      isList(request) && Number(request.url.searchParams.get('limit')) > 20
        ? { statusCode: 400, message: 'limit must not be greater than 20' }
        : undefined,
  },
  'no lists': { pass: lacks(/\/v1\/disbursement\/(fiat|crypto)$/) },
  'no proofs': { pass: lacks(/\/report$/) },
  'no estimates': { pass: lacks(/\/estimate$/) },
  'no wallets': { pass: lacks(/\/crypto\/payment-method$/) },
  'words of its own for what is absent': {
    say: ({ statusCode, message }) =>
      statusCode === 404 ? message.replace(/.*not found$/i, 'No such payment') : message,
  },
  'no word of absence': {
    pass: ({ url }) =>
      /\/v1\/disbursement\/\w+\/check-/.test(url.pathname) ? { statusCode: 400, message: 'Bad request' } : undefined,
  },
  'references in any letter case': {
    pass: ({ url }) => {
      url.pathname = url.pathname.replace(/\/ROW-\d+$/, (reference) => reference.toLowerCase());
      return undefined;
    },
  },
} as const satisfies Readonly<Record<string, Turn>>;

export type TurnName = keyof typeof turns;
