import { accountOf } from '../domain/account.ts';
import type { ServiceRequest } from '../http/request.ts';
import type { Authenticate } from '../http/router.ts';
import type { Credentials, ReadCredentials } from './credentials.ts';
import { isSameSecret, signaturesOf, writingsOf } from './signature.ts';

/** A signed request is good this long before and after its timestamp: clocks differ, and networks are slow. */
const windowMilliseconds = 5 * 60 * 1000;

function isSigned(credentials: Credentials, request: ServiceRequest, now: Date): boolean {
  const timestamp = request.headers.get('x-timestamp') ?? '';
  const given = (request.headers.get('x-signature') ?? '').toLowerCase();
  const inTime =
    /^\d{13}$/.test(timestamp) && Math.abs(now.getTime() - Number.parseInt(timestamp, 10)) <= windowMilliseconds;
  const rightClient = isSameSecret(request.headers.get('x-client-id') ?? '', credentials.clientId);
  const { method, body } = request;
  const rightSignature = writingsOf(request.path, request.query)
    .flatMap((pathWithQuery) => signaturesOf(credentials.clientSecret, { timestamp, method, pathWithQuery, body }))
    .map((wanted) => isSameSecret(given, wanted))
    .includes(true);
  return inTime && rightClient && rightSignature;
}

const isAuthorized = (credentials: Credentials, request: ServiceRequest): boolean =>
  isSameSecret(request.headers.get('authorization') ?? '', `Bearer ${credentials.apiKey}`);

export interface Identification {
  readonly readCredentials: ReadCredentials;
  readonly now: () => Date;
  readonly organizationName: string;
}

/** Both conventions of the document, each on its own endpoints. */
export const authenticateBy =
  ({ readCredentials, now, organizationName }: Identification): Authenticate =>
  async (access, request) => {
    const credentials = await readCredentials();
    const proved = access === 'signed' ? isSigned(credentials, request, now()) : isAuthorized(credentials, request);
    return proved ? accountOf(credentials.clientId, organizationName) : undefined;
  };
