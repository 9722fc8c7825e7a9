import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request } from 'node:https';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { certificateIn } from '../../../infra/local/aws/certificate.ts';
import type { LocalAwsAddress } from '../../../infra/local/aws/emulator.ts';

/** What the local AWS answered, whole. Its headers are those that may be sent on. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type HandOn = (asked: IncomingMessage, body: Buffer) => Promise<Answer>;

export interface BeforeAws {
  readonly aws: LocalAwsAddress;
  readonly port: number;
  /** Answers one request, whose body is read already. */
  readonly serve: (asked: IncomingMessage, body: Buffer, response: ServerResponse, handOn: HandOn) => Promise<void>;
  /** Headers that are the caller's word to whoever stands here, and not for the local AWS. */
  readonly keptHeaders?: readonly string[];
  readonly onConnection?: (socket: Socket) => void;
}

/**
 * Stands before the local AWS at a port of its own, with the certificate of the local AWS, which its functions trust. Requests
 * are handed on as they are, over connections that are kept. Answers how to stop.
 */
export const standBeforeAws = async ({
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
  const handOn: HandOn = (asked, body) =>
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
    // A connection that broke on either side is the caller's to notice, as it would be without us.
    buffer(asked)
      .then((body) => serve(asked, body, response, handOn))
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
