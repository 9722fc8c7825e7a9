import type { SkippedRow } from '../batch/skipped-rows.ts';
import { byWord } from '../by-word.ts';
import { given } from '../given.ts';
import type { Payout, Reason } from '../payout/payout.ts';
import { cameBack } from '../payout/payout.ts';
import { isEnd } from '../payout/payout-status.ts';
import { writtenOffCode } from '../payout/retries.ts';

/** Transaction statuses: pending, settled, rejected. */
export const transactionStatuses = ['PDNG', 'ACSC', 'RJCT'] as const;
type TransactionStatus = (typeof transactionStatuses)[number];

export interface ReportedStatus {
  readonly status: TransactionStatus;
  readonly reason?: Reason;
}

const contradicted: Reason = {
  code: 'contradicted',
  message: 'The provider gave contradictory answers about it. Do not pay it again before a person has checked.',
};

/**
 * The status that the payer's system gets. That system pays rejected transactions again, so nothing is rejected that
 * may have been paid. A payout that a person wrote off, or that the provider contradicts, stays pending.
 */
export const statusOfPayout = (payout: Pick<Payout, 'status' | 'reason' | 'contradictions'>): ReportedStatus => {
  const { status, reason, contradictions = [] } = payout;
  const why = given({ reason });
  if (status === 'completed') return cameBack(payout) ? { status: 'PDNG', reason: contradicted } : { status: 'ACSC' };
  if (!isEnd(status) || reason?.code === writtenOffCode) return { status: 'PDNG', ...why };
  return contradictions.length > 0 ? { status: 'PDNG', reason: contradicted } : { status: 'RJCT', ...why };
};

/** The status of a row that is not paid because it is invalid. */
export const statusOfSkipped = ({ codes, message }: Pick<SkippedRow, 'codes' | 'message'>): ReportedStatus => {
  const [code = 'invalid'] = codes;
  return { status: 'RJCT', reason: { code, message } };
};

export type StatusCounts = Readonly<Record<TransactionStatus, number>>;

/** The combined status of several transactions. */
export const groupStatus = ({ PDNG, ACSC, RJCT }: StatusCounts): TransactionStatus | 'PART' => {
  if (ACSC > 0) return PDNG + RJCT === 0 ? 'ACSC' : 'PART';
  return PDNG > 0 ? 'PDNG' : 'RJCT';
};

/**
 * Codes of ISO 20022's external list (ExternalStatusReason1Code), with ours. Other codes are reported under their own
 * name.
 */
const externalCodes = byWord(
  Object.entries({
    DU04: 'duplicate_reference',
    DU03: 'original_not_retryable',
    DUPL: 'same_content already_paid',
    AM10: 'control_totals_differ xml_totals_differ',
    DT04: 'execution_day_later',
    FF01: 'file_invalid xml_malformed xml_schema xml_doctype xml_encoding invalid_utf8',
    AM01: 'amount_zero',
    AM02: 'amount_above_maximum',
    AM06: 'amount_below_minimum',
    AM12: 'amount_not_instructed',
    CH20: 'amount_too_many_decimals',
    AM11: 'currency_unknown',
    AM03: 'currency_not_offered',
    RC04: 'bank_code_unknown bank_name_of_another',
    CH21: 'value_missing recipient_missing',
    AC03: 'value_malformed',
    BE18: 'email_malformed',
    FF08: 'reference_malformed reference_reserved',
    DS02: 'batch_canceled canceled',
    AM04: 'insufficient_balance',
  }),
);

export const externalCode = (code: string): string | undefined => externalCodes.get(code);
