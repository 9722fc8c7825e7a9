import type { RequestListener } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import type { Server } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, vi } from 'vitest';

const httpServer = (onRequest: RequestListener): Server => createHttpServer(onRequest);

/** Ways in which an AWS server keeps a request waiting forever. */
const stalls = {
  'accepts the connection and sends nothing': {
    protocol: 'http',
    serve: () => createServer((socket) => socket.resume()),
  },
  'never ends the TLS handshake': { protocol: 'https', serve: () => createServer((socket) => socket.resume()) },
  'accepts the request and never answers': { protocol: 'http', serve: () => httpServer((request) => request.resume()) },
  'stops in the middle of its answer': {
    protocol: 'http',
    serve: () =>
      httpServer((request, response) => {
        request.resume();
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{');
      }),
  },
} as const;

type Stall = keyof typeof stalls;

export const stallNames: readonly Stall[] = [
  'accepts the connection and sends nothing',
  'never ends the TLS handshake',
  'accepts the request and never answers',
  'stops in the middle of its answer',
];

/** Listens on loopback and makes the AWS SDK use it as AWS. Returns a function that ends it. */
export const serveAsAws = async (server: Server, protocol: 'http' | 'https'): Promise<() => Promise<void>> => {
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  vi.stubEnv('AWS_ENDPOINT_URL', `${protocol}://127.0.0.1:${address.port}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  return () =>
    new Promise((resolve) => {
      vi.unstubAllEnvs();
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
};

/** Points all tests of a `describe` at a server that stalls in this way, so that they can wait concurrently. */
export const useStallingAws = (name: Stall): void => {
  const { serve, protocol } = stalls[name];
  let stop = async (): Promise<void> => {};
  beforeAll(async () => {
    stop = await serveAsAws(serve(), protocol);
  });
  afterAll(() => stop());
};

/** The URL of a queue on the stalling server. */
export const queueUrl = (): string => `${process.env['AWS_ENDPOINT_URL']}/1/queue`;

/** Milliseconds until the request fails. Throws when it does not. */
export const msUntilFailure = async (request: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  const failed = await request().then(
    () => false,
    () => true,
  );
  if (!failed) throw new Error('the request succeeded');
  return performance.now() - began;
};
