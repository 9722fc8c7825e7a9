import type { Money } from '../money/money.ts';
import type { Tally } from '../money/tally.ts';
import type { Rail } from '../payout/payout.ts';
import type { PayoutStatus } from '../payout/payout-status.ts';

/** A problem of one row, or of the file (row 0). */
export interface RowError {
  /** From 1, without the header. 0 for the file itself. */
  readonly row: number;
  /** Line in the file, from 1, as an editor counts. In a workbook, the sheet's row. Absent when unknown. */
  readonly line?: number;
  /** The row's own reference. Absent when it has none that is valid. */
  readonly reference?: string;
  /** Column or field name. Empty when the whole row or file is meant. */
  readonly column: string;
  /** Stable code such as `amount_not_positive`. */
  readonly code: string;
  /** Plain sentence, without the value of a recipient field. */
  readonly message: string;
}

/** The planned payouts of one rail and currency. `fee` is the expected fee by the payment methods: see fees.ts. */
export interface CurrencyPlan extends Tally {
  readonly rail: Rail;
  readonly currency: string;
  /** The largest single amount. The crypto estimate is requested for it. */
  readonly largestAmount: Money;
  /** Fiat: by bank code. */
  readonly methods: readonly (Tally & { readonly method: string })[];
}

/** A row that repeats an earlier debt: the same currency, amount and destination. */
export interface RepeatedDebt {
  readonly row: number;
  readonly reference: string;
  /** This batch, when an earlier row of the file has the debt. */
  readonly earlierBatchId: string;
  readonly earlierRow: number;
  /** Absent when the earlier payout is not registered yet. */
  readonly earlierReference?: string;
  /** Status when the file was planned. Absent within this file, and when the earlier payout is not registered yet. */
  readonly earlierStatus?: PayoutStatus;
  /** S3 key of the transfer proof. */
  readonly earlierProof?: string;
}

/** A file of the batch as it was written, with its SHA-256 in hex. */
export interface HashedFile {
  readonly key: string;
  readonly sha256: string;
}

/** Rows that may pay a debt a second time. */
export interface RepeatedDebts {
  readonly rows: number;
  /** Rows that repeat a debt of the batch it corrects, or of another correction. Absent when there are none. */
  readonly ofCorrected?: number;
  /** Rows whose debt was paid when the file was planned, and at most 20 batches that paid them. Absent when there are none. */
  readonly ofPaid?: { readonly rows: number; readonly batches: readonly string[] };
  /** repeated-debts.csv, which lists them all. An approval is valid for exactly that list. */
  readonly list: HashedFile;
  /** The first 20. */
  readonly first: readonly RepeatedDebt[];
}

/** Header data of a pain.001, repeated in its pain.002. A text is empty when the file omits it. */
export interface Initiation {
  readonly message: 'pain.001.001.03' | 'pain.001.001.09';
  readonly messageId: string;
  readonly createdAt: string;
  readonly count: string;
  readonly sum: string;
  /** instructions.jsonl: the ids of each transaction. Absent when none was read. */
  readonly instructions?: HashedFile;
  /** Key of the pain.002 of a refused file. For other files it is a report. */
  readonly statusReportKey?: string;
}

/** A number of payouts of an earlier batch. */
export interface RetryCount {
  readonly batchId: string;
  readonly payouts: number;
}

/** The findings and files of PlanBatch. */
export interface PlanSummary {
  /** S3 prefix of everything this plan wrote, ending in `/`. Two runs of PlanBatch never share one. */
  readonly prefix: string;
  /** Absent when the file is refused. */
  readonly manifestKey?: string;
  /** The provider gives no transfer proofs. */
  readonly hasNoProofs?: true;
  /** Key of the seals on the plan's files: see files/seal.ts. */
  readonly sealKey: string;
  /** SHA-256 of the unpacked file, in hex. Absent when it was not read to its end. */
  readonly sha256?: string;
  /** Set when the payout file is a workbook. Files to correct and retry files then are workbooks too. */
  readonly isWorkbook?: true;
  readonly chunks: number;
  /** Chunks 1 to this are the canary. Absent without a canary, and when the canary is the whole file. */
  readonly canaryChunks?: number;
  readonly rows: number;
  readonly validRows: number;
  readonly invalidRows: number;
  /**
   * Invalid rows that other batches have paid under the same reference. With the first 20 such batches, and the last day on which
   * one was paid (UTC). Absent when there are none.
   */
  readonly alreadyPaid?: { readonly rows: number; readonly batches: readonly string[]; readonly lastOn?: string };
  /** The first 100. */
  readonly errors: readonly RowError[];
  /** errors.csv. The report compares its source with this hash. */
  readonly errorsFile?: HashedFile;
  /**
   * The payout file with its problems marked, for correction. Absent when it has none, or its format is not corrected this way.
   */
  readonly toCorrectKey?: string;
  readonly currencies: readonly CurrencyPlan[];
  /** The file's columns that begin with `x-`, at most 10, as written. Absent when it has none. */
  readonly extraColumns?: readonly string[];
  /** Present when the file is a pain.001. */
  readonly initiation?: Initiation;
  /**
   * The first 20 batches, by id, whose payouts this file retries, and how many of each. A retry of a retry counts for both.
   * Absent when it retries none.
   */
  readonly retries?: readonly RetryCount[];
  /** Absent when no row repeats a debt. */
  readonly repeatedDebts?: RepeatedDebts;
  /** Other batches that correct the same refused batch, and may pay its rows. Absent when there are none. */
  readonly alsoCorrectedBy?: readonly string[];
}
