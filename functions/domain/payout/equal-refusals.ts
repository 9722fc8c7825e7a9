import { hash } from 'node:crypto';
import type { OrchestratorSettings } from '../settings.ts';

/** Refusals in the same words since a call was last accepted: rows that were alone in their call, and calls of several rows. */
export interface EqualRefusals {
  readonly rows: number;
  readonly calls: number;
}

/**
 * A refusal's fingerprint: 16 hex digits of a hash of its message without numbers, masked parts and refused references. Refusals
 * in equal words have the same one.
 */
export const refusalFingerprint = (message: string, references: readonly string[]): string => {
  const own = new Set(references.map((reference) => reference.toLowerCase()));
  const words = message
    .toLowerCase()
    .split(/[\s,;:"'()[\]{}]+/)
    .map((word) => word.replace(/\.$/, ''))
    .filter((word) => word !== '' && !/[\d*]/.test(word) && !own.has(word));
  return hash('sha256', words.join(' ')).slice(0, 16);
};

/**
 * Refused calls of several rows that count as much as one single-row refusal. One bad row among 98 refuses six or seven calls.
 */
const callsPerRow = 10;

/** True when the consecutive refusals are so many that the rows cannot be the cause. */
export const concernAllRows = (
  { rows, calls }: EqualRefusals,
  { equalRefusals }: Pick<OrchestratorSettings, 'equalRefusals'>,
): boolean => rows + calls / callsPerRow >= equalRefusals;
