import type { ReportName, ToCorrectName } from '../ports/files.ts';

/** Enough digits for a million rows, so that keys sort like numbers. */
const padded = (number: number): string => String(number).padStart(7, '0');

/** Every run of PlanBatch has its own prefix, so that an abandoned run and its successor never mix. */
export const planPrefix = (batchId: string, runId: string): string => `batches/${batchId}/plan-${runId}/`;
export const chunkKey = (prefix: string, chunk: number): string => `${prefix}chunks/${padded(chunk)}.json`;
export const manifestKey = (prefix: string): string => `${prefix}manifest.json`;
/** Outside the plan's prefix: the role that writes submit rounds must not be able to change what is paid to whom. */
export const submitManifestKey = (batchId: string, runId: string): string => `batches/${batchId}/submit/${runId}.json`;
export const errorsKey = (prefix: string): string => `${prefix}errors.csv`;
export const toCorrectKey = (prefix: string, name: ToCorrectName): string => `${prefix}${name}`;
export const repeatedDebtsKey = (prefix: string): string => `${prefix}repeated-debts.csv`;
export const instructionsKey = (prefix: string): string => `${prefix}instructions.jsonl`;
/** The pain.002 of a refused file. */
export const refusalKey = (prefix: string): string => `${prefix}pain-002.xml`;
export const methodsKey = (prefix: string): string => `${prefix}methods.json`;

/**
 * Keys consist of the system's own numbers and hashes, never of a file's content. The provider may create a new PDF for
 * each request. With the SHA-256 (hex) in the key, one run never overwrites a proof that another has recorded.
 */
export const proofKey = (batchId: string, row: number, sha256: string): string =>
  `batches/${batchId}/proofs/${padded(row)}-${sha256}.pdf`;
/** Outside the kept records: an archive is a copy, deleted after a day. */
export const proofArchiveKey = (batchId: string, runId: string): string => `archives/${batchId}/${runId}.zip`;
/** Every run of ReportBatch has its own prefix. The batch names the run that counts. */
export const reportKey = (batchId: string, runId: string, name: ReportName): string =>
  `batches/${batchId}/reports/${runId}/${name}`;
