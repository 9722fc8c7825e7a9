import type { FaultRule, PlannedFault } from '../domain/sandbox/faults.ts';
import { plannedFor } from '../domain/sandbox/faults.ts';
import { magicFault, magicFaultBeginning } from '../domain/sandbox/magic-faults.ts';
import type { ServiceRequest } from './request.ts';

/** References contain no characters that JSON would escape. */
const referenceInBody = /"reference"\s*:\s*"(fault:[^"\\]*)"/g;

const magicReferencesIn = (json: string): readonly string[] =>
  [...json.matchAll(referenceInBody)].map(([, reference = '']) => reference);

/** Sandbox controls are never struck, so that a merchant can always remove its faults. */
const isSpared = (path: string): boolean => path === '/sandbox' || path.startsWith('/sandbox/');

/**
 * The faults that may strike a request: from the references that its body creates or its path looks up, and from the
 * merchant's rules.
 */
export const faultsOfRequest = (
  rules: readonly FaultRule[],
  { method, path }: { readonly method: string; readonly path: string },
  params: ReadonlyMap<string, string>,
  { body }: Pick<ServiceRequest, 'body'>,
): readonly PlannedFault[] => {
  if (isSpared(path)) return [];
  const created = method === 'POST' && body.includes(`"${magicFaultBeginning}`) ? body.toString('utf8') : '';
  const lookedUp = method === 'GET' ? [...params.values()] : [];
  return [
    ...magicReferencesIn(created).flatMap((reference) => magicFault(reference, 'creation') ?? []),
    ...lookedUp.flatMap((reference) => magicFault(reference, 'lookup') ?? []),
    ...plannedFor(rules, `${method} ${path}`),
  ];
};

/** The faults that may strike a webhook, from the same sources. `body` is its JSON text. */
export const faultsOfWebhook = (rules: readonly FaultRule[], type: string, body: string): readonly PlannedFault[] => [
  ...magicReferencesIn(body).flatMap((reference) => magicFault(reference, 'webhook') ?? []),
  ...plannedFor(rules, type),
];
