import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import type { PaymentProviderDependencies } from '../../../functions/provider/payment-provider.ts';
import { createPaymentProvider } from '../../../functions/provider/payment-provider.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { minute } from '../../support/durations.ts';

/** One request as received by the service on loopback. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface LoopbackService {
  readonly baseUrl: string;
  readonly seen: SeenRequest[];
  /** Connections that were opened. */
  connections(): number;
  close(): Promise<void>;
}

type Answer = (request: SeenRequest, response: ServerResponse) => void;

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

/** A service on loopback with scripted answers or faults. */
export const startService = async (answer: Answer): Promise<LoopbackService> => {
  const seen: SeenRequest[] = [];
  let connections = 0;
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => response.destroy());
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      seen.push(one);
      answer(one, response);
    });
  };
  const server = createServer(listener);
  server.on('connection', () => {
    connections += 1;
  });
  const port = await listen(server);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Accepts TCP connections, writes `greeting` to each, and hangs up. */
export const startGarbageService = async (greeting: string): Promise<LoopbackService> => {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    socket.on('error', () => socket.destroy());
    socket.resume();
    socket.end(greeting);
  });
  const port = await listen(server);
  return {
    baseUrl: `https://127.0.0.1:${port}`,
    seen: [],
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

/** Answers with a JSON text unchanged, so numbers keep their digits. */
export const answerText = (response: ServerResponse, text: string, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(text);
};

/** The success envelope around a JSON text. */
export const enveloped = (data: string, statusCode = 200): string =>
  `{"statusCode":${statusCode},"message":"ok","data":${data}}`;

export const credentials = { clientId: 'client-1', clientSecret: 'secret-1', apiKey: 'key-1' };

/** A provider with a service on loopback, its log lines, and changes to the usual dependencies. */
export const providerOf = (baseUrl: string, given: Partial<PaymentProviderDependencies> = {}) => {
  const warnings: { code: string; fields: Readonly<Record<string, string | number | boolean>> }[] = [];
  const provider = createPaymentProvider({
    baseUrl,
    signing: 'hmac-sha256',
    traits: documentedTraits(),
    credentials: () => Promise.resolve(credentials),
    clock: () => 1_700_000_000_000,
    random: () => 0.25,
    // A busy machine may be slow to answer.
    timeoutMs: minute,
    log: { warn: (code, fields = {}) => warnings.push({ code, fields }) },
    ...given,
  });
  return { provider, warnings };
};
