import type { Money, MoneyByCurrency } from '../money/money.ts';
import type { Reason } from '../payout/payout.ts';
import type { BatchStatus } from './batch-status.ts';
import type { CurrencyPlan, PlanSummary, RetryCount } from './plan.ts';
import type { Ends } from './unpaid-share.ts';

export type BatchMode = 'disburse' | 'preview';
export type InvalidRows = 'reject' | 'skip';

/** The payout file version a batch is pinned to. */
export interface PinnedFile {
  readonly key: string;
  readonly versionId: string;
  readonly bytes: number;
}

/** What the starter expects of the file: what is left out is not compared. */
export interface ControlTotals {
  /** All rows of the file, the header not counted; invalid ones too. */
  readonly rows?: number;
  /** Sums of the valid rows. A currency that is not named is expected not to be in the file. */
  readonly sums?: MoneyByCurrency;
}

/** Something for which a batch is not released by itself: what a check of functions/release found. */
export interface Finding {
  /** Stable code such as `batch_limit`. */
  readonly code: string;
  /** Plain sentence, without anything of a recipient. */
  readonly message: string;
  /** How many rows it is about; 0 for the batch as a whole. */
  readonly rows: number;
  /** What it was held against, such as `approvalAbove 1000000 IDR`. */
  readonly against: string;
  /** Whether a person may release the batch all the same. */
  readonly mayBeReleased: boolean;
}

/** What a person is asked to approve, or would be. */
export interface Approval {
  /** Over file, plan, fees, funding and findings: an approval is for exactly these. */
  readonly hash: string;
  readonly findings: readonly Finding[];
  /** `request`: the start asked for it; `setting`: every batch needs it. */
  readonly why: 'findings' | 'request' | 'setting';
  /** Absent where nobody is asked: in a preview, and where nobody may release the batch. */
  readonly expiresAt?: string;
  readonly approved?: { readonly by: string; readonly at: string; readonly reason: string };
}

/** What was released. Money moves for nothing else. */
export interface Release {
  readonly hash: string;
  /** When it was released first. A later release, of more conversions, keeps it. */
  readonly at: string;
  /** The day that it counts for, YYYY-MM-DD in the setting `limitTimezone`. */
  readonly day: string;
  readonly conversions: readonly ReleasedConversion[];
}

/** What a conversion may take, and for which currency. */
export interface ReleasedConversion {
  readonly input: Money;
  readonly outputCurrency: string;
}

export interface FeeEstimate extends Pick<CurrencyPlan, 'rail' | 'fee'> {
  readonly source: 'payment_methods' | 'crypto_estimate';
}

/** What one currency needs and has, at the time of planning. */
export interface CurrencyFunding {
  readonly currency: string;
  /** Amounts plus fees, plus what planned conversions take from it. */
  readonly required: Money;
  readonly balance: Money;
  /** What others hold, and expect of their conversions. */
  readonly reservedByOthers: Money;
  /** What is missing at most; zero when nothing is. */
  readonly shortfall: Money;
  /** How much of it may be there after all, once others know what became of their calls; zero when all is known. */
  readonly unclear: Money;
}

/** A conversion that would cover a shortfall, as quoted while planning. */
export interface PlannedConversion {
  readonly input: Money;
  /** What arrives after the fee. At least the shortfall. */
  readonly output: Money;
  /** In the currency of the output. */
  readonly fee: Money;
  /** Output per input, a decimal. */
  readonly rate: string;
}

export interface FundingPlan {
  readonly currencies: readonly CurrencyFunding[];
  readonly conversions: readonly PlannedConversion[];
  /** How many the batch had, made or not, before the balances were read. A plan is good for the next one, and no other. */
  readonly conversionsBefore: number;
  readonly plannedAt: string;
  /** Since when each plan found something unclear, ISO 8601 UTC; absent: nothing is. */
  readonly unclearSince?: string;
}

/** What ReportBatch wrote. */
export interface ReportSummary {
  readonly resultsKey: string;
  /** Present when a payout failed or was rejected. */
  readonly retryKey?: string;
  /** Payouts of earlier batches that this one has paid, by batch; of those of its plan's `retries`. */
  readonly retriesPaid?: readonly RetryCount[];
  readonly evidenceKey: string;
  /** pain-002.xml, where the file is a pain.001. */
  readonly statusReportKey?: string;
  readonly reportedAt: string;
  /** Of reports that were written while rows were open: the batch goes on, and they are written again. */
  readonly interim?: { readonly openRows: number };
  /** Sum of the versions of the chunk records it was made from: when theirs is another one, the report is out of date. */
  readonly chunkVersions?: number;
}

export interface Batch {
  readonly batchId: string;
  readonly status: BatchStatus;
  readonly reason?: Reason;
  readonly resumeTo?: BatchStatus;
  /** Once set nothing is claimed any more; the workflow ends the batch as canceled. */
  readonly cancelRequestedAt?: string;
  readonly mode: BatchMode;
  readonly invalidRows: InvalidRows;
  readonly allowSameFile: boolean;
  /** Whoever started it wants it approved, whatever the checks find. */
  readonly approvalRequired?: true;
  /** When it is to start, ISO 8601 with an offset, as it was given. A preview does not wait for it. */
  readonly startAt?: string;
  /** The first so many valid rows are paid first, and the others once all of these are completed. */
  readonly canary?: number;
  /** The batch pauses when more than so many percent of the payouts that ended were not paid. A whole number. */
  readonly pauseAbove?: number;
  readonly expect?: ControlTotals;
  /** The batch whose refused or skipped rows its file corrects. */
  readonly corrects?: string;
  /** The batches whose plan pays rows of this one, mended, or of what corrects it. Some may have ended unpaid since. */
  readonly correctedBy?: ReadonlySet<string>;
  /** The batches whose plan tries payouts of this one again. Some may have ended unpaid since. */
  readonly retriedBy?: ReadonlySet<string>;
  readonly file: PinnedFile;
  readonly createdAt: string;
  /** IAM principal ARN of the caller. */
  readonly createdBy: string;
  readonly statusSince: string;
  /** Executions started for it: the first is named as the batch, the n-th `<batchId>-<n>`. */
  readonly executions: number;
  /** Set when the last execution ended without ending the batch: resume and cancel start a new one. */
  readonly executionEnded?: boolean;
  readonly plan?: PlanSummary;
  readonly fees?: readonly FeeEstimate[];
  readonly funding?: FundingPlan;
  readonly awaitingFundsSince?: string;
  /** The words (refusals.ts) for which it is paused; a person who resumes it has seen them, and they pause it no more. */
  readonly refusedWords?: string;
  readonly acknowledgedWords?: readonly string[];
  /** Chunks after this one are not claimed, since the canary is open; absent: all may be. */
  readonly claimUpTo?: number;
  /** What had ended when a person resumed it after too many were not paid: from there the count began anew. */
  readonly acknowledgedEnds?: Ends;
  /** Batches that owe some of the same debts, found before they disbursed. When one is released, the others look again. */
  readonly sharesDebtsWith?: ReadonlySet<string>;
  /** The last one asked for, with its decision. */
  readonly approval?: Approval;
  /** Nothing is converted or paid before there is one. */
  readonly release?: Release;
  readonly report?: ReportSummary;
}

/** One line of a batch's timeline. */
export interface BatchEvent {
  readonly at: string;
  /** Stable code such as `batch.accepted`, `batch.paused`. */
  readonly code: string;
  /** IAM principal ARN of a person, or `system`. */
  readonly by: string;
  /** Codes and ids only. */
  readonly detail?: string;
  /** Why, in the words of the person who did it. */
  readonly note?: string;
}

/** Who did something, and why: what is written into the timeline in the same transaction as the thing done. */
export type Audit = Pick<BatchEvent, 'code' | 'by' | 'detail' | 'note'>;

/**
 * `claimed`: its POST may have been made. `inferred`: the balances show that it happened. `not_made`: an operator decided
 * that it did not happen.
 */
export const conversionStatuses = [
  'claimed',
  'completed',
  'inferred',
  'rejected',
  'unknown',
  'not_sent',
  'not_made',
] as const;

/** The intent stored before the POST, and what became of it. Amounts are what the provider, or the balances, told. */
export interface Conversion extends Partial<Pick<PlannedConversion, 'input' | 'output' | 'fee'>> {
  readonly batchId: string;
  /** From 1. */
  readonly n: number;
  readonly status: (typeof conversionStatuses)[number];
  readonly planned: PlannedConversion;
  readonly quoteId: string;
  /** Balances read before the POST, after the lock. */
  readonly inputBalanceBefore: Money;
  readonly outputBalanceBefore: Money;
  readonly claimId: string;
  readonly claimedAt: string;
  readonly convertId?: string;
  readonly reason?: Reason;
  readonly endedAt?: string;
}
