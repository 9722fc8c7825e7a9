import type { RetryName } from '../../ports/files.ts';
import { nameAt, retryNames } from '../../ports/files.ts';
import type { ReportSummary } from '../batch/batch.ts';
import type { Payout } from './payout.ts';
import type { PayoutStatus } from './payout-status.ts';
import { payoutStatusIs } from './payout-status.ts';

/**
 * Most characters of a reference that is not a retry's. A retry's may be longer, so that it always shows the payout it retries.
 */
export const ownReferenceLimit = 64;

const shape = /^(.+)\.r([1-9]\d{0,2})$/i;

/** Splits a reference into its base and the number of retries: `INV-7.r2` is INV-7 and 2. */
const partsOf = (reference: string): { readonly base: string; readonly retries: number } => {
  const [, base = reference, round = 0] = shape.exec(reference) ?? [];
  return { base, retries: Number(round) };
};

/**
 * True when a reference has the form of a retry's. Checks for a point first, because planning asks about a million references and
 * most have none.
 */
export const isRetry = (reference: string): boolean => reference.includes('.') && shape.test(reference);

export const isTooLong = (reference: string): boolean =>
  reference.length > ownReferenceLimit && partsOf(reference).base.length > ownReferenceLimit;

/**
 * Returns the reference under which a failed payout is retried: `INV-7`, `INV-7.r1`, `INV-7.r2`. The old one stays taken forever.
 * The result is the same each time, so a retry file uploaded twice is refused as duplicates instead of being paid twice.
 */
export const retryReference = (reference: string): string => {
  const { base, retries } = partsOf(reference);
  return `${base}.r${retries + 1}`;
};

/**
 * Returns the earlier references of a retry, the first one first: INV-7 and INV-7.r1 for INV-7.r2. Empty for any other reference.
 */
export const originalsOf = (reference: string): readonly string[] => {
  const { base, retries } = partsOf(reference);
  return Array.from({ length: retries }, (_, index) => (index === 0 ? base : `${base}.r${index}`));
};

/**
 * Reason of a payout that an operator settled as not paid, because the provider does not know it or gave its money back: see
 * functions/api/settle.
 */
export const settledNotPaidCode = 'settled_not_paid';

/** Reason of a payout that an operator vouches was paid: see functions/api/settle. */
export const settledPaidCode = 'settled_paid';

/** Reason of a payout that an operator wrote off: see functions/api/settle. */
export const writtenOffCode = 'settled_written_off';

/** Reason of a retry whose original, in its present state, must not be retried. */
export const originalNotRetryable = 'original_not_retryable';

type Judged = Pick<Payout, 'status' | 'reason' | 'contradictions'>;

/** Reasons of ends after which the recipient may still have the money. */
const mayBePaidCodes: readonly (string | undefined)[] = [
  // An operator gave it up with its outcome unknown.
  writtenOffCode,
  // The payout that holds the reference may have been made.
  'duplicate_reference',
  // The original may have been made.
  originalNotRetryable,
];

/**
 * True when the recipient has this money, or may still get it: every completed or open payout, and ends with the reasons above.
 * Also every payout that the provider contradicts, noted or not: it may have reported `failed` first, and paid it after all.
 */
export const mayBePaid = ({ status, reason, contradictions = [] }: Judged): boolean =>
  status === 'completed' ||
  payoutStatusIs(status, 'isOpen') ||
  contradictions.length > 0 ||
  mayBePaidCodes.includes(reason?.code);

/** True when it certainly ended unpaid: the provider returns amount and fee, or never took them. */
export const endedUnpaid = (payout: Judged): boolean =>
  payoutStatusIs(payout.status, 'endsUnpaid') && !mayBePaid(payout);

/** Returns the name of the retry file. Undefined when there is none. */
export const retryName = (report: Pick<ReportSummary, 'retryKey'> | undefined): RetryName | undefined =>
  nameAt(report?.retryKey, retryNames);

/** Statuses of payouts in the retry file. Canceled ones are in none: a person or the provider decided against them. */
export const retryableStatuses: readonly PayoutStatus[] = ['failed', 'rejected'];

/** True when a payout belongs in the retry file: it certainly failed or was refused. */
export const isRetryable = (payout: Judged): boolean => retryableStatuses.includes(payout.status) && !mayBePaid(payout);

/**
 * True when it ended unpaid, no person decided that, and no retry file has it: the provider canceled it, another payout has its
 * reference, or its original may have been paid. One that was canceled with its batch was never submitted.
 */
export const isLeftOut = (payout: Judged & Pick<Payout, 'disbursementId'>): boolean =>
  payoutStatusIs(payout.status, 'endsUnpaid') &&
  !isRetryable(payout) &&
  !(payout.status === 'canceled' && payout.disbursementId === undefined) &&
  (payout.contradictions ?? []).length === 0 &&
  payout.reason?.code !== writtenOffCode;

/** What a person does about those left out. */
export const adviceOnLeftOut =
  'The provider canceled them, or another payout has their reference or may have paid the same. results.csv names each. Look at ' +
  'that other payout first. Pay those that are owed in a file of their own, under new references.';

/** True when the original allows a retry: it may be retried, or it was a retry of which nothing was ever submitted. */
export const allowsRetry = (original: Judged): boolean =>
  isRetryable(original) ||
  (original.status === 'rejected' &&
    original.reason?.code === originalNotRetryable &&
    (original.contradictions ?? []).length === 0);
