import type { Access } from '../http/endpoint.ts';
import type { ServiceRequest } from '../http/request.ts';
import type { Context } from '../store/context.ts';
import { useSignature } from '../store/used-signatures.ts';
import type { Credentials, ReadCredentials } from './credentials.ts';
import { isSameSecret, signaturesOf, writingsOf } from './signature.ts';

/** A signature is valid for this long before and after its timestamp, because clocks differ and networks are slow. */
const windowMilliseconds = 5 * 60 * 1000;

/** Epoch milliseconds or nanoseconds. Nanoseconds distinguish identical requests within one millisecond. */
const timestamps = /^(\d{13})(\d{6})?$/;

/** The merchant and the request's signature, if this merchant made it in time. */
const provenSignature = (credentials: Credentials, request: ServiceRequest, now: Date) => {
  const timestamp = request.headers.get('x-timestamp') ?? '';
  const hex = (request.headers.get('x-signature') ?? '').toLowerCase();
  const signedAt = Number.parseInt(timestamps.exec(timestamp)?.[1] ?? '0', 10);
  const inTime = Math.abs(now.getTime() - signedAt) <= windowMilliseconds;
  const rightClient = isSameSecret(request.headers.get('x-client-id') ?? '', credentials.clientId);
  const { method, body } = request;
  const rightSignature = writingsOf(request.path, request.query)
    .flatMap((pathWithQuery) => signaturesOf(credentials.clientSecret, { timestamp, method, pathWithQuery, body }))
    .map((wanted) => isSameSecret(hex, wanted))
    .includes(true);
  return inTime && rightClient && rightSignature
    ? { clientId: credentials.clientId, hex, goodUntil: new Date(signedAt + windowMilliseconds) }
    : undefined;
};

/** The scheme's name can have any letter case (RFC 9110). */
const isAuthorized = (credentials: Credentials, request: ServiceRequest): boolean =>
  isSameSecret(
    (request.headers.get('authorization') ?? '').replace(/^bearer /i, 'Bearer '),
    `Bearer ${credentials.apiKey}`,
  );

interface AuthenticationPorts extends Pick<Context, 'table' | 'randomHex'> {
  readonly readCredentials: ReadCredentials;
  /** The real clock. Callers sign by it, whatever their sandbox's clock shows. */
  readonly now: () => Date;
}

/**
 * Authenticates a request by the method that the endpoint requires. It checks every merchant's credentials even after a
 * match, so that its duration reveals nothing. A signature is accepted once.
 *
 * @returns the client id, or undefined when any part of the proof is wrong or the signature was used before
 */
export const authenticate = async (ports: AuthenticationPorts, access: Access, request: ServiceRequest) => {
  const merchants = await ports.readCredentials();
  if (access === 'authorization')
    return merchants.filter((one) => isAuthorized(one, request)).map(({ clientId }) => clientId)[0];
  const at = ports.now();
  const [proven] = merchants.flatMap((one) => provenSignature(one, request, at) ?? []);
  if (proven === undefined) return undefined;
  const { clientId, hex, goodUntil } = proven;
  return (await useSignature(ports, clientId, hex, goodUntil)) ? clientId : undefined;
};
