import { createHash } from 'node:crypto';
import type { RowError } from '../batch.ts';
import type { FileRow } from './fields.ts';
import { fieldLimits } from './fields.ts';

/** Safe in a path of the provider and of the operator API without escaping: no slash, no space, never only points. */
const referenceShape = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;

/** References made from a batch's id (`b-` and 26 characters, Crockford base 32) and a row. */
const generatedShape = /^(b-)?[0-9A-HJKMNP-TV-Z]{26}-\d+$/i;

/** Words that stand where the provider's paths have a reference: a lookup of one would ask for something else. */
const pathWords: ReadonlySet<string> = new Set(['estimate', 'payment-method', 'report']);

const looksGenerated = (reference: string, batchId: string): boolean =>
  generatedShape.test(reference) ||
  (reference.startsWith(`${batchId}-`) && /^\d+$/.test(reference.slice(batchId.length + 1)));

/** A file's own reference: its characters, and that it cannot be taken for one made for another row. */
export const checkReference = (row: FileRow, batchId: string, problems: RowError[]): void => {
  const { reference } = row;
  if (reference === '') return;
  if (!referenceShape.test(reference)) {
    const message = '"reference" may have letters, digits and . _ : - only, and begins with a letter or digit.';
    problems.push({ row: row.row, column: 'reference', code: 'reference_malformed', message });
  } else if (looksGenerated(reference, batchId) || pathWords.has(reference)) {
    const message = 'The reference has a form that is reserved; give another one, or leave it empty.';
    problems.push({ row: row.row, column: 'reference', code: 'reference_reserved', message });
  }
};

/**
 * The reference under which a failed payout is tried again, made from the one it had: `INV-7`, `INV-7.r1`, `INV-7.r2`.
 * The old one is taken for ever. It is made the same way each time, so that the same retry file uploaded twice is
 * refused as duplicates instead of being paid twice.
 */
export const retryReference = (reference: string): string => {
  const [, base = reference, round = '0'] = /^(.*)\.r(\d{1,4})$/.exec(reference) ?? [];
  const suffix = `.r${Number(round) + 1}`;
  if (base.length + suffix.length <= fieldLimits.reference) return base + suffix;
  const digest = createHash('sha256').update(base).digest('hex').slice(0, 16);
  return `${base.slice(0, 40)}.${digest}${suffix}`;
};
