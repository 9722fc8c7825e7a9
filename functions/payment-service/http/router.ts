import type { Account } from '../domain/account.ts';
import type { Strike } from '../domain/sandbox/faults.ts';
import { nothingStrikes } from '../domain/sandbox/faults.ts';
import type { SandboxState } from '../domain/sandbox/sandbox.ts';
import { merchantTime, unsteered } from '../domain/sandbox/sandbox.ts';
import type { Answer, ErrorBody } from './answers.ts';
import { badRequest, failure } from './answers.ts';
import { deprecationHeaders, deprecationOf, isRemoved, removalMessage } from './deprecation.ts';
import type { Access, Endpoint } from './endpoint.ts';
import type { FaultInjection } from './faulty-answer.ts';
import { answerFaultily } from './faulty-answer.ts';
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
  /** What the endpoints need of the service, as it is for this caller: by their clock, at their rates, with their faults. */
  readonly portsFor: (sandbox: SandboxState, strike: Strike) => Ports;
  /** What lets a merchant have things go wrong on purpose. Only a sandbox has it. */
  readonly faults?: FaultInjection<Caller>;
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The path's parameters when it fits the pattern, undefined when it does not. */
export const matchPath = (pattern: string, path: string): ReadonlyMap<string, string> | undefined => {
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
};

/** An endpoint whose path a request has, with the path's parameters. */
interface Match<Ports> {
  readonly endpoint: Endpoint<Ports>;
  readonly params: ReadonlyMap<string, string>;
}

/**
 * The endpoints that are at a path, one a method. Literal paths go before parameters, whatever the method:
 * `/fiat/payment-method` is not a disbursement called payment-method.
 */
const endpointsAt = <Ports>(endpoints: readonly Endpoint<Ports>[], path: string): readonly Match<Ports>[] => {
  const matches = endpoints.flatMap((endpoint) => {
    const params = matchPath(endpoint.path, path);
    return params === undefined ? [] : [{ endpoint, params }];
  });
  const fewest = Math.min(...matches.map(({ params }) => params.size));
  return matches.filter(({ params }) => params.size === fewest);
};

/** A path that is there for other methods says for which. */
const notAllowed = (here: readonly Match<never>[], { method, path }: ServiceRequest): Answer<ErrorBody> => {
  const allow = here.map(({ endpoint }) => endpoint.method).toSorted();
  return failure(405, `Cannot ${method} ${path}`, { allow: allow.join(', ') });
};

/**
 * Answers a request by the endpoint it belongs to, once the caller has proved who they are where the endpoint asks for it.
 * Every answer of a deprecated endpoint says so; after its removal date it is gone.
 */
export const route = <Ports>(
  gate: Gate<Ports>,
  endpoints: readonly Endpoint<Ports>[],
): ((request: ServiceRequest) => Promise<Answer>) => {
  const callOf = async (endpoint: Endpoint<Ports>, params: ReadonlyMap<string, string>, request: ServiceRequest) => {
    if (endpoint.access === 'none') {
      return {
        sandbox: unsteered,
        run: () => endpoint.answer(gate.portsFor(unsteered, nothingStrikes), { params, request }),
      };
    }
    const caller = await gate.authenticate(endpoint.access, request);
    if (caller === undefined) return { sandbox: unsteered, run: async () => failure(401, 'Unauthorized') };
    const { account, sandbox } = caller;
    const work = (strike: Strike) => endpoint.answer(gate.portsFor(sandbox, strike), { account, params, request });
    const strike = gate.faults?.strikeFor(caller, endpoint, { params, request });
    if (gate.faults === undefined || strike === undefined) return { sandbox, run: () => work(nothingStrikes) };
    const { faults } = gate;
    return { sandbox, run: () => answerFaultily(faults, strike, work) };
  };
  const admit = async (endpoint: Endpoint<Ports>, params: ReadonlyMap<string, string>, request: ServiceRequest) => {
    const { sandbox, run } = await callOf(endpoint, params, request);
    const deprecation = deprecationOf(endpoint);
    if (deprecation !== undefined && isRemoved(deprecation, merchantTime(sandbox, gate.now()))) {
      return failure(410, removalMessage(deprecation));
    }
    const tooLarge = request.body.length > gate.maximumBodyBytes;
    const answer = tooLarge ? badRequest(`the body is larger than ${gate.maximumBodyBytes} bytes`) : await run();
    if (deprecation === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, ...deprecationHeaders(deprecation) } };
  };
  return async (request) => {
    const { method, path } = request;
    const here = endpointsAt(endpoints, path);
    const found = here.find(({ endpoint }) => endpoint.method === method);
    if (found !== undefined) return await admit(found.endpoint, found.params, request);
    return here.length === 0 ? failure(404, `Cannot ${method} ${path}`) : notAllowed(here, request);
  };
};
