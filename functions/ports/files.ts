import type { Readable } from 'node:stream';
import type { PinnedFile } from '../domain/batch/batch.ts';
import type { ChunkFile } from '../domain/batch/chunk-file.ts';
import type { HashedFile, PlanSummary } from '../domain/batch/plan.ts';
import type { Proof } from '../domain/payout/payout.ts';
import type { PaymentMethod } from './provider.ts';

/** Where one run of PlanBatch writes. It never overwrites another run's files. */
export interface PlanFiles {
  /** S3 prefix, ending in `/`. */
  readonly prefix: string;
  putChunk(chunk: ChunkFile): Promise<void>;
  /** Writes the Distributed Map's items: `{batchId, chunk}` for each chunk. Returns the key. */
  putManifest(chunks: number): Promise<string>;
  /** @throws FileAltered when the file has changed since it was written; FileGone when it was deleted */
  getChunk(chunk: number): Promise<ChunkFile>;
  putList(name: ListName, lines: Readable): Promise<HashedFile>;
  /** Writes the payout file with its rows' problems. Returns the key, which ends in the name. */
  putToCorrect(name: ToCorrectName, content: Readable): Promise<string>;
  /** Writes the payment methods that the plan was checked against. */
  putMethods(methods: readonly PaymentMethod[]): Promise<void>;
}

/** Lists of a plan. `instructions.jsonl` has the ids of a pain.001: see domain/pain-002/instruction-lines.ts. */
export type ListName = 'errors.csv' | 'repeated-debts.csv' | 'instructions.jsonl';

/** Names of a payout file returned for correction. It keeps the format of the upload. */
export const toCorrectNames = ['to-correct.csv', 'to-correct.xlsx'] as const;
export type ToCorrectName = (typeof toCorrectNames)[number];

/** Names of a retry file. It is a workbook when the payout file was one. */
export const retryNames = ['retry.csv', 'retry.xlsx'] as const;
export type RetryName = (typeof retryNames)[number];

/** Returns which of the names a key ends in. Undefined when it ends in none. */
export const nameAt = <Name extends string>(key: string | undefined, names: readonly Name[]): Name | undefined =>
  names.find((name) => key?.endsWith(`/${name}`));

/** Names of a batch's files that an operator may request a link for. */
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

/** Identifies a plan's files, so that files that someone else wrote in their place are detected. */
export type SealedPlan = Pick<PlanSummary, 'prefix' | 'sealKey'>;

/** The current version of an uploaded payout file. */
export interface Upload extends PinnedFile {
  readonly uploadedAt: string;
}

export interface Uploads {
  readonly uploads: readonly Upload[];
  /** True when these are all. */
  readonly isWhole: boolean;
}

export interface Files {
  /** Lists current versions of files whose name below `uploads/` has this prefix, sorted by name. At most a few thousand. */
  listUploads(startsWith: string): Promise<Uploads>;
  /** Pins the current version, or the requested one. Undefined when it does not exist. */
  pinUpload(key: string, versionId?: string): Promise<PinnedFile | undefined>;
  openUpload(file: PinnedFile): Promise<Readable>;
  /** @param sealKey new in each run, kept only in the ledger, and used to verify files when they are read back */
  planFiles(batchId: string, runId: string, sealKey: string): PlanFiles;
  /** Writes the items of one more submit round: `{batchId, chunk}` for each of these chunks. Returns the key. */
  putSubmitManifest(batchId: string, runId: string, chunks: readonly number[]): Promise<string>;
  /** @throws FileAltered when it is not what the plan wrote there; FileGone when it was deleted */
  getChunk(plan: SealedPlan, chunk: number): Promise<ChunkFile>;
  /**
   * Reads a list of a plan part by part. The reader may pause for minutes between two parts.
   *
   * @throws FileAltered after the last part, when the whole has another SHA-256
   */
  readList(file: HashedFile): AsyncIterable<Uint8Array>;
  /** Stores the PDF of a payout under a key made from its bytes. Other bytes for the same row get another key. */
  putProof(batchId: string, row: number, pdf: Uint8Array): Promise<Proof>;
  /** @throws FileAltered when its SHA-256 differs from the recorded one; FileGone when it was deleted */
  getProof(proof: Proof): Promise<Uint8Array>;
  /** Streams a ZIP of proofs to a new key and returns the key. The ZIP is deleted a day later. */
  putProofArchive(batchId: string, runId: string, content: Readable): Promise<string>;
  /** Streams one report of a ReportBatch run to a key of its own. Returns the key. */
  putReport(batchId: string, runId: string, name: ReportName, content: Readable): Promise<string>;
  /** Streams the pain.002 of a refused file to a key beside its plan. Returns the key. */
  putRefusal(plan: Pick<PlanSummary, 'prefix'>, xml: Readable): Promise<string>;
  /** Returns a link that is valid for this many seconds. A browser saves the file under `downloadName`. */
  linkTo(key: string, seconds: number, downloadName: string): Promise<string>;
}
