import {
  approveBatch,
  archiveProofs,
  cancelBatch,
  getBatch,
  getFileLink,
  getFunds,
  listBatches,
  listEvents,
  pauseBatch,
  rejectBatch,
  resumeBatch,
  settleConversion,
  startBatch,
} from './batch-operations.ts';
import type { Operation } from './operation.ts';
import {
  getPayout,
  getProofLink,
  getRecipient,
  listPayouts,
  searchPayouts,
  settlePayout,
} from './payout-operations.ts';
import { getTemplateCsv, getTemplateWorkbook } from './template-operations.ts';

/** The endpoints with IAM authorization, in the order of the OpenAPI document. */
export const operations: readonly Operation[] = [
  startBatch,
  listBatches,
  getBatch,
  listPayouts,
  listEvents,
  getPayout,
  getProofLink,
  getRecipient,
  searchPayouts,
  getFileLink,
  archiveProofs,
  pauseBatch,
  resumeBatch,
  cancelBatch,
  approveBatch,
  rejectBatch,
  settlePayout,
  settleConversion,
  getFunds,
  getTemplateCsv,
  getTemplateWorkbook,
];
