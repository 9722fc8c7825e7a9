import type { Readable } from 'node:stream';
import type { PinnedFile } from '../domain/batch/batch.ts';
import type { ChunkFile } from '../domain/batch/chunk-file.ts';
import type { HashedFile, PlanSummary } from '../domain/batch/plan.ts';
import type { Proof } from '../domain/payout/payout.ts';
import type { PaymentMethod } from './provider.ts';

/** Where one run of PlanBatch writes. Nothing another run wrote is ever overwritten. */
export interface PlanFiles {
  /** S3 prefix, ending in `/`. */
  readonly prefix: string;
  putChunk(chunk: ChunkFile): Promise<void>;
  /** The Distributed Map's items: `{batchId, chunk}` for each chunk. Returns the key. */
  putManifest(chunks: number): Promise<string>;
  /** Throws FileAltered when the file is not as it was put. */
  getChunk(chunk: number): Promise<ChunkFile>;
  putErrors(csv: Readable): Promise<HashedFile>;
  /** The payout file with what is wrong with its rows. Returns the key, whose end is the name. */
  putToCorrect(name: ToCorrectName, content: Readable): Promise<string>;
  putRepeatedDebts(csv: Readable): Promise<HashedFile>;
  /** The ids of a pain.001: see domain/pain-002/instruction-lines.ts. */
  putInstructions(lines: Readable): Promise<HashedFile>;
  /** The payment methods the plan was checked against. */
  putMethods(methods: readonly PaymentMethod[]): Promise<void>;
}

/** What a payout file is called that comes back to be mended: as it came. */
export const toCorrectNames = ['to-correct.csv', 'to-correct.xlsx'] as const;
export type ToCorrectName = (typeof toCorrectNames)[number];

/** What the file is called that tries again what failed: a workbook when a workbook came. */
export const retryNames = ['retry.csv', 'retry.xlsx'] as const;
export type RetryName = (typeof retryNames)[number];

/** Which of its names a file has that was written under this key. Undefined where none was. */
export const nameAt = <Name extends string>(key: string | undefined, names: readonly Name[]): Name | undefined =>
  names.find((name) => key?.endsWith(`/${name}`));

/** Names of a batch's files that an operator may ask a link for. */
export const reportNames = [
  'errors.csv',
  ...toCorrectNames,
  'repeated-debts.csv',
  'results.csv',
  ...retryNames,
  'evidence.json',
  'pain-002.xml',
] as const;
export type ReportName = (typeof reportNames)[number];

/** What tells a plan's files from what somebody else wrote in their place. */
export type SealedPlan = Pick<PlanSummary, 'prefix' | 'sealKey'>;

/** A payout file as it was uploaded: its current version. */
export interface Upload extends PinnedFile {
  readonly uploadedAt: string;
}

export interface Uploads {
  readonly uploads: readonly Upload[];
  /** Whether these are all. */
  readonly isWhole: boolean;
}

export interface Files {
  /** Current versions of the files whose name below `uploads/` begins so, by name: a few thousand at most. */
  listUploads(startsWith: string): Promise<Uploads>;
  /** The version that is current, or the one asked for. Undefined when there is none. */
  pinUpload(key: string, versionId?: string): Promise<PinnedFile | undefined>;
  openUpload(file: PinnedFile): Promise<Readable>;
  /** @param sealKey new to each run, kept in the ledger alone: what is read back is held against it */
  planFiles(batchId: string, runId: string, sealKey: string): PlanFiles;
  /** The items of one more round of submitting: `{batchId, chunk}` for each of these chunks. Returns the key. */
  putSubmitManifest(batchId: string, runId: string, chunks: readonly number[]): Promise<string>;
  /** @throws FileAltered when it is not what the plan wrote there */
  getChunk(plan: SealedPlan, chunk: number): Promise<ChunkFile>;
  /**
   * An errors.csv, read a part at a time: who reads it may pause for minutes between two.
   *
   * @throws FileAltered after the last part, when the whole has another SHA-256
   */
  readErrors(file: HashedFile): AsyncIterable<Uint8Array>;
  /** Likewise, an instructions.jsonl. */
  readInstructions(file: HashedFile): AsyncIterable<Uint8Array>;
  /** Stores the PDF of a payout, under a key of these bytes: other bytes of the same row are stored beside it. */
  putProof(batchId: string, row: number, pdf: Uint8Array): Promise<Proof>;
  /** @throws FileAltered when it has another SHA-256 than was recorded */
  getProof(proof: Proof): Promise<Uint8Array>;
  /** Streams a ZIP of proofs to a key that nothing else has, and returns the key. It is gone a day later. */
  putProofArchive(batchId: string, runId: string, content: Readable): Promise<string>;
  /** Streams what one run of ReportBatch reports to a key of its own and returns the key. */
  putReport(batchId: string, runId: string, name: ReportName, content: Readable): Promise<string>;
  /** Streams the pain.002 of a file that is refused, beside its plan. Returns the key. */
  putRefusal(plan: Pick<PlanSummary, 'prefix'>, xml: Readable): Promise<string>;
  /** A link that is valid for the seconds given; a browser saves the file under this name. */
  linkTo(key: string, seconds: number, downloadName: string): Promise<string>;
}
