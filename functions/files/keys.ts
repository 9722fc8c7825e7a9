import type { ListName, ReportName, ToCorrectName } from '../ports/files.ts';

type PlanFileName = 'manifest.json' | 'methods.json' | ListName | ToCorrectName | Extract<ReportName, 'pain-002.xml'>;

/** Enough digits for a million rows, so that keys sort like numbers. */
const padded = (number: number): string => String(number).padStart(7, '0');

/** Every run of PlanBatch has its own prefix, so that an abandoned run and its successor never mix. */
export const planPrefix = (batchId: string, runId: string): string => `batches/${batchId}/plan-${runId}/`;
export const chunkKey = (prefix: string, chunk: number): string => `${prefix}chunks/${padded(chunk)}.json`;
/** Outside the plan's prefix: the role that writes submit rounds must not be able to change what is paid to whom. */
export const submitManifestKey = (batchId: string, runId: string): string => `batches/${batchId}/submit/${runId}.json`;
/** `pain-002.xml` is there when a pain.001 is refused. */
export const planFileKey = (prefix: string, name: PlanFileName): string => `${prefix}${name}`;

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
