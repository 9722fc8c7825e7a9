import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';

/**
 * Writes down every answer of the payment service that the functions on the local AWS get, the orchestrator's first of all:
 * a line of JSON each, at the end of the file that RECORDED_ANSWERS names. Node loads it into each function before the
 * function itself, by NODE_OPTIONS; so what is tested stays as it is deployed.
 */
const file = process.env['RECORDED_ANSWERS'] ?? '';

/** The service's stage has this name; the local AWS serves every API below a path of its own. */
const served = /^\/_aws\/execute-api\/[^/]+\/service(\/.*)$/;

interface Finished {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
}

// Told before the client's own listeners are, so both read the same bytes.
subscribe('http.client.response.finish', (message) => {
  const { request, response } = message as Finished;
  const path = served.exec(request.path)?.[1];
  if (path === undefined) return;
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => {
    const { method } = request;
    const { statusCode: status = 0, headers } = response;
    const recorded = { method, path, status, headers, body: Buffer.concat(chunks).toString('base64') };
    appendFileSync(file, `${JSON.stringify(recorded)}\n`);
  });
});
