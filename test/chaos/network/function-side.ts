import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/**
 * Node loads this into each function before the function itself, by NODE_OPTIONS; so what runs stays as it is deployed.
 * It says on each request who sends it, and does what an answer orders: `die`, as an instance dies of its memory or its
 * host, or `freeze`, as one stands still until Lambda ends it. Both between two events of the process: an answer has
 * come, and the code that waits for it has not seen it.
 */
const name = process.env['AWS_LAMBDA_FUNCTION_NAME'] ?? '';

/** Longer than any function has time. */
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
