import type * as z from 'zod';
import { given } from '../../domain/given.ts';
import type { Clock, Random } from '../../ports/environment.ts';
import type { Pace } from '../../ports/pace.ts';
import type { RawResponse, ServiceAnswer } from '../service-answer.ts';
import { readBare, readEnvelope, readPdf } from '../service-answer.ts';
import type { ProviderTraits } from '../settings.ts';
import { authorizationCredential, signingCredentials } from '../settings.ts';
import type { HttpOutcome, HttpRequest } from './http.ts';
import { requestOnce, requestRead } from './http.ts';
import { createPaced } from './paced.ts';
import { authorizationHeaders, signingScheme } from './signing.ts';

/**
 * The two header conventions. Each has its own credentials. Most functions that call the provider may read only those of
 * `signed`.
 */
type Convention = 'signed' | 'authorization';

/** How urgent a read is. */
export interface Urgency {
  /** Sent only when the provider's limit leaves room, so that it delays no other call. */
  readonly isSpare?: true;
}

/** One call of an endpoint. `auth` is the header convention in the document's table of endpoints. */
export interface EndpointCall extends Urgency {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Relative to the base URL. Variable segments are encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** JSON text. */
  readonly body?: string;
  readonly auth: Convention | 'none';
}

/** A call that only reads. */
export const get = (
  path: string,
  auth: EndpointCall['auth'],
  rest: Pick<EndpointCall, 'query' | 'isSpare'> = {},
): EndpointCall => ({ method: 'GET', path, auth, ...rest });

/** @param body JSON text */
export const post = (path: string, auth: EndpointCall['auth'], body: string): EndpointCall => ({
  method: 'POST',
  path,
  auth,
  body,
});

/**
 * Sends calls and reads answers. Never throws for a failure of the service, the network or the credential store. A read throws
 * the ledger's errors when it cannot ask for its turn.
 */
export interface Transport {
  send<T>(call: EndpointCall, data: z.ZodType<T>): Promise<ServiceAnswer<T>>;
  /** For the endpoint whose success has no envelope. */
  sendBare<T>(call: EndpointCall, body: z.ZodType<T>): Promise<ServiceAnswer<T>>;
  sendForPdf(call: EndpointCall): Promise<ServiceAnswer<Uint8Array>>;
}

export interface TransportDependencies {
  /** `https://…`, with or without a path; `http://` on this machine only. */
  readonly baseUrl: string;
  /** The name of a signing scheme. */
  readonly signing: string;
  readonly traits: ProviderTraits;
  /**
   * Called before every authenticated request, for the credentials of its convention. It may cache them, but not for long. Its
   * result is validated here.
   */
  readonly credentials: (convention: Convention) => Promise<unknown>;
  readonly clock: Clock;
  readonly random: Random;
  /** For one call, from DNS lookup to the last byte of the answer. */
  readonly timeoutMs: number;
  /**
   * Reads wait here for their turn; POSTs wait in the steps, before they are claimed. The pace learns the outcome of every
   * request.
   */
  readonly pace?: Pick<Pace, 'turn' | 'report'>;
  /** Makes the requests. Defaults to real sockets; tests replace it. */
  readonly http?: Http;
}

/** Sends one request over the wire: see http.ts for the guarantees of each. */
export interface Http {
  readonly requestOnce: typeof requestOnce;
  readonly requestRead: typeof requestRead;
}

const json = { accept: 'application/json', maximumBytes: 10 * 1024 * 1024 };
const pdf = { accept: 'application/pdf', maximumBytes: 20 * 1024 * 1024 };

/** Sorted by name and encoded by encodeURIComponent, so that the verifier of a signature can rebuild the same text. */
const queryString = (query: EndpointCall['query']): string => {
  const pairs = Object.entries(query ?? {})
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`],
    )
    .toSorted();
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

/** False for a text that would change the path of a URL: empty, `.` or `..`. */
export const isAddressable = (idOrReference: string): boolean => !['', '.', '..'].includes(idOrReference);

/**
 * Encodes one id or reference as a path segment.
 *
 * @throws RangeError when it is not addressable
 */
export const pathSegment = (text: string): string => {
  if (!isAddressable(text)) throw new RangeError('an id that cannot be a path segment');
  // Characters that are valid in a path are left as they are: gateways differ in decoding them, and a signature covers the path.
  return encodeURIComponent(text).replace(/%(3A|40|2B|3D)/g, decodeURIComponent);
};

const checkedBaseUrl = (text: string): URL => {
  const url = new URL(text);
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && here)) return url;
  throw new Error('The base URL of the payment service must begin with https://');
};

/** Binds the base URL, the credentials and the signing scheme. */
export const createTransport = (dependencies: TransportDependencies): Transport => {
  const baseUrl = checkedBaseUrl(dependencies.baseUrl);
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  const sign = signingScheme(dependencies.signing);
  const { traits, http = { requestOnce, requestRead } } = dependencies;

  const authenticate = async (call: EndpointCall, path: string): Promise<Readonly<Record<string, string>>> => {
    if (call.auth === 'none') return {};
    const read = await dependencies.credentials(call.auth);
    if (call.auth === 'authorization') return authorizationHeaders(authorizationCredential().parse(read), traits);
    const credentials = signingCredentials().parse(read);
    const nonce = Math.floor(dependencies.random() * 1_000_000)
      .toString()
      .padStart(6, '0');
    const timestamp = dependencies.clock();
    return sign({ method: call.method, path, body: call.body ?? '', timestamp, nonce }, credentials, traits.headers);
  };

  const paced = createPaced(dependencies);

  const exchange = async (
    call: EndpointCall,
    { accept, maximumBytes }: typeof json,
    timeoutMilliseconds: number,
  ): Promise<HttpOutcome> => {
    const path = `${call.path}${queryString(call.query)}`;
    const signedNow = async (): Promise<HttpRequest> => ({
      method: call.method,
      url: baseUrl,
      path: `${prefix}${path}`,
      headers: {
        accept,
        ...given({ 'content-type': call.body === undefined ? undefined : 'application/json' }),
        ...(await authenticate(call, path)),
      },
      ...given({ body: call.body }),
      timeoutMilliseconds,
      maximumBytes,
    });
    let request: HttpRequest;
    try {
      request = await signedNow();
    } catch {
      // The error's message may hold a secret, so only this code leaves here.
      return { kind: 'not_sent', cause: 'credentials_unavailable' };
    }
    return call.method === 'GET' ? http.requestRead(request, signedNow) : http.requestOnce(request);
  };

  const ask = async <T>(
    call: EndpointCall,
    expected: typeof json,
    reader: (response: RawResponse) => ServiceAnswer<T>,
  ): Promise<ServiceAnswer<T>> => {
    const timeoutMs = await paced.timeFor(call);
    if (timeoutMs === undefined) return { kind: 'not_sent', cause: 'rate_limit' };
    const outcome = await exchange(call, expected, timeoutMs);
    const answer = outcome.kind === 'response' ? reader(outcome) : outcome;
    await paced.report(call, outcome, answer);
    return answer;
  };

  return {
    send: (call, data) => ask(call, json, (response) => readEnvelope(response, data)),
    sendBare: (call, body) => ask(call, json, (response) => readBare(response, body)),
    sendForPdf: (call) => ask(call, pdf, readPdf),
  };
};
