import type { FunctionRow } from './function-row.ts';
import { asks, change } from './function-row.ts';

interface EndpointRow extends FunctionRow {
  /** Method and path: `GET /batches/{batchId}`. */
  readonly request: string;
}

/** API Gateway gives up after 29 seconds, so nobody would get a later answer. */
const timeoutSeconds = 28;

/** @param does completes the description that begins with the request */
const endpoint = (
  request: string,
  { does, ...row }: Omit<EndpointRow, 'request' | 'description' | 'timeoutSeconds'> & { readonly does: string },
): EndpointRow => ({ ...row, request, description: `${request}: ${does}`, timeoutSeconds });

/** Each endpoint has its own function, which may do what the endpoint does and no more. */
export const operatorEndpoints = {
  StartBatch: endpoint('POST /batches', {
    entry: 'functions/api/batches/start-batch.ts',
    does: 'starts a batch from an uploaded payout file',
    ledger: change,
    files: ['findUploads', 'readUploads'],
    workflow: 'starts',
  }),
  ListBatches: endpoint('GET /batches', {
    entry: 'functions/api/batches/list-batches.ts',
    does: 'lists batches, newest first',
    ledger: ['readIndexes'],
    workflow: 'points',
  }),
  GetBatch: endpoint('GET /batches/{batchId}', {
    entry: 'functions/api/batches/get-batch.ts',
    does: 'returns a batch',
    ledger: ['read', 'keepProgress'],
    workflow: 'points',
  }),
  ListPayouts: endpoint('GET /batches/{batchId}/payouts', {
    entry: 'functions/api/payouts/list-payouts.ts',
    does: 'lists the payouts of a batch',
    ledger: ['read', 'readMany'],
  }),
  ListEvents: endpoint('GET /batches/{batchId}/events', {
    entry: 'functions/api/batches/list-events.ts',
    does: 'lists the events of a batch, in order',
    ledger: ['read'],
  }),
  GetFileLink: endpoint('GET /batches/{batchId}/files/{name}', {
    entry: 'functions/api/batches/get-file-link.ts',
    does: 'returns a short-lived link to a report',
    ledger: ['read'],
    files: ['readReports'],
  }),
  ZipProofs: endpoint('POST /batches/{batchId}/proofs', {
    entry: 'functions/api/batches/zip-proofs.ts',
    does: 'puts transfer proofs into a ZIP',
    ledger: ['read'],
    files: ['readProofs', 'writeArchives'],
  }),
  PauseBatch: endpoint('POST /batches/{batchId}/pause', {
    entry: 'functions/api/batches/pause-batch.ts',
    does: 'stops submitting payouts',
    ledger: change,
    workflow: 'points',
  }),
  ResumeBatch: endpoint('POST /batches/{batchId}/resume', {
    entry: 'functions/api/batches/resume-batch.ts',
    does: 'continues a paused or stuck batch',
    ledger: change,
    workflow: 'starts',
  }),
  CancelBatch: endpoint('POST /batches/{batchId}/cancel', {
    entry: 'functions/api/batches/cancel-batch.ts',
    does: 'cancels every payout that is not submitted yet',
    ledger: change,
    workflow: 'starts',
  }),
  ApproveBatch: endpoint('POST /batches/{batchId}/approve', {
    entry: 'functions/api/batches/approve-batch.ts',
    does: 'lets another person release the money',
    ledger: change,
    workflow: 'starts',
  }),
  RejectBatch: endpoint('POST /batches/{batchId}/reject', {
    entry: 'functions/api/batches/reject-batch.ts',
    does: 'lets another person end the batch before money moves',
    ledger: [...change, 'delete'],
    workflow: 'points',
  }),
  GetPayout: endpoint('GET /payouts/{reference}', {
    entry: 'functions/api/payouts/get-payout.ts',
    does: 'returns a payout',
    ledger: ['read', 'readMany'],
  }),
  GetProofLink: endpoint('GET /payouts/{reference}/proof', {
    entry: 'functions/api/payouts/get-proof-link.ts',
    does: 'returns a short-lived link to a transfer proof',
    ledger: ['read'],
    files: ['readProofs'],
  }),
  GetRecipient: endpoint('POST /payouts/{reference}/recipient', {
    entry: 'functions/api/payouts/get-recipient.ts',
    does: 'returns the recipient of a payout',
    ledger: ['read'],
    files: ['readPlans'],
  }),
  SearchPayouts: endpoint('POST /search/payouts', {
    entry: 'functions/api/payouts/search-payouts.ts',
    does: 'finds payouts of all batches by recipient, amount or reference',
    ledger: ['read', 'readMany', 'searchPayouts'],
  }),
  SettlePayout: endpoint('POST /payouts/{reference}/settle', {
    entry: 'functions/api/settle/settle-payout.ts',
    does: 'settles a payout that needs a person',
    ledger: change,
    // Only the plan has the address for searching a wallet transfer. The ledger has its hash.
    files: ['readPlans'],
    provider: asks,
  }),
  SettleConversion: endpoint('POST /batches/{batchId}/conversions/{number}/settle', {
    entry: 'functions/api/settle/settle-conversion.ts',
    does: 'settles a conversion whose outcome is unknown',
    ledger: [...change, 'delete'],
  }),
  GetFunds: endpoint('GET /funds', {
    entry: 'functions/api/get-funds.ts',
    does: 'returns reserved money, locked currency pairs and the provider’s rate limit',
    ledger: ['read'],
    showsPace: true,
  }),
  GetTemplateCsv: endpoint('GET /template.csv', {
    entry: 'functions/api/template/get-template-csv.ts',
    does: 'returns a CSV to fill in',
  }),
  GetTemplateWorkbook: endpoint('GET /template.xlsx', {
    entry: 'functions/api/template/get-template-workbook.ts',
    does: 'returns an Excel workbook to fill in',
  }),
};

export type OperatorEndpoint = keyof typeof operatorEndpoints;
