import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request } from 'node:https';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { certificateIn } from '../../../infra/local/aws/certificate.ts';
import type { LocalAwsAddress } from '../../../infra/local/aws/emulator.ts';

/** A complete answer of the local AWS, with the headers that may be forwarded. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type Forward = (asked: IncomingMessage, body: Buffer) => Promise<Answer>;

export interface BeforeAws {
  readonly aws: LocalAwsAddress;
  readonly port: number;
  /** Answers one request, whose body has been read. */
  readonly serve: (asked: IncomingMessage, body: Buffer, response: ServerResponse, forward: Forward) => Promise<void>;
  /** Headers that are meant for this proxy and not forwarded to the local AWS. */
  readonly keptHeaders?: readonly string[];
  readonly onConnection?: (socket: Socket) => void;
}

/**
 * A proxy for the local AWS on a port of its own, with the local AWS's certificate, which its functions trust. Forwards requests
 * unchanged over keep-alive connections. Returns a function that stops it.
 */
export const startAwsProxy = async ({
  aws,
  port,
  serve,
  keptHeaders = [],
  onConnection = () => {},
}: BeforeAws): Promise<() => Promise<void>> => {
  const { certFile, keyFile } = certificateIn(aws.folder);
  const [certificate, key] = [readFileSync(certFile), readFileSync(keyFile)];
  const agent = new Agent({ keepAlive: true, ca: certificate });
  const target = new URL(aws.endpoint);
  const forward: Forward = (asked, body) =>
    new Promise((resolve, reject) => {
      const { expect: _, ...headers } = asked.headers;
      for (const name of keptHeaders) delete headers[name];
      const sent = request(
        { agent, host: target.hostname, port: target.port, method: asked.method, path: asked.url, headers },
        (response) => {
          const { 'transfer-encoding': __, connection: ___, ...answered } = response.headers;
          buffer(response).then(
            (answer) => resolve({ status: response.statusCode ?? 502, headers: answered, body: answer }),
            reject,
          );
        },
      );
      sent.once('error', reject);
      sent.end(body);
    });
  const server = createServer({ cert: certificate, key }, (asked, response) => {
    // When a connection breaks on either side, the caller sees that as it would without the proxy.
    buffer(asked)
      .then((body) => serve(asked, body, response, forward))
      .catch(() => response.destroy());
  });
  server.on('connection', onConnection);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  return () =>
    new Promise((resolve) => {
      agent.destroy();
      server.close(() => resolve());
      server.closeAllConnections();
    });
};
