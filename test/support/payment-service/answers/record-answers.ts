import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';

/**
 * Records every answer that functions on the local AWS, above all the orchestrator's, receive from the payment service.
 * It appends one line of JSON per answer to the file in RECORDED_ANSWERS. Node loads it, compiled, into each
 * function before the function itself, by NODE_OPTIONS, so the tested code is the deployed code.
 */
const file = process.env['RECORDED_ANSWERS'] ?? '';

/** The name of the service's stage. The local AWS serves every API under a path of its own. */
const served = /^\/_aws\/execute-api\/[^/]+\/service(\/.*)$/;

interface Finished {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
}

// Attached before the client's own listeners, so that both read the same bytes.
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
