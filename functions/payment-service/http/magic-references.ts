import { magicFaultBeginning } from '../domain/sandbox/magic-faults.ts';
import type { ServiceRequest } from './request.ts';

/** No reference has a character that JSON would escape. */
const referenceInBody = /"reference"\s*:\s*"(fault:[^"\\]*)"/g;

/** The references of a JSON text that may ask for a fault. */
export const magicReferencesIn = (text: string): readonly string[] =>
  [...text.matchAll(referenceInBody)].map(([, reference = '']) => reference);

/** The references of a request that may ask for a fault: those it creates by its body, or the one it looks up by its path. */
export const magicReferences = (
  params: ReadonlyMap<string, string>,
  { method, body }: Pick<ServiceRequest, 'method' | 'body'>,
): { readonly creation: readonly string[]; readonly lookup: readonly string[] } => {
  const created = method === 'POST' && body.includes(`"${magicFaultBeginning}`) ? body.toString('utf8') : '';
  return {
    creation: magicReferencesIn(created),
    lookup: method === 'GET' ? [...params.values()].filter((value) => value.startsWith(magicFaultBeginning)) : [],
  };
};
