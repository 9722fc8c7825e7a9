import { hash } from 'node:crypto';
import type { OrchestratorSettings } from '../settings.ts';

/** How much was refused in equal words since a call was last accepted: rows that were alone in their call, and calls of several. */
export interface EqualRefusals {
  readonly rows: number;
  readonly calls: number;
}

/**
 * What two refusals have in common that are about the same: a hash of the message without its numbers, its masked parts and
 * the references that were refused.
 */
export const refusalWords = (message: string, references: readonly string[]): string => {
  const own = new Set(references.map((reference) => reference.toLowerCase()));
  const words = message
    .toLowerCase()
    .split(/[\s,;:"'()[\]{}]+/)
    .map((word) => word.replace(/\.$/, ''))
    .filter((word) => word !== '' && !/[\d*]/.test(word) && !own.has(word));
  return hash('sha256', words.join(' ')).slice(0, 16);
};

/** Refused calls of several rows that count as much as one row refused alone: one bad row among 98 refuses six or seven of them. */
const callsPerRow = 10;

/** Whether so much was refused in a row that the rows cannot be at fault. */
export const areOfAll = (
  { rows, calls }: EqualRefusals,
  { equalRefusals }: Pick<OrchestratorSettings, 'equalRefusals'>,
): boolean => rows + calls / callsPerRow >= equalRefusals;
