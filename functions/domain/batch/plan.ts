import type { Money } from '../money/money.ts';
import type { Tally } from '../money/tally.ts';
import type { Rail } from '../payout/payout.ts';
import type { PayoutStatus } from '../payout/payout-status.ts';

/** What is wrong with one row, or with the file (row 0). */
export interface RowError {
  /** From 1, the header not counted; 0 for the file itself. */
  readonly row: number;
  /** Of the file, from 1, as an editor counts them; of a workbook the sheet's row. Absent where it is not known. */
  readonly line?: number;
  /** The row's own; absent where it has none, or none that is sound. */
  readonly reference?: string;
  /** Column or field name; empty when the whole row or file is meant. */
  readonly column: string;
  /** Stable code such as `amount_not_positive`. */
  readonly code: string;
  /** Plain sentence, without the value of a recipient field. */
  readonly message: string;
}

/** The planned payouts of one rail and currency; the fee is the one to expect of the payment methods: see fees.ts. */
export interface CurrencyPlan extends Tally {
  readonly rail: Rail;
  readonly currency: string;
  /** The largest single amount: what the crypto estimate is asked for. */
  readonly largestAmount: Money;
  /** Fiat: by bank code. */
  readonly methods: readonly (Tally & { readonly method: string })[];
}

/** A row whose debt stands earlier: the same currency, amount and destination. */
export interface RepeatedDebt {
  readonly row: number;
  readonly reference: string;
  /** This batch, where an earlier row of the file has the debt. */
  readonly earlierBatchId: string;
  readonly earlierRow: number;
  /** Absent of a payout that is not registered yet. */
  readonly earlierReference?: string;
  /** As it was when the file was planned; absent in this file, and of a payout that is not registered yet. */
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
  /** Those that repeat a debt of what this one corrects, or of another correction; absent when there is none. */
  readonly ofCorrected?: number;
  /** Those whose debt was paid when the file was planned, and the batches that paid it, at most 20; absent when there is none. */
  readonly ofPaid?: { readonly rows: number; readonly batches: readonly string[] };
  /** repeated-debts.csv, which names them all. An approval is for exactly that list. */
  readonly list: HashedFile;
  /** The first 20. */
  readonly first: readonly RepeatedDebt[];
}

/** What a pain.001 says of itself, and its pain.002 says again. A text is empty where the file does not tell it. */
export interface Initiation {
  readonly message: 'pain.001.001.03' | 'pain.001.001.09';
  readonly messageId: string;
  readonly createdAt: string;
  readonly count: string;
  readonly sum: string;
  /** instructions.jsonl: the ids of each transaction. Absent when none was read. */
  readonly instructions?: HashedFile;
  /** Key of the pain.002 of a file that is refused. That of others is a report. */
  readonly statusReportKey?: string;
}

/** How many payouts of an earlier batch. */
export interface RetryCount {
  readonly batchId: string;
  readonly payouts: number;
}

/** What PlanBatch found and wrote. */
export interface PlanSummary {
  /** S3 prefix of everything this plan wrote, ending in `/`. Two runs of PlanBatch never share one. */
  readonly prefix: string;
  /** Absent when the file is refused. */
  readonly manifestKey?: string;
  /** The provider gives no transfer proofs. */
  readonly hasNoProofs?: true;
  /** Key of the seals on what this plan wrote: see files/seal.ts. */
  readonly sealKey: string;
  /** SHA-256 of the unpacked file, in hex; absent when it was not read to its end. */
  readonly sha256?: string;
  /** Absent of any other kind of file. What comes back of the file is what it was. */
  readonly isWorkbook?: true;
  readonly chunks: number;
  /** Chunks 1 to this are the canary; absent without one, and where it is all of the file. */
  readonly canaryChunks?: number;
  readonly rows: number;
  readonly validRows: number;
  readonly invalidRows: number;
  /**
   * Of the invalid rows those that another batch has paid under the same reference, the first 20 such batches, and the last day
   * on which one was paid, UTC; absent when there is none.
   */
  readonly alreadyPaid?: { readonly rows: number; readonly batches: readonly string[]; readonly lastOn?: string };
  /** The first 100. */
  readonly errors: readonly RowError[];
  /** errors.csv: what the report is made from is held against it. */
  readonly errorsFile?: HashedFile;
  /** The payout file with what is wrong with it, to be mended; absent where nothing is, or that is not mended in its place. */
  readonly toCorrectKey?: string;
  readonly currencies: readonly CurrencyPlan[];
  /** The file's columns that begin with `x-`, at most 10, as it writes them; absent when it has none. */
  readonly extraColumns?: readonly string[];
  /** Present when the file is a pain.001. */
  readonly initiation?: Initiation;
  /**
   * The batches whose payouts this file tries again, and how many of each: the first 20 by id. A retry of a retry counts for
   * both. Absent when it has none.
   */
  readonly retries?: readonly RetryCount[];
  /** Absent when no row repeats a debt. */
  readonly repeatedDebts?: RepeatedDebts;
  /** Other batches that correct the same refused batch, and may pay its rows; absent when there is none. */
  readonly alsoCorrectedBy?: readonly string[];
}
