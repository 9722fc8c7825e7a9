import type { ServiceRequest } from '../http/request.ts';

const hostOf = (origin: string): string | undefined => {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
};

/**
 * Whether another site's page made the browser send this. Browsers say so in `Sec-Fetch-Site`. Those before 2023 have the
 * origin alone, which our own pages send as `null`, since their address is told to nobody; then the id is what guards.
 */
export const isFromElsewhere = ({ headers }: ServiceRequest): boolean => {
  const site = headers.get('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin';
  const origin = headers.get('origin');
  return origin !== undefined && origin !== 'null' && hostOf(origin) !== headers.get('host');
};

const maximumFormBytes = 1024;

/** Why a request's body is not what our own forms send: the HTTP status to refuse it with. Undefined when it is. */
export const formProblem = ({ headers, body }: ServiceRequest): 413 | 415 | undefined => {
  if (body.length > maximumFormBytes) return 413;
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  return type === 'application/x-www-form-urlencoded' ? undefined : 415;
};
