import type { ReportName } from '../domain/files-port.ts';

/** Digits enough for a million rows, so that keys sort as numbers do. */
const padded = (number: number): string => String(number).padStart(7, '0');

/** Every run of PlanBatch has its own: a run that was given up and one that took over never mix. */
export const planPrefix = (batchId: string, runId: string): string => `batches/${batchId}/plan-${runId}/`;
export const chunkKey = (prefix: string, chunk: number): string => `${prefix}chunks/${padded(chunk)}.json`;
export const manifestKey = (prefix: string): string => `${prefix}manifest.json`;
export const errorsKey = (prefix: string): string => `${prefix}errors.csv`;
export const methodsKey = (prefix: string): string => `${prefix}methods.json`;

/** Keys are made of what the system numbers, never of what a file says. */
export const proofKey = (batchId: string, row: number): string => `batches/${batchId}/proofs/${padded(row)}.pdf`;
export const reportKey = (batchId: string, name: ReportName): string => `batches/${batchId}/reports/${name}`;
