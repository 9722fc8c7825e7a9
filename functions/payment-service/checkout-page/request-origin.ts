import type { ServiceRequest } from '../http/request.ts';

/**
 * Whether another site's page made the browser send this request. Browsers say so in `Sec-Fetch-Site`. Browsers from
 * before 2023 only send the origin. Our pages send no referrer, so their origin is `null`; then only the id protects
 * the checkout.
 */
const isFromElsewhere = ({ headers }: ServiceRequest): boolean => {
  const site = headers.get('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin';
  const origin = headers.get('origin');
  return origin !== undefined && origin !== 'null' && URL.parse(origin)?.host !== headers.get('host');
};

const maximumFormBytes = 1024;

/** The HTTP status that refuses a form request which our own pages cannot have sent. Undefined when it is fine. */
export const formProblem = (request: ServiceRequest): 403 | 413 | 415 | undefined => {
  if (isFromElsewhere(request)) return 403;
  if (request.body.length > maximumFormBytes) return 413;
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  return type === 'application/x-www-form-urlencoded' ? undefined : 415;
};
