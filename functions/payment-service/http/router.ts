import type { Account } from '../domain/account.ts';
import type { SandboxState } from '../domain/sandbox.ts';
import { merchantTime, unsteered } from '../domain/sandbox.ts';
import type { Answer } from './answers.ts';
import { badRequest, failure } from './answers.ts';
import { deprecationHeaders, deprecationOf, isRemoved, removalMessage } from './deprecation.ts';
import type { Access, Endpoint } from './endpoint.ts';
import type { ServiceRequest } from './request.ts';

/** A merchant who proved who they are, and how their sandbox is steered. */
export interface Caller {
  readonly account: Account;
  readonly sandbox: SandboxState;
}

export interface Gate<Ports> {
  /** Who calls, by their headers; undefined when they do not prove it, whatever part of the proof is wrong. */
  readonly authenticate: (access: Access, request: ServiceRequest) => Promise<Caller | undefined>;
  readonly maximumBodyBytes: number;
  /** The real clock. */
  readonly now: () => Date;
  /** What the endpoints need of the service, as it is for this caller: by their clock, at their rates. */
  readonly portsFor: (sandbox: SandboxState) => Ports;
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
  gate: Gate<Ports>,
  endpoints: readonly Endpoint<Ports>[],
): (request: ServiceRequest) => Promise<Answer> {
  const callOf = async (endpoint: Endpoint<Ports>, params: ReadonlyMap<string, string>, request: ServiceRequest) => {
    if (endpoint.access === 'none') {
      return { sandbox: unsteered, run: () => endpoint.answer(gate.portsFor(unsteered), { params, request }) };
    }
    const caller = await gate.authenticate(endpoint.access, request);
    if (caller === undefined) return { sandbox: unsteered, run: async () => failure(401, 'Unauthorized') };
    const { account, sandbox } = caller;
    return { sandbox, run: () => endpoint.answer(gate.portsFor(sandbox), { account, params, request }) };
  };
  const admit = async (endpoint: Endpoint<Ports>, params: ReadonlyMap<string, string>, request: ServiceRequest) => {
    const { sandbox, run } = await callOf(endpoint, params, request);
    const deprecation = deprecationOf(endpoint);
    if (deprecation !== undefined && isRemoved(deprecation, merchantTime(sandbox, gate.now()))) {
      return failure(410, removalMessage(deprecation));
    }
    const tooLarge = request.body.length > gate.maximumBodyBytes;
    const answer = tooLarge ? badRequest(`the body is larger than ${gate.maximumBodyBytes} bytes`) : await run();
    return deprecation === undefined ? answer : { ...answer, headers: deprecationHeaders(deprecation) };
  };
  const ordered = endpoints.toSorted((a, b) => parameters(a.path) - parameters(b.path));
  return async (request) => {
    for (const endpoint of ordered) {
      const params = endpoint.method === request.method ? matchPath(endpoint.path, request.path) : undefined;
      if (params !== undefined) return await admit(endpoint, params, request);
    }
    return failure(404, `Cannot ${request.method} ${request.path}`);
  };
}
