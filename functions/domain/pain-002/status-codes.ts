import type { SkippedRow } from '../batch/skipped-rows.ts';
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
 * Codes of ISO 20022's external list (ExternalStatusReason1Code), by our codes. Other codes are reported under their
 * own name.
 */
const externalCodes: Readonly<Record<string, string>> = {
  duplicate_reference: 'DU04',
  original_not_retryable: 'DU03',
  same_content: 'DUPL',
  already_paid: 'DUPL',
  control_totals_differ: 'AM10',
  xml_totals_differ: 'AM10',
  execution_day_later: 'DT04',
  file_invalid: 'FF01',
  xml_malformed: 'FF01',
  xml_schema: 'FF01',
  xml_doctype: 'FF01',
  xml_encoding: 'FF01',
  invalid_utf8: 'FF01',
  amount_zero: 'AM01',
  amount_above_maximum: 'AM02',
  amount_below_minimum: 'AM06',
  amount_not_instructed: 'AM12',
  amount_too_many_decimals: 'CH20',
  currency_unknown: 'AM11',
  currency_not_offered: 'AM03',
  bank_code_unknown: 'RC04',
  bank_name_of_another: 'RC04',
  value_missing: 'CH21',
  recipient_missing: 'CH21',
  value_malformed: 'AC03',
  email_malformed: 'BE18',
  reference_malformed: 'FF08',
  reference_reserved: 'FF08',
  batch_canceled: 'DS02',
  canceled: 'DS02',
  insufficient_balance: 'AM04',
};

export const externalCode = (code: string): string | undefined =>
  Object.hasOwn(externalCodes, code) ? externalCodes[code] : undefined;
