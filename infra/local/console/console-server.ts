import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import type { ShownDashboard } from './dashboard.ts';
import type { ConsoleFiles } from './files.ts';
import { isFileName } from './files.ts';
import { consolePage, pagePolicy } from './page.ts';

/** What the server asks of the local AWS. */
export interface ConsoleBackend {
  readonly dashboard: () => Promise<ShownDashboard>;
  readonly files: ConsoleFiles;
  /** Invokes a function with an event; what it answers, or the name of its error. */
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

/** A click is small: its parameters, and the fields of a form. */
const mostBytes = 65_536;

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
    if (bytes > mostBytes) return undefined;
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
};

/** Functions that a widget's own markup names: buttons call these, and the page can call no others. */
const endpointsIn = (html: string): readonly string[] =>
  [...html.matchAll(/ endpoint="(arn:[\w:-]+)"/g)].map(([, arn = '']) => arn);

/** Plays CloudWatch for one dashboard: its page, and the calls that its widgets make. */
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
    const { mostBytes: mostFileBytes, linksBegin } = this.#backend.files;
    const body = consolePage({ ...dashboard, mostFileBytes, linksBegin }, nonce);
    return { status: 200, type: 'text/html; charset=utf-8', body, policy: pagePolicy(nonce) };
  }

  async invoke(text: string): Promise<Answer> {
    const asked = call.safeParse(parsed(text));
    if (!asked.success) return json(400, { problem: 'This is not a call of a widget.' });
    const { endpoint, event } = asked.data;
    if (!this.#callable.has(endpoint)) return json(403, { problem: 'No widget names this function.' });
    const said = await this.#backend.invoke(endpoint, event);
    if ('error' in said) return json(502, { problem: `The function ended in an error: ${said.error}` });
    const html = typeof said.answer === 'string' ? said.answer : '';
    for (const named of endpointsIn(html)) this.#callable.add(named);
    return json(200, { html });
  }
}

/** Plays the S3 console's upload page, and the signed links that a browser would not trust. */
class Files {
  readonly #files: ConsoleFiles;

  constructor(files: ConsoleFiles) {
    this.#files = files;
  }

  /** The length is as a browser tells it, and Node takes no more bytes than that. */
  async upload(name: string, request: IncomingMessage): Promise<Answer> {
    if (!isFileName(name)) return json(400, { problem: 'No payout file may have this name.' });
    const bytes = Number(request.headers['content-length']);
    if (Number.isNaN(bytes)) return json(411, { problem: 'This is not a file of a browser.' });
    const { mostBytes } = this.#files;
    if (bytes > mostBytes) return json(413, { problem: `A payout file has at most ${mostBytes} bytes.` });
    await this.#files.upload(name, request);
    return json(200, {});
  }

  async download(link: string): Promise<Answer> {
    const file = await this.#files.open(link);
    if (file === undefined) return plain(404, 'This link leads to nothing, or not any more. Click for another one.');
    const { type, disposition, content } = file;
    return { status: 200, type, disposition, body: content };
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The names that this machine's own browser reaches the server by. A page elsewhere that is led here has another. */
const isOwnHost = (host: string | undefined, port: number | undefined): boolean =>
  host === `127.0.0.1:${port}` || host === `localhost:${port}`;

/** Why a request that changes something is none of the page's own; each kind has its type, which no form of another page has. */
const whyForeign = ({ method, headers }: IncomingMessage, type: string): Answer | undefined => {
  if (method !== 'POST') return plain(405, 'Calls are POSTs.');
  if (headers.origin !== `http://${headers.host}`) return plain(403, 'Another page may not call this.');
  return headers['content-type'] === type ? undefined : plain(415, `Calls of this kind are ${type}.`);
};

const meet = async (request: IncomingMessage, console: Console, files: Files): Promise<Answer> => {
  const { method, url, headers } = request;
  if (!isOwnHost(headers.host, request.socket.localPort)) return plain(421, 'This is not the host that was asked for.');
  const { pathname, searchParams } = new URL(url ?? '', `http://${headers.host}`);
  switch (pathname) {
    case '/':
      return method === 'GET' ? console.page() : plain(404, 'There is nothing here.');
    case '/download':
      return files.download(searchParams.get('of') ?? '');
    case '/upload':
      return whyForeign(request, 'application/octet-stream') ?? files.upload(searchParams.get('name') ?? '', request);
    case '/invoke': {
      const foreign = whyForeign(request, 'application/json');
      if (foreign !== undefined) return foreign;
      const text = await readBody(request);
      return text === undefined ? plain(413, 'This is too much for a call.') : console.invoke(text);
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

/** Milliseconds that a request may take to arrive: the largest file comes from this machine itself. */
const arrivesWithinMs = 120_000;

/** The server, not listening yet: its user binds it to the loopback, and to nothing else. */
export const createConsoleServer = (backend: ConsoleBackend): Server => {
  const [shown, files] = [new Console(backend), new Files(backend.files)];
  return createServer({ requestTimeout: arrivesWithinMs, headersTimeout: 5000 }, (request, response) => {
    meet(request, shown, files)
      .catch(() => json(502, { problem: 'The local AWS did not answer.' }))
      .then((answer) => send(response, answer))
      .catch(() => response.destroy());
  });
};

/** Listens on the loopback alone: at this port, or at any when it is taken. Answers the address. */
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
