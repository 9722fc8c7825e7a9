import { createHmac, hash } from 'node:crypto';
import type { AuthorizationCredential, ProviderTraits, SigningCredentials } from '../settings.ts';
import { signingSchemes } from '../settings.ts';

/** The parts of a request that a signature can cover. */
interface RequestToSign {
  readonly method: string;
  /** Relative to the base URL, with the query string exactly as sent. */
  readonly path: string;
  /** Empty when there is none. */
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  /** Six digits that distinguish otherwise equal requests made in the same millisecond. */
  readonly nonce: string;
}

/** Makes the headers of the signed convention. */
type SigningScheme = (
  request: RequestToSign,
  credentials: SigningCredentials,
  names: ProviderTraits['headers'],
) => Readonly<Record<string, string>>;

/** HMAC-SHA256 over time, method, path and the body's hash: see SIGNING.md. */
const hmacSha256: SigningScheme = (request, credentials, names) => {
  // Nanoseconds, because the service refuses a signature that it has seen before.
  const timestamp = `${request.timestamp}${request.nonce}`;
  const bodyHash = hash('sha256', request.body);
  const text = `${timestamp}.${request.method}.${request.path}.${bodyHash}`;
  return {
    [names.signature]: createHmac('sha256', credentials.clientSecret).update(text).digest('hex'),
    [names.timestamp]: timestamp,
    [names.clientId]: credentials.clientId,
  };
};

const schemes: Readonly<Record<(typeof signingSchemes)[number], SigningScheme>> = { 'hmac-sha256': hmacSha256 };

/**
 * The scheme that the variable PROVIDER_SIGNING names.
 *
 * @throws Error listing the available schemes
 */
export const signingScheme = (name: string): SigningScheme => {
  const known = signingSchemes.find((one) => one === name);
  if (known !== undefined) return schemes[known];
  throw new Error(`There is no signing scheme "${name}". Use one of: ${signingSchemes.join(', ')}`);
};

/**
 * The headers of the `authorization` convention. The document leaves the value's format open; a bearer token is the usual one.
 */
export const authorizationHeaders = (
  { apiKey }: AuthorizationCredential,
  { headers, authorizationPrefix }: ProviderTraits,
): Readonly<Record<string, string>> => ({ [headers.authorization]: `${authorizationPrefix}${apiKey}` });
