import type { Account } from '../domain/account.ts';
import type { PlannedFault } from '../domain/sandbox/faults.ts';
import type { SandboxState } from '../domain/sandbox/sandbox.ts';
import { merchantTime, untouchedSandbox } from '../domain/sandbox/sandbox.ts';
import type { Context } from '../store/context.ts';
import type { Answer } from './answers.ts';
import { failure } from './answers.ts';
import { deprecationHeaders, deprecationOf, removalMessage } from './deprecation.ts';
import type { Access, Endpoint, OpenContext } from './endpoint.ts';
import { answerFaultily } from './faulty-answer.ts';
import { faultsOfRequest } from './planned-faults.ts';
import type { ServiceRequest } from './request.ts';

/** An authenticated merchant and the state of its sandbox. */
interface Caller {
  readonly account: Account;
  readonly sandbox: SandboxState;
}

/** Its clock is the real one. */
export interface Gate extends OpenContext {
  /** Finds the caller. Undefined when any part of the proof is wrong, or the signature was used before. */
  readonly authenticate: (access: Access, request: ServiceRequest) => Promise<Caller | undefined>;
  /** The context in which endpoints work for this caller. `planned` are the faults that may strike the request. */
  readonly contextOf: (caller: Caller, planned: readonly PlannedFault[]) => Context;
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The path's parameters if it matches the pattern, otherwise undefined. */
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

/**
 * The endpoints at a path, one per method, with the path's parameters. Literal paths win over parameters, whatever the method:
 * `/fiat/payment-method` is not a disbursement called payment-method.
 */
const endpointsAt = (endpoints: readonly Endpoint[], path: string) => {
  const matches = endpoints.flatMap((endpoint) => {
    const params = matchPath(endpoint.path, path);
    return params === undefined ? [] : [{ endpoint, params }];
  });
  const fewest = Math.min(...matches.map(({ params }) => params.size));
  return matches.filter(({ params }) => params.size === fewest);
};

const answerOf = async (
  gate: Gate,
  { endpoint, params }: ReturnType<typeof endpointsAt>[number],
  caller: Caller | undefined,
  request: ServiceRequest,
): Promise<Answer> => {
  const { maximumBodyBytes } = gate.settings;
  if (request.body.length > maximumBodyBytes) return failure(400, `the body is larger than ${maximumBodyBytes} bytes`);
  if (endpoint.access === 'none') return await endpoint.answer(gate, request);
  if (caller === undefined) return failure(401, 'Unauthorized');
  const { account, sandbox } = caller;
  const planned = faultsOfRequest(sandbox.faults, endpoint, params, request);
  return await answerFaultily(gate.contextOf(caller, planned), (context) =>
    endpoint.answer(context, { account, params, request }),
  );
};

/**
 * Answers a request by its endpoint, after authenticating the caller if the endpoint requires it. Every answer of a
 * deprecated endpoint says so. From its removal date on, it answers 410, whatever the credentials.
 */
export const route =
  (gate: Gate, endpoints: readonly Endpoint[]) =>
  async (request: ServiceRequest): Promise<Answer> => {
    const { method, path } = request;
    const here = endpointsAt(endpoints, path);
    const match = here.find(({ endpoint }) => endpoint.method === method);
    if (match === undefined) {
      const message = `Cannot ${method} ${path}`;
      const allow = here.map(({ endpoint }) => endpoint.method).toSorted();
      return allow.length === 0 ? failure(404, message) : failure(405, message, { allow: allow.join(', ') });
    }
    const { endpoint } = match;
    const caller = endpoint.access === 'none' ? undefined : await gate.authenticate(endpoint.access, request);
    const deprecation = deprecationOf(endpoint.route);
    if (deprecation === undefined) return await answerOf(gate, match, caller, request);
    const now = merchantTime(caller?.sandbox ?? untouchedSandbox, gate.now());
    const removal = removalMessage(endpoint.route, deprecation, now);
    const answer = removal === undefined ? await answerOf(gate, match, caller, request) : failure(410, removal);
    return { ...answer, headers: { ...answer.headers, ...deprecationHeaders(deprecation) } };
  };
