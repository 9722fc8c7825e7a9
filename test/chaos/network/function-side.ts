import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/**
 * Node loads this into each function before the function itself, by NODE_OPTIONS, so the tested code is the deployed code. It
 * adds the sender's name to each request, and obeys two orders in answers. `die` ends the process, like lack of memory or a
 * failed host. `freeze` stops it until Lambda's timeout. Both happen after an answer arrived and before the code has seen it.
 */
const name = process.env['AWS_LAMBDA_FUNCTION_NAME'] ?? '';

/** Longer than any function's timeout. */
const foreverMs = 900_000;

if (name.startsWith('PayoutOrchestrator')) {
  subscribe('http.client.request.created', (message) => {
    const { request } = message as { readonly request: ClientRequest };
    request.setHeader('x-chaos-caller', name);
  });
  subscribe('http.client.response.finish', (message) => {
    const { response } = message as { readonly response: IncomingMessage };
    const order = response.headers['x-chaos-order'];
    if (order === 'die') process.kill(process.pid, 'SIGKILL');
    if (order === 'freeze') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, foreverMs);
  });
}
