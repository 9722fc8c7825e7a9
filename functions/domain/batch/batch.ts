import * as z from 'zod';
import type { Money } from '../money/money.ts';
import {
  storedControlTotals,
  storedCurrencyFunding,
  storedFeeEstimate,
  storedPlannedConversion,
  storedReleasedConversion,
} from '../money/money-records.ts';
import { storedReason } from '../payout/payout.ts';
import { payoutStatuses } from '../payout/payout-status.ts';
import { counter, record } from '../records.ts';
import { batchStatuses } from './batch-status.ts';
import { storedPlan, storedRetryCount, storedUnpaidElsewhere } from './plan.ts';

/** A preview plans, estimates fees and checks the funds. It moves no money. */
export const batchModes = ['disburse', 'preview'] as const;

/** `reject`: nothing is paid when a row is invalid. `skip`: the valid rows are paid. */
export const invalidRowsChoices = ['reject', 'skip'] as const;
export type InvalidRows = (typeof invalidRowsChoices)[number];

/** The payout file version a batch is pinned to. */
const storedPinnedFile = record(() => ({ key: z.string(), versionId: z.string(), bytes: counter() }));
export type PinnedFile = z.infer<ReturnType<typeof storedPinnedFile>>;

/** Totals that the starter expects of the file. Omitted ones are not compared. */
export type ControlTotals = z.infer<ReturnType<typeof storedControlTotals>>;

/** A finding of a check in functions/release. It keeps the batch from being released automatically. */
const storedFinding = record(() => ({
  /** Stable code such as `batch_limit`. */
  code: z.string(),
  /** Plain sentence without any data of a recipient. */
  message: z.string(),
  /** Number of rows it concerns. 0 for the batch as a whole. */
  rows: counter(),
  /** The limit or record it was compared with, such as `approvalAbove 1000000 IDR`. */
  against: z.string(),
  /** True when a person may release the batch anyway. */
  mayBeReleased: z.boolean(),
}));
export type Finding = z.infer<ReturnType<typeof storedFinding>>;

/** An approval request, or what it would be. */
const storedApproval = record(() => ({
  /** Hash of file, plan, fees, funding and findings. The approval is valid for exactly these. */
  hash: z.string(),
  findings: z.array(storedFinding()).readonly(),
  /** `request`: the start asked for it; `setting`: every batch needs it. */
  why: z.enum(['findings', 'request', 'setting']),
  /** Absent when nobody is asked: in a preview, or when nobody may release the batch. */
  expiresAt: z.string().exactOptional(),
  approved: z.object({ by: z.string(), at: z.string(), reason: z.string() }).readonly().exactOptional(),
}));
export type Approval = z.infer<ReturnType<typeof storedApproval>>;

/** What was released. Money moves only for this. */
const storedRelease = record(() => ({
  hash: z.string(),
  /** Time of the first release. A later release of more conversions keeps it. */
  at: z.string(),
  /** The day whose limit it counts toward, YYYY-MM-DD in the setting `limitTimezone`. */
  day: z.string(),
  conversions: z.array(storedReleasedConversion()).readonly(),
  /** The plan's `unpaidElsewhere`, counted anew for this release. Absent when there are none, and in older releases. */
  unpaidElsewhere: z.array(storedUnpaidElsewhere()).readonly().exactOptional(),
}));
export type Release = z.infer<ReturnType<typeof storedRelease>>;

/** The most that a conversion may take, and its target currency. */
export type ReleasedConversion = Readonly<z.infer<ReturnType<typeof storedReleasedConversion>>>;

export type FeeEstimate = Readonly<z.infer<ReturnType<typeof storedFeeEstimate>>>;

/** Need and funds of one currency at planning time. */
export type CurrencyFunding = Readonly<z.infer<ReturnType<typeof storedCurrencyFunding>>>;

/** A conversion that would cover a shortfall, as quoted at planning time. */
export type PlannedConversion = Readonly<z.infer<ReturnType<typeof storedPlannedConversion>>>;

const storedFunding = record(() => ({
  currencies: z.array(storedCurrencyFunding()).readonly(),
  conversions: z.array(storedPlannedConversion()).readonly(),
  /** Number of the batch's conversions, made or not, before the balances were read. The plan is valid only for the next one. */
  // A plan stored without this field allows no conversion; it is made again.
  conversionsBefore: z.int().default(-1),
  plannedAt: z.string(),
  /** Since when every plan found something unclear, ISO 8601 UTC. Absent when nothing is unclear. */
  unclearSince: z.string().exactOptional(),
}));
export type FundingPlan = z.infer<ReturnType<typeof storedFunding>>;

/** The files that ReportBatch wrote. */
const storedReport = record(() => ({
  resultsKey: z.string(),
  /** Present when a payout may be retried: see isRetryable. */
  retryKey: z.string().exactOptional(),
  /** Number of payouts that ended unpaid and are in no retry file: see isLeftOut. Absent when there are none, and in older reports. */
  leftOut: counter().exactOptional(),
  /** Number of payouts of earlier batches that this one has paid, by batch. Covers the batches in its plan's `retries`. */
  retriesPaid: z.array(storedRetryCount()).readonly().exactOptional(),
  evidenceKey: z.string(),
  /** pain-002.xml. Present when the file is a pain.001. */
  statusReportKey: z.string().exactOptional(),
  reportedAt: z.string(),
  /** Present in reports written while rows were open. The batch continues, and its reports are written again. */
  interim: z.object({ openRows: counter() }).readonly().exactOptional(),
  /** Sum of the versions of the chunk records it was made from. When the sum has changed, the report is out of date. */
  chunkVersions: counter().exactOptional(),
}));
export type ReportSummary = z.infer<ReturnType<typeof storedReport>>;

export const storedBatch = record(() => ({
  batchId: z.string(),
  status: z.enum(batchStatuses),
  reason: storedReason().exactOptional(),
  resumeTo: z.enum(batchStatuses).exactOptional(),
  /** Once set, nothing more is claimed, and the workflow ends the batch as canceled. */
  cancelRequestedAt: z.string().exactOptional(),
  mode: z.enum(batchModes),
  invalidRows: z.enum(invalidRowsChoices),
  allowSameFile: z.boolean(),
  /** The starter asked for approval, whatever the checks find. */
  approvalRequired: z.literal(true).exactOptional(),
  /** Requested start time, ISO 8601 with the offset as given. A preview ignores it. */
  startAt: z.string().exactOptional(),
  /** Number of valid rows that are paid first. The others follow once all of these are completed. */
  canary: counter().exactOptional(),
  /** The batch pauses when more than this percentage of the ended payouts were not paid. A whole number. */
  pauseAbove: counter().exactOptional(),
  expect: storedControlTotals().exactOptional(),
  /** The batch whose refused or skipped rows its file corrects. */
  corrects: z.string().exactOptional(),
  /** Batches whose plan pays corrected rows of this batch, or of a correction of it. Some may have ended unpaid since. */
  correctedBy: z.set(z.string()).readonly().exactOptional(),
  /** Batches whose plan retries payouts of this batch. Some may have ended unpaid since. */
  retriedBy: z.set(z.string()).readonly().exactOptional(),
  file: storedPinnedFile(),
  createdAt: z.string(),
  /** IAM principal ARN of the caller. */
  createdBy: z.string(),
  statusSince: z.string(),
  /** Number of executions started for it. The first has the batch's name, the n-th is `<batchId>-<n>`. */
  executions: counter(),
  /** Set once the last execution has ended, with the batch or before it. Resume, cancel and a new report start another. */
  executionEnded: z.boolean().exactOptional(),
  plan: storedPlan().exactOptional(),
  fees: z.array(storedFeeEstimate()).readonly().exactOptional(),
  funding: storedFunding().exactOptional(),
  awaitingFundsSince: z.string().exactOptional(),
  /** Fingerprint (payout/equal-refusals.ts) of the refusal that paused it. Resuming acknowledges it, and its words no longer pause it. */
  refusedWords: z.string().exactOptional(),
  /** Fingerprints of refusals that a person has seen. */
  acknowledgedWords: z.array(z.string()).readonly().exactOptional(),
  /** Last chunk that may be claimed while the canary is open. Absent: all may be claimed. */
  claimUpTo: counter().exactOptional(),
  /** Ends counted when a person resumed it after too many payouts were not paid. The count restarts from there. */
  acknowledgedEnds: z.object({ ended: counter(), unpaid: counter() }).readonly().exactOptional(),
  /** Quarantined payouts by currency, when a person last resumed the batch after all in one had been quarantined. */
  acknowledgedQuarantined: z.record(z.string(), counter()).readonly().exactOptional(),
  /** Batches that owe some of the same debts, found before they disbursed. When one is released, the others check again. */
  sharesDebtsWith: z.set(z.string()).readonly().exactOptional(),
  /** The last approval requested, with its decision. */
  approval: storedApproval().exactOptional(),
  /** Nothing is converted or paid until it is set. */
  release: storedRelease().exactOptional(),
  report: storedReport().exactOptional(),
}));
export type Batch = z.infer<ReturnType<typeof storedBatch>>;

/** One line of a batch's timeline. */
export const storedLine = record(() => ({
  at: z.string(),
  /** Stable code such as `batch.accepted`, `batch.paused`. */
  code: z.string(),
  /** IAM principal ARN of a person, or `system`. */
  by: z.string(),
  /** Codes and ids only. */
  detail: z.string().exactOptional(),
  /** The person's own words for why they did it. */
  note: z.string().exactOptional(),
  /** Of a contradiction: the status of its payout. Absent in older lines. */
  payoutStatus: z.enum(payoutStatuses).exactOptional(),
}));
export type TimelineLine = z.infer<ReturnType<typeof storedLine>>;

/** Who did something, and why. Written to the timeline in the same transaction as the action. */
export type Audit = Pick<TimelineLine, 'code' | 'by' | 'detail' | 'note'>;

/**
 * The statuses of a conversion, and whether each means that money was converted. `claimed`: its POST may have been made.
 * `inferred`: the balances show that it happened. `not_made`: an operator decided that it did not happen.
 */
export const conversionOutcomes = {
  claimed: 'in_doubt',
  completed: 'made',
  inferred: 'made',
  rejected: 'not_made',
  unknown: 'in_doubt',
  not_sent: 'not_made',
  not_made: 'not_made',
} as const;

type ConversionStatus = keyof typeof conversionOutcomes;
export const conversionStatuses = Object.keys(conversionOutcomes).filter(
  (name): name is ConversionStatus => name in conversionOutcomes,
);

/** The fields of a conversion that the ledger stores in the same form. */
export const conversionFields = () => ({
  batchId: z.string(),
  /** From 1. */
  n: z.int().positive(),
  status: z.enum(conversionStatuses),
  quoteId: z.string(),
  claimId: z.string(),
  claimedAt: z.string(),
  convertId: z.string().exactOptional(),
  reason: storedReason().exactOptional(),
  endedAt: z.string().exactOptional(),
});

/**
 * The intent stored before the POST, and its outcome. `input`, `output` and `fee` come from the provider, or from the balances.
 */
export interface Conversion
  extends Partial<Pick<PlannedConversion, 'input' | 'output' | 'fee'>>,
    Readonly<z.infer<z.ZodObject<ReturnType<typeof conversionFields>>>> {
  readonly planned: PlannedConversion;
  /** Balances read before the POST, after the lock. */
  readonly inputBalanceBefore: Money;
  readonly outputBalanceBefore: Money;
}
