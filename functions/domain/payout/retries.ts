import type { RetryName } from '../../ports/files.ts';
import { nameAt, retryNames } from '../../ports/files.ts';
import type { ReportSummary } from '../batch/batch.ts';
import type { Payout } from './payout.ts';
import { payoutStatusIs } from './payout-status.ts';

/** Most characters of a file's own reference. A retry's has a few more, so that it always tells of which payout it is. */
export const ownReferenceLimit = 64;

const shape = /^(.+)\.r([1-9]\d{0,2})$/i;

/** What a reference is without the `.r1` of a retry, and how often it was tried before: `INV-7.r2` is INV-7, twice. */
const partsOf = (reference: string): { readonly base: string; readonly tries: number } => {
  const [, base = reference, round = 0] = shape.exec(reference) ?? [];
  return { base, tries: Number(round) };
};

/** Whether a reference is a retry's, by its form. Most have no point at all, and planning asks about a million of them. */
export const isRetry = (reference: string): boolean => reference.includes('.') && shape.test(reference);

export const isTooLong = (reference: string): boolean =>
  reference.length > ownReferenceLimit && partsOf(reference).base.length > ownReferenceLimit;

/**
 * The reference under which a failed payout is tried again, made from the one it had: `INV-7`, `INV-7.r1`, `INV-7.r2`.
 * The old one is taken for ever. It is made the same way each time, so that the same retry file uploaded twice is
 * refused as duplicates instead of being paid twice.
 */
export const retryReference = (reference: string): string => {
  const { base, tries } = partsOf(reference);
  return `${base}.r${tries + 1}`;
};

/** The references that a retry comes after, the first one first: INV-7 and INV-7.r1 of INV-7.r2. None of any other reference. */
export const originalsOf = (reference: string): readonly string[] => {
  const { base, tries } = partsOf(reference);
  return Array.from({ length: tries }, (_, index) => (index === 0 ? base : `${base}.r${index}`));
};

/** Reason of a payout that an operator has given up: see functions/api/settle. */
export const writtenOffCode = 'settled_written_off';

/** Of a retry whose original, as it is now, must not be tried again. */
export const originalNotRetryable = 'original_not_retryable';

type Judged = Pick<Payout, 'status' | 'reason' | 'contradictions'>;

/** Reasons of ends after which the recipient may have the money all the same. */
const mayBePaidCodes: readonly (string | undefined)[] = [
  // Whatever became of it.
  writtenOffCode,
  // The payout that holds the reference may have been made.
  'duplicate_reference',
  // So may the original.
  originalNotRetryable,
];

/**
 * Whether the recipient may have this money, or come to have it. So of whatever is completed or open, of some ends, and of
 * what the provider contradicts, seen to or not: what failed by its first word may have been paid by another.
 */
export const mayBePaid = ({ status, reason, contradictions = [] }: Judged): boolean =>
  status === 'completed' ||
  payoutStatusIs(status, 'isOpen') ||
  contradictions.length > 0 ||
  mayBePaidCodes.includes(reason?.code);

/** Whether it ended without the recipient's having the money, for sure: the provider gives amount and fee back, or never took them. */
export const endedUnpaid = (payout: Judged): boolean =>
  payoutStatusIs(payout.status, 'isRefunded') && !mayBePaid(payout);

/** What the file is called that tries again what failed; undefined where nothing may be. */
export const retryName = (report: Pick<ReportSummary, 'retryKey'> | undefined): RetryName | undefined =>
  nameAt(report?.retryKey, retryNames);

/** Whether a payout belongs into the retry file: it failed, or was refused, for sure. Somebody decided against a canceled one. */
export const isRetryable = (payout: Judged): boolean =>
  (payout.status === 'failed' || payout.status === 'rejected') && !mayBePaid(payout);

/** Whether a retry may come after it: it may be tried again, or was itself a retry of which nothing was ever submitted. */
export const mayBeFollowed = (payout: Judged): boolean =>
  isRetryable(payout) || (payout.status === 'rejected' && payout.reason?.code === originalNotRetryable);
