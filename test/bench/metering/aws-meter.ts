import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { certificateIn } from '../../../infra/local/certificate.ts';
import type { LocalAwsAddress } from '../../../infra/local/emulator.ts';

/** A request that a function made, and its answer. */
export interface Exchange {
  readonly method: string;
  /** Host as the caller named it, with the port. */
  readonly host: string;
  /** Path with the query string. */
  readonly path: string;
  /** `DynamoDB_20120810.PutItem`; empty where the protocol has no such header. */
  readonly target: string;
  readonly requestBody: Buffer;
  readonly status: number;
  readonly responseBody: Buffer;
}

export interface AwsMeter {
  readonly stop: () => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Stands before the local AWS at a port of its own and hands every request on as it is, with the certificate of the
 * local AWS, which its functions trust. The observer sees each request once it is answered: a repetition is another one.
 */
export async function startMeter(
  aws: LocalAwsAddress,
  port: number,
  observe: (exchange: Exchange) => void,
): Promise<AwsMeter> {
  const { certFile, keyFile } = certificateIn(aws.folder);
  const [certificate, key] = [readFileSync(certFile), readFileSync(keyFile)];
  const agent = new Agent({ keepAlive: true, ca: certificate });
  const target = new URL(aws.endpoint);

  const handOn = (asked: IncomingMessage, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { expect: _, ...headers } = asked.headers;
      const sent = request(
        { agent, host: target.hostname, port: target.port, method: asked.method, path: asked.url, headers },
        (response) => {
          buffer(response).then(
            (answered) => resolve({ status: response.statusCode ?? 502, headers: response.headers, body: answered }),
            reject,
          );
        },
      );
      sent.once('error', reject);
      sent.end(body);
    });

  const serve = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(asked);
    const answer = await handOn(asked, body);
    const { 'transfer-encoding': _, connection: __, ...headers } = answer.headers;
    response.writeHead(answer.status, headers).end(answer.body);
    const targetHeader = asked.headers['x-amz-target'];
    observe({
      method: asked.method ?? '',
      host: asked.headers.host ?? '',
      path: asked.url ?? '',
      target: typeof targetHeader === 'string' ? targetHeader : '',
      requestBody: body,
      status: answer.status,
      responseBody: answer.body,
    });
  };

  const server = createServer({ cert: certificate, key }, (asked, response) => {
    // A connection that broke on either side is the caller's to notice, as it would be without a meter.
    serve(asked, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  return {
    stop: () =>
      new Promise((resolve) => {
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
