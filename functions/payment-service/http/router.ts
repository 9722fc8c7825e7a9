import type { Account } from '../domain/account.ts';
import type { Answer } from './answers.ts';
import { badRequest, failure } from './answers.ts';
import { deprecationHeaders, deprecationOf, isRemoved, removalMessage } from './deprecation.ts';
import type { Access, Endpoint } from './endpoint.ts';
import type { ServiceRequest } from './request.ts';

/** Who the caller is by their headers; undefined when they do not prove it, whatever part of the proof is wrong. */
export type Authenticate = (access: Access, request: ServiceRequest) => Promise<Account | undefined>;

export interface Gate {
  readonly authenticate: Authenticate;
  readonly maximumBodyBytes: number;
  readonly now: () => Date;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The path's parameters when it fits the pattern, undefined when it does not. */
export function matchPath(pattern: string, path: string): ReadonlyMap<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.replace(/\/$/, '').split('/');
  if (wanted.length !== given.length) return undefined;
  const params = new Map<string, string>();
  for (const [index, part] of wanted.entries()) {
    const segment = decoded(given[index] ?? '');
    if (part.startsWith(':')) params.set(part.slice(1), segment);
    else if (part !== segment) return undefined;
  }
  return params;
}

/** Literal paths go before parameters: `/fiat/payment-method` is not a disbursement called payment-method. */
const parameters = (path: string): number => path.split(':').length;

/**
 * Answers a request by the endpoint it belongs to, once the caller has proved who they are where the endpoint asks for it.
 * Every answer of a deprecated endpoint says so; after its removal date it is gone.
 */
export function route<Ports>(
  gate: Gate,
  ports: Ports,
  endpoints: readonly Endpoint<Ports>[],
): (request: ServiceRequest) => Promise<Answer> {
  const admit = async (endpoint: Endpoint<Ports>, params: ReadonlyMap<string, string>, request: ServiceRequest) => {
    const tooLarge = request.body.length > gate.maximumBodyBytes;
    const refusal = badRequest(`the body is larger than ${gate.maximumBodyBytes} bytes`);
    if (endpoint.access === 'none') return tooLarge ? refusal : await endpoint.answer(ports, { params, request });
    const account = await gate.authenticate(endpoint.access, request);
    if (account === undefined) return failure(401, 'Unauthorized');
    return tooLarge ? refusal : await endpoint.answer(ports, { account, params, request });
  };
  const ordered = endpoints.toSorted((a, b) => parameters(a.path) - parameters(b.path));
  return async (request) => {
    for (const endpoint of ordered) {
      const params = endpoint.method === request.method ? matchPath(endpoint.path, request.path) : undefined;
      if (params === undefined) continue;
      const deprecation = deprecationOf(endpoint);
      if (deprecation === undefined) return await admit(endpoint, params, request);
      if (isRemoved(deprecation, gate.now())) return failure(410, removalMessage(deprecation));
      return { ...(await admit(endpoint, params, request)), headers: deprecationHeaders(deprecation) };
    }
    return failure(404, `Cannot ${request.method} ${request.path}`);
  };
}
