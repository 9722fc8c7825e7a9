import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { jsonIn } from '../json-in.ts';
import type { ShownDashboard } from './dashboard.ts';
import type { ConsoleFiles } from './files.ts';
import { isFileName } from './files.ts';
import { consolePage, pagePolicy } from './page.ts';

/** The local AWS, as far as the server uses it. */
export interface ConsoleBackend {
  readonly dashboard: () => Promise<ShownDashboard>;
  readonly files: ConsoleFiles;
  /** Invokes a function with an event. Returns its answer, or the name of its error. */
  readonly invoke: (
    endpoint: string,
    event: unknown,
  ) => Promise<{ readonly answer: unknown } | { readonly error: string }>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Readable;
  readonly policy?: string;
  readonly disposition?: string;
}

const call = z.strictObject({ endpoint: z.string(), event: z.record(z.string(), z.unknown()) });

/** Enough for a click: its parameters and the fields of a form. */
const mostCallBytes = 65_536;

const plain = (status: number, body: string): Answer => ({ status, type: 'text/plain; charset=utf-8', body });
const json = (status: number, body: unknown): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    const chunk = Buffer.from(part);
    bytes += chunk.byteLength;
    if (bytes > mostCallBytes) return undefined;
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
};

/** ARNs of the functions that a widget's buttons call. The page may call only functions that a widget names. */
const endpointsIn = (html: string): readonly string[] =>
  [...html.matchAll(/ endpoint="(arn:[\w:-]+)"/g)].map(([, arn = '']) => arn);

/** Stands in for CloudWatch: serves one dashboard's page and the calls of its widgets. */
class Console {
  readonly #backend: ConsoleBackend;
  readonly #callable = new Set<string>();

  constructor(backend: ConsoleBackend) {
    this.#backend = backend;
  }

  async page(): Promise<Answer> {
    const dashboard = await this.#backend.dashboard();
    for (const { endpoint } of dashboard.widgets) this.#callable.add(endpoint);
    const nonce = randomBytes(16).toString('base64');
    const body = consolePage(dashboard, this.#backend.files, nonce);
    return { status: 200, type: 'text/html; charset=utf-8', body, policy: pagePolicy(nonce) };
  }

  async invoke(text: string): Promise<Answer> {
    const asked = call.safeParse(jsonIn(text));
    if (!asked.success) return json(400, { problem: 'No widget sends such a call.' });
    const { endpoint, event } = asked.data;
    if (!this.#callable.has(endpoint)) return json(403, { problem: 'No widget names this function.' });
    const result = await this.#backend.invoke(endpoint, event);
    if ('error' in result) return json(502, { problem: `The function ended in an error: ${result.error}` });
    const html = typeof result.answer === 'string' ? result.answer : '';
    for (const named of endpointsIn(html)) this.#callable.add(named);
    return json(200, { html });
  }
}

/** Stands in for the S3 console's upload page. Trusts the request's length: Node reads no more bytes than that. */
const upload = async (files: ConsoleFiles, name: string, request: IncomingMessage): Promise<Answer> => {
  if (!isFileName(name)) return json(400, { problem: 'A payout file may not have this name.' });
  const bytes = Number(request.headers['content-length']);
  if (Number.isNaN(bytes)) return json(411, { problem: 'The request has no length, so no browser sent it.' });
  const { mostBytes } = files;
  if (bytes > mostBytes) return json(413, { problem: `A payout file may have at most ${mostBytes} bytes.` });
  await files.upload(name, request);
  return json(200, {});
};

/** Follows a signed link, whose certificate no browser trusts. */
const download = async (files: ConsoleFiles, link: string): Promise<Answer> => {
  const file = await files.open(link);
  if (file === undefined) return plain(404, 'This link is wrong or has expired. Click again for a new one.');
  const { type, disposition, content } = file;
  return { status: 200, type, disposition, body: content };
};

/** Whether the request names this server as a browser on this machine does. A page led here by DNS rebinding sends another host. */
const isOwnHost = (host: string | undefined, port: number | undefined): boolean =>
  host === `127.0.0.1:${port}` || host === `localhost:${port}`;

/** The refusal of a POST that is not from this page. Forms of other pages cannot send these content types. */
const refuseForeign = ({ method, headers }: IncomingMessage, type: string): Answer | undefined => {
  if (method !== 'POST') return plain(405, 'Send a POST.');
  if (headers.origin !== `http://${headers.host}`) return plain(403, 'Other pages may not call this.');
  return headers['content-type'] === type ? undefined : plain(415, `The content type must be ${type}.`);
};

const answerTo = async (request: IncomingMessage, console: Console, files: ConsoleFiles): Promise<Answer> => {
  const { method, url, headers } = request;
  if (!isOwnHost(headers.host, request.socket.localPort)) return plain(421, 'This server has another host name.');
  const { pathname, searchParams } = new URL(url ?? '', `http://${headers.host}`);
  switch (pathname) {
    case '/':
      return method === 'GET' ? console.page() : plain(404, 'There is nothing here.');
    case '/download':
      return download(files, searchParams.get('of') ?? '');
    case '/upload':
      return (
        refuseForeign(request, 'application/octet-stream') ?? upload(files, searchParams.get('name') ?? '', request)
      );
    case '/invoke': {
      const foreign = refuseForeign(request, 'application/json');
      if (foreign !== undefined) return foreign;
      const text = await readBody(request);
      return text === undefined ? plain(413, 'The call is too large.') : console.invoke(text);
    }
    default:
      return plain(404, 'There is nothing here.');
  }
};

const send = async (response: ServerResponse, answer: Answer): Promise<void> => {
  const { status, type, body, policy, disposition } = answer;
  response.writeHead(status, {
    'content-type': type,
    ...(disposition === undefined ? {} : { 'content-disposition': disposition }),
    'content-security-policy': policy ?? "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  if (typeof body === 'string') response.end(body);
  else await pipeline(body, response);
};

/** Time limit for receiving a request. Even the largest file comes from this machine. */
const receiveTimeoutMs = 120_000;

/** The server, before it listens: see `listenOnLoopback`. */
export const createConsoleServer = (backend: ConsoleBackend): Server => {
  const shown = new Console(backend);
  return createServer({ requestTimeout: receiveTimeoutMs, headersTimeout: 5000 }, (request, response) => {
    answerTo(request, shown, backend.files)
      .catch(() => json(502, { problem: 'The local AWS did not answer.' }))
      .then((answer) => send(response, answer))
      .catch(() => response.destroy());
  });
};

/** Listens on the loopback only, at this port or, when it is taken, at a free one. Resolves to the address. */
export const listenOnLoopback = (server: Server, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const listen = (at: number): void => void server.listen({ host: '127.0.0.1', port: at });
    server.once('listening', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('The server has no port'));
      else resolve(`http://127.0.0.1:${address.port}/`);
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' || port === 0) return reject(error);
      server.once('error', reject);
      listen(0);
    });
    listen(port);
  });
