import type { Money, MoneyByCurrency } from '../money/money.ts';
import type { Reason } from '../payout/payout.ts';
import type { BatchStatus } from './batch-status.ts';
import type { CurrencyPlan, PlanSummary, RetryCount } from './plan.ts';
import type { Ends } from './unpaid-share.ts';

/** A preview plans, estimates fees and checks the funds. It moves no money. */
export const batchModes = ['disburse', 'preview'] as const;
type BatchMode = (typeof batchModes)[number];

/** `reject`: nothing is paid when a row is invalid. `skip`: the valid rows are paid. */
export const invalidRowsChoices = ['reject', 'skip'] as const;
export type InvalidRows = (typeof invalidRowsChoices)[number];

/** The payout file version a batch is pinned to. */
export interface PinnedFile {
  readonly key: string;
  readonly versionId: string;
  readonly bytes: number;
}

/** Totals that the starter expects of the file. Omitted ones are not compared. */
export interface ControlTotals {
  /** All rows of the file, including invalid ones, without the header. */
  readonly rows?: number;
  /** Sums of the valid rows. The file must have no currency that is missing here. */
  readonly sums?: MoneyByCurrency;
}

/** A finding of a check in functions/release. It keeps the batch from being released automatically. */
export interface Finding {
  /** Stable code such as `batch_limit`. */
  readonly code: string;
  /** Plain sentence without any data of a recipient. */
  readonly message: string;
  /** Number of rows it concerns. 0 for the batch as a whole. */
  readonly rows: number;
  /** The limit or record it was compared with, such as `approvalAbove 1000000 IDR`. */
  readonly against: string;
  /** True when a person may release the batch anyway. */
  readonly mayBeReleased: boolean;
}

/** An approval request, or what it would be. */
export interface Approval {
  /** Hash of file, plan, fees, funding and findings. The approval is valid for exactly these. */
  readonly hash: string;
  readonly findings: readonly Finding[];
  /** `request`: the start asked for it; `setting`: every batch needs it. */
  readonly why: 'findings' | 'request' | 'setting';
  /** Absent when nobody is asked: in a preview, or when nobody may release the batch. */
  readonly expiresAt?: string;
  readonly approved?: { readonly by: string; readonly at: string; readonly reason: string };
}

/** What was released. Money moves only for this. */
export interface Release {
  readonly hash: string;
  /** Time of the first release. A later release of more conversions keeps it. */
  readonly at: string;
  /** The day whose limit it counts toward, YYYY-MM-DD in the setting `limitTimezone`. */
  readonly day: string;
  readonly conversions: readonly ReleasedConversion[];
}

/** The most that a conversion may take, and its target currency. */
export interface ReleasedConversion {
  readonly input: Money;
  readonly outputCurrency: string;
}

export interface FeeEstimate extends Pick<CurrencyPlan, 'rail' | 'fee'> {
  /** `crypto_estimate` is the provider's own estimate. So far only crypto has one. */
  readonly source: 'payment_methods' | 'crypto_estimate';
}

/** Need and funds of one currency at planning time. */
export interface CurrencyFunding {
  readonly currency: string;
  /** Amounts plus fees, plus what planned conversions take from this currency. */
  readonly required: Money;
  readonly balance: Money;
  /** Money that other batches hold, and expect from their conversions. */
  readonly reservedByOthers: Money;
  /** The most that is missing. Zero when nothing is. */
  readonly shortfall: Money;
  /**
   * The part of the shortfall that may be there after all, once other batches learn the outcome of their calls. Zero when all is
   * known.
   */
  readonly unclear: Money;
}

/** A conversion that would cover a shortfall, as quoted at planning time. */
export interface PlannedConversion {
  readonly input: Money;
  /** The amount that arrives after the fee. At least the shortfall. */
  readonly output: Money;
  /** In the currency of the output. */
  readonly fee: Money;
  /** Output per input, a decimal. */
  readonly rate: string;
}

export interface FundingPlan {
  readonly currencies: readonly CurrencyFunding[];
  readonly conversions: readonly PlannedConversion[];
  /** Number of the batch's conversions, made or not, before the balances were read. The plan is valid only for the next one. */
  readonly conversionsBefore: number;
  readonly plannedAt: string;
  /** Since when every plan found something unclear, ISO 8601 UTC. Absent when nothing is unclear. */
  readonly unclearSince?: string;
}

/** The files that ReportBatch wrote. */
export interface ReportSummary {
  readonly resultsKey: string;
  /** Present when a payout failed or was rejected. */
  readonly retryKey?: string;
  /** Number of payouts of earlier batches that this one has paid, by batch. Covers the batches in its plan's `retries`. */
  readonly retriesPaid?: readonly RetryCount[];
  readonly evidenceKey: string;
  /** pain-002.xml. Present when the file is a pain.001. */
  readonly statusReportKey?: string;
  readonly reportedAt: string;
  /** Present in reports written while rows were open. The batch continues, and its reports are written again. */
  readonly interim?: { readonly openRows: number };
  /** Sum of the versions of the chunk records it was made from. When the sum has changed, the report is out of date. */
  readonly chunkVersions?: number;
}

export interface Batch {
  readonly batchId: string;
  readonly status: BatchStatus;
  readonly reason?: Reason;
  readonly resumeTo?: BatchStatus;
  /** Once set, nothing more is claimed, and the workflow ends the batch as canceled. */
  readonly cancelRequestedAt?: string;
  readonly mode: BatchMode;
  readonly invalidRows: InvalidRows;
  readonly allowSameFile: boolean;
  /** The starter asked for approval, whatever the checks find. */
  readonly approvalRequired?: true;
  /** Requested start time, ISO 8601 with the offset as given. A preview ignores it. */
  readonly startAt?: string;
  /** Number of valid rows that are paid first. The others follow once all of these are completed. */
  readonly canary?: number;
  /** The batch pauses when more than this percentage of the ended payouts were not paid. A whole number. */
  readonly pauseAbove?: number;
  readonly expect?: ControlTotals;
  /** The batch whose refused or skipped rows its file corrects. */
  readonly corrects?: string;
  /** Batches whose plan pays corrected rows of this batch, or of a correction of it. Some may have ended unpaid since. */
  readonly correctedBy?: ReadonlySet<string>;
  /** Batches whose plan retries payouts of this batch. Some may have ended unpaid since. */
  readonly retriedBy?: ReadonlySet<string>;
  readonly file: PinnedFile;
  readonly createdAt: string;
  /** IAM principal ARN of the caller. */
  readonly createdBy: string;
  readonly statusSince: string;
  /** Number of executions started for it. The first has the batch's name, the n-th is `<batchId>-<n>`. */
  readonly executions: number;
  /** Set when the last execution ended before the batch did. Resume and cancel then start a new one. */
  readonly executionEnded?: boolean;
  readonly plan?: PlanSummary;
  readonly fees?: readonly FeeEstimate[];
  readonly funding?: FundingPlan;
  readonly awaitingFundsSince?: string;
  /** Refusal words (refusals.ts) that paused it. Resuming acknowledges them, and they no longer pause it. */
  readonly refusedWords?: string;
  readonly acknowledgedWords?: readonly string[];
  /** Last chunk that may be claimed while the canary is open. Absent: all may be claimed. */
  readonly claimUpTo?: number;
  /** Ends counted when a person resumed it after too many payouts were not paid. The count restarts from there. */
  readonly acknowledgedEnds?: Ends;
  /** Batches that owe some of the same debts, found before they disbursed. When one is released, the others check again. */
  readonly sharesDebtsWith?: ReadonlySet<string>;
  /** The last approval requested, with its decision. */
  readonly approval?: Approval;
  /** Nothing is converted or paid until it is set. */
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
  /** The person's own words for why they did it. */
  readonly note?: string;
}

/** Who did something, and why. Written to the timeline in the same transaction as the action. */
export type Audit = Pick<BatchEvent, 'code' | 'by' | 'detail' | 'note'>;

/**
 * `claimed`: its POST may have been made. `inferred`: the balances show that it happened. `not_made`: an operator decided that it
 * did not happen.
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

/**
 * The intent stored before the POST, and its outcome. `input`, `output` and `fee` come from the provider, or from the balances.
 */
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
