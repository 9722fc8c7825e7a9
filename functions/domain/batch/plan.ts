import * as z from 'zod';
import { storedCurrencyPlan } from '../money/money-records.ts';
import { payoutStatuses } from '../payout/payout-status.ts';
import { counter, record } from '../records.ts';

/** A problem of one row, or of the file (row 0). */
const storedRowError = record(() => ({
  /** From 1, without the header. 0 for the file itself. */
  row: counter(),
  /** Line in the file, from 1, as an editor counts. In a workbook, the sheet's row. Absent when unknown. */
  line: counter().exactOptional(),
  /** The row's own reference. Absent when it has none that is valid. */
  reference: z.string().exactOptional(),
  /** Column or field name. Empty when the whole row or file is meant. */
  column: z.string(),
  /** Stable code such as `amount_zero`. */
  code: z.string(),
  /** Plain sentence, without the value of a recipient field. */
  message: z.string(),
}));
export type RowError = z.infer<ReturnType<typeof storedRowError>>;

/** The planned payouts of one rail and currency. `fee` is the expected fee by the payment methods: see fees.ts. */
export type CurrencyPlan = Readonly<z.infer<ReturnType<typeof storedCurrencyPlan>>>;

/** A row that repeats an earlier debt: the same currency, amount and destination. */
const storedRepeatedDebt = record(() => ({
  row: counter(),
  reference: z.string(),
  /** This batch, when an earlier row of the file has the debt. */
  earlierBatchId: z.string(),
  earlierRow: counter(),
  /** Absent when the earlier payout is not registered yet. */
  earlierReference: z.string().exactOptional(),
  /** Status when the file was planned. Absent within this file, and when the earlier payout is not registered yet. */
  earlierStatus: z.enum(payoutStatuses).exactOptional(),
  /** S3 key of the transfer proof. */
  earlierProof: z.string().exactOptional(),
}));
export type RepeatedDebt = z.infer<ReturnType<typeof storedRepeatedDebt>>;

/** A file of the batch as it was written, with its SHA-256 in hex. */
const storedHashedFile = record(() => ({ key: z.string(), sha256: z.string() }));
export type HashedFile = z.infer<ReturnType<typeof storedHashedFile>>;

/** Rows that may pay a debt a second time. */
const storedRepeatedDebts = record(() => ({
  rows: counter(),
  /** Rows that repeat a debt of the batch it corrects, or of another correction. Absent when there are none. */
  ofCorrected: counter().exactOptional(),
  /** Rows whose debt was paid when the file was planned, and at most 20 batches that paid them. Absent when there are none. */
  ofPaid: z
    .object({ rows: counter(), batches: z.array(z.string()).readonly() })
    .readonly()
    .exactOptional(),
  /** repeated-debts.csv, which lists them all. An approval is valid for exactly that list. */
  list: storedHashedFile(),
  /** The first 20. */
  first: z.array(storedRepeatedDebt()).readonly(),
}));
export type RepeatedDebts = z.infer<ReturnType<typeof storedRepeatedDebts>>;

/** Header data of a pain.001, repeated in its pain.002. A text is empty when the file omits it. */
const storedInitiation = record(() => ({
  message: z.enum(['pain.001.001.03', 'pain.001.001.09']),
  messageId: z.string(),
  createdAt: z.string(),
  count: z.string(),
  sum: z.string(),
  /** instructions.jsonl: the ids of each transaction. Absent when none was read. */
  instructions: storedHashedFile().exactOptional(),
  /** Key of the pain.002 of a refused file. For other files it is a report. */
  statusReportKey: z.string().exactOptional(),
}));
export type Initiation = z.infer<ReturnType<typeof storedInitiation>>;

export const storedUnpaidElsewhere = record(() => ({
  batchId: z.string(),
  /** Contradictions of its unpaid payouts that were recorded then. Absent in older plans. */
  contradictions: counter().default(0),
}));
export type UnpaidElsewhere = z.infer<ReturnType<typeof storedUnpaidElsewhere>>;

/** A number of payouts of an earlier batch. */
export const storedRetryCount = record(() => ({ batchId: z.string(), payouts: counter() }));
export type RetryCount = z.infer<ReturnType<typeof storedRetryCount>>;

/** The findings and files of PlanBatch. */
export const storedPlan = record(() => ({
  /** S3 prefix of everything this plan wrote, ending in `/`. Two runs of PlanBatch never share one. */
  prefix: z.string(),
  /** The account that it was planned for. No other may pay it. Absent in older plans. */
  account: z.string().exactOptional(),
  /** Absent when the file is refused. */
  manifestKey: z.string().exactOptional(),
  /** The provider gives no transfer proofs. */
  hasNoProofs: z.literal(true).exactOptional(),
  /** Key of the seals on the plan's files: see files/seal.ts. */
  sealKey: z.string(),
  /** SHA-256 of the unpacked file, in hex. Absent when it was not read to its end. */
  sha256: z.string().exactOptional(),
  /** Set when the payout file is a workbook. Files to correct and retry files then are workbooks too. */
  isWorkbook: z.literal(true).exactOptional(),
  chunks: counter(),
  /** Chunks 1 to this are the canary. Absent without a canary, and when the canary is the whole file. */
  canaryChunks: counter().exactOptional(),
  rows: counter(),
  validRows: counter(),
  invalidRows: counter(),
  /**
   * Invalid rows that other batches have paid under the same reference. With the first 20 such batches, and the last day on which
   * one was paid (UTC). Absent when there are none.
   */
  alreadyPaid: z
    .object({
      rows: counter(),
      batches: z.array(z.string()).readonly(),
      lastOn: z.string().exactOptional(),
    })
    .readonly()
    .exactOptional(),
  /** The first 100. */
  errors: z.array(storedRowError()).readonly(),
  /** errors.csv. The report compares its source with this hash. */
  errorsFile: storedHashedFile().exactOptional(),
  /**
   * The payout file with its problems marked, for correction. Absent when it has none, cannot be corrected in place, or is
   * refused for another reason than its rows.
   */
  toCorrectKey: z.string().exactOptional(),
  currencies: z.array(storedCurrencyPlan()).readonly(),
  /** The file's columns that begin with `x-`, at most 10, as written. Absent when it has none. */
  extraColumns: z.array(z.string()).readonly().exactOptional(),
  /** Present when the file is a pain.001. */
  initiation: storedInitiation().exactOptional(),
  /**
   * The first 20 batches, by id, whose payouts this file retries, and how many of each. A retry of a retry counts for both.
   * Absent when it retries none.
   */
  retries: z.array(storedRetryCount()).readonly().exactOptional(),
  /**
   * Until when the batch may be released or resumed, ISO 8601 UTC: see payable-until.ts. Absent when its debts are not recorded for
   * other batches, and in older plans.
   */
  payableUntil: z.string().exactOptional(),
  /** Absent when no row repeats a debt. */
  repeatedDebts: storedRepeatedDebts().exactOptional(),
  /**
   * At most 100 batches that owe debts of this file and have not paid them, as far as is known. Absent when there are none.
   */
  unpaidElsewhere: z.array(storedUnpaidElsewhere()).readonly().exactOptional(),
  /** Other batches that correct the same refused batch, and may pay its rows. Absent when there are none. */
  alsoCorrectedBy: z.array(z.string()).readonly().exactOptional(),
}));
export type PlanSummary = z.infer<ReturnType<typeof storedPlan>>;

/**
 * Returns the account that a batch was planned for, if it is not this one. This account's answers would prove nothing about the
 * calls that the other may have made.
 *
 * @param account the provider's, as deployed
 */
export const otherAccountOf = (
  { plan }: { readonly plan?: Pick<PlanSummary, 'account'> | undefined },
  account: string,
): string | undefined => (plan?.account === account ? undefined : plan?.account);
