import { readFile } from 'node:fs/promises';
import https from 'node:https';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { inject } from 'vitest';
import { certificateIn } from '../../../infra/local/aws/certificate.ts';
import { freePort } from '../servers/free-port.ts';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Receiver {
  readonly address: string;
  /** All webhooks received, in order. */
  readonly received: readonly ReceivedWebhook[];
  readonly close: () => Promise<void>;
}

/**
 * A merchant's server, with the certificate of the local AWS, which its functions trust.
 *
 * @param answer the status of an answer, decided by the webhook and the number of earlier attempts; optionally with
 * `Retry-After`
 */
export const startReceiver = async (
  answer: (webhook: ReceivedWebhook, before: number) => number | readonly [number, string],
): Promise<Receiver> => {
  const { certFile, keyFile } = certificateIn(inject('localAws').aws.folder);
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  const received: ReceivedWebhook[] = [];
  const server = https.createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const webhook = { path: request.url ?? '', headers, body: Buffer.concat(chunks).toString() };
      const before = received.filter((one) => one.headers['webhook-id'] === headers['webhook-id']).length;
      received.push(webhook);
      const [status, retryAfter] = [answer(webhook, before)].flat();
      response.writeHead(Number(status), retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }).end();
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    address: `https://127.0.0.1:${port}/hook/a-secret-token`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

/** The answer of one of the stack's functions, identified by the stack output with its name. */
export const command = async (outputName: string, payload: object): Promise<unknown> => {
  const answer = await new LambdaClient().send(
    new InvokeCommand({
      FunctionName: inject('localAws').outputs.PaymentService[outputName],
      Payload: JSON.stringify(payload),
    }),
  );
  const returned = Buffer.from(answer.Payload ?? []).toString();
  if (answer.FunctionError !== undefined) throw new Error(returned);
  return JSON.parse(returned);
};
