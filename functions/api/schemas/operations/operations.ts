import * as batches from './batch-operations.ts';
import type { Operation } from './operation.ts';
import * as payouts from './payout-operations.ts';
import * as templates from './template-operations.ts';

/** The endpoints with IAM authorization, in the order of the OpenAPI document. */
export const operations: readonly Operation[] = [
  batches.startBatch,
  batches.listBatches,
  batches.getBatch,
  payouts.listPayouts,
  batches.listEvents,
  payouts.getPayout,
  payouts.getProofLink,
  payouts.getRecipient,
  payouts.searchPayouts,
  batches.getFileLink,
  batches.zipProofs,
  batches.pauseBatch,
  batches.resumeBatch,
  batches.cancelBatch,
  batches.approveBatch,
  batches.rejectBatch,
  payouts.settlePayout,
  batches.settleConversion,
  batches.getFunds,
  templates.getTemplateCsv,
  templates.getTemplateWorkbook,
];
