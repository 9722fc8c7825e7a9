import { createHash, createHmac } from 'node:crypto';

/** What signs requests: all look-ups, lists, quotes and proofs. It moves nothing. */
export interface SigningCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What authorizes requests: every one that moves money, and the few reads that the document puts beside them. */
export interface AuthorizationCredential {
  readonly apiKey: string;
}

/** What a signature can cover. */
export interface RequestToSign {
  readonly method: string;
  /** Relative to the base URL, with the query string exactly as sent. */
  readonly path: string;
  /** Empty when there is none. */
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  /** Six digits that tell apart requests which are otherwise the same, and made in the same millisecond. */
  readonly nonce: string;
}

/** Makes the headers of the signed convention. */
export type SigningScheme = (
  request: RequestToSign,
  credentials: SigningCredentials,
) => Readonly<Record<string, string>>;

/** HMAC-SHA256 over time, method, path and the body's hash: see SIGNING.md. */
const hmacSha256: SigningScheme = (request, credentials) => {
  // Written as nanoseconds: the service refuses a signature that it has seen before.
  const timestamp = `${request.timestamp}${request.nonce}`;
  const bodyHash = createHash('sha256').update(request.body).digest('hex');
  const text = `${timestamp}.${request.method}.${request.path}.${bodyHash}`;
  return {
    'X-Signature': createHmac('sha256', credentials.clientSecret).update(text).digest('hex'),
    'X-Timestamp': timestamp,
    'X-Client-ID': credentials.clientId,
  };
};

const schemes: ReadonlyMap<string, SigningScheme> = new Map([['hmac-sha256', hmacSha256]]);

/**
 * The scheme that the setting PROVIDER_SIGNING names.
 *
 * @throws Error naming the schemes there are
 */
export const signingScheme = (name: string): SigningScheme => {
  const scheme = schemes.get(name);
  if (scheme !== undefined) return scheme;
  throw new Error(`There is no signing scheme "${name}"; there are: ${[...schemes.keys()].join(', ')}`);
};

/** The headers of the other convention. The document leaves the value's format open: a bearer token is the usual one. */
export const authorizationHeaders = ({ apiKey }: AuthorizationCredential): Readonly<Record<string, string>> => ({
  Authorization: `Bearer ${apiKey}`,
});
