import type { FaultRule, PlannedFault } from '../domain/sandbox/faults.ts';
import { plannedFor } from '../domain/sandbox/faults.ts';
import { magicFault, magicFaultBeginning } from '../domain/sandbox/magic-faults.ts';
import type { ServiceRequest } from './request.ts';

/** References contain no characters that JSON would escape. */
const referenceInBody = /"reference"\s*:\s*"(fault:[^"\\]*)"/g;

const magicReferencesIn = (json: string): readonly string[] =>
  [...json.matchAll(referenceInBody)].map(([, reference = '']) => reference);

type Params = ReadonlyMap<string, string>;

/** The request's references that may ask for a fault: those its body creates, or the one its path looks up. */
export const magicReferences = (
  params: Params,
  { method, body }: Pick<ServiceRequest, 'method' | 'body'>,
): { readonly creation: readonly string[]; readonly lookup: readonly string[] } => {
  const created = method === 'POST' && body.includes(`"${magicFaultBeginning}`) ? body.toString('utf8') : '';
  return {
    creation: magicReferencesIn(created),
    lookup: method === 'GET' ? [...params.values()].filter((value) => value.startsWith(magicFaultBeginning)) : [],
  };
};

/** Sandbox controls are never struck, so that a merchant can always remove its faults. */
const isSpared = (path: string): boolean => path === '/sandbox' || path.startsWith('/sandbox/');

/** The faults that may strike a request, from its references and from the merchant's rules. */
export const faultsOfRequest = (
  rules: readonly FaultRule[],
  { method, path }: { readonly method: string; readonly path: string },
  params: Params,
  request: ServiceRequest,
): readonly PlannedFault[] => {
  if (isSpared(path)) return [];
  const { creation, lookup } = magicReferences(params, request);
  return [
    ...creation.flatMap((reference) => magicFault(reference, 'creation') ?? []),
    ...lookup.flatMap((reference) => magicFault(reference, 'lookup') ?? []),
    ...plannedFor(rules, `${method} ${path}`),
  ];
};

/** The faults that may strike a webhook, from the same sources. `body` is its JSON text. */
export const faultsOfWebhook = (rules: readonly FaultRule[], type: string, body: string): readonly PlannedFault[] => [
  ...magicReferencesIn(body).flatMap((reference) => magicFault(reference, 'webhook') ?? []),
  ...plannedFor(rules, type),
];
