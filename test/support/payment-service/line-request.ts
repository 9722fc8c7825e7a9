import type { ServiceRequest } from '../../../functions/payment-service/http/request.ts';

/** The request of a line such as `GET /v1/balance?a=b`, unsigned. A text is sent as it is, anything else as JSON. */
export const requestOfLine = (line: string, body: unknown): ServiceRequest => {
  const [method = '', address = ''] = line.split(' ');
  const { pathname, searchParams } = new URL(address, 'http://service');
  return {
    requestId: 'r',
    method,
    path: pathname,
    query: [...searchParams],
    headers: new Map(),
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
};
