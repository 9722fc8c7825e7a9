import type { ReportName, ToCorrectName } from '../ports/files.ts';

/** Digits enough for a million rows, so that keys sort as numbers do. */
const padded = (number: number): string => String(number).padStart(7, '0');

/** Every run of PlanBatch has its own: a run that was given up and one that took over never mix. */
export const planPrefix = (batchId: string, runId: string): string => `batches/${batchId}/plan-${runId}/`;
export const chunkKey = (prefix: string, chunk: number): string => `${prefix}chunks/${padded(chunk)}.json`;
export const manifestKey = (prefix: string): string => `${prefix}manifest.json`;
/** Apart from the plan: who writes rounds of submitting must not be able to write what is paid to whom. */
export const submitManifestKey = (batchId: string, runId: string): string => `batches/${batchId}/submit/${runId}.json`;
export const errorsKey = (prefix: string): string => `${prefix}errors.csv`;
export const toCorrectKey = (prefix: string, name: ToCorrectName): string => `${prefix}${name}`;
export const repeatedDebtsKey = (prefix: string): string => `${prefix}repeated-debts.csv`;
export const instructionsKey = (prefix: string): string => `${prefix}instructions.jsonl`;
/** The pain.002 of a file that is refused. */
export const refusalKey = (prefix: string): string => `${prefix}pain-002.xml`;
export const methodsKey = (prefix: string): string => `${prefix}methods.json`;

/**
 * Keys are made of what the system numbers and hashes, never of what a file says. The provider may make a proof anew each time
 * it is asked: with its SHA-256 (hex) in the key, what one run stores never takes the place of what another has recorded.
 */
export const proofKey = (batchId: string, row: number, sha256: string): string =>
  `batches/${batchId}/proofs/${padded(row)}-${sha256}.pdf`;
/** Apart from what is kept: an archive is a copy, and is gone a day later. */
export const proofArchiveKey = (batchId: string, runId: string): string => `archives/${batchId}/${runId}.zip`;
/** Every run of ReportBatch has its own, as those of PlanBatch have: the batch names the run that counts. */
export const reportKey = (batchId: string, runId: string, name: ReportName): string =>
  `batches/${batchId}/reports/${runId}/${name}`;
