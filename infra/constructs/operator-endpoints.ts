import type { FilesAccess } from './payout-files.ts';
import type { LedgerAccess } from './payout-ledger.ts';
import type { ProviderCredential } from './provider-access.ts';

/** A function that answers one endpoint, and what it may do. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly entry: string;
  readonly description: string;
  readonly ledger: readonly LedgerAccess[];
  readonly files?: readonly FilesAccess[];
  /** Whether it says where to watch the workflow, or also starts it. */
  readonly workflow?: 'points' | 'starts';
  /** Of an endpoint that asks the provider: which credentials it may read. None of them moves money. */
  readonly provider?: readonly ProviderCredential[];
  /** Whether it says how the provider's rate limit stands, without asking the provider. */
  readonly tellsPace?: true;
}

const change: readonly LedgerAccess[] = ['read', 'write'];

/** One function an endpoint, so that each may do what its endpoint does and no more. */
export const operatorEndpoints = {
  StartBatch: {
    method: 'POST',
    path: '/batches',
    entry: 'functions/api/start-batch.ts',
    description: 'POST /batches: starts a batch from an uploaded payout file',
    ledger: change,
    files: ['findUploads', 'readUploads'],
    workflow: 'starts',
  },
  ListBatches: {
    method: 'GET',
    path: '/batches',
    entry: 'functions/api/list-batches.ts',
    description: 'GET /batches: batches, newest first',
    ledger: ['readIndexes'],
    workflow: 'points',
  },
  GetBatch: {
    method: 'GET',
    path: '/batches/{batchId}',
    entry: 'functions/api/get-batch.ts',
    description: 'GET /batches/{batchId}: how a batch stands',
    ledger: ['read', 'keepProgress'],
    workflow: 'points',
  },
  ListPayouts: {
    method: 'GET',
    path: '/batches/{batchId}/payouts',
    entry: 'functions/api/list-payouts.ts',
    description: 'GET /batches/{batchId}/payouts: payouts of a batch',
    ledger: ['read', 'readMany'],
  },
  ListEvents: {
    method: 'GET',
    path: '/batches/{batchId}/events',
    entry: 'functions/api/list-events.ts',
    description: 'GET /batches/{batchId}/events: what was told of a batch, in order',
    ledger: ['read'],
  },
  GetFileLink: {
    method: 'GET',
    path: '/batches/{batchId}/files/{name}',
    entry: 'functions/api/get-file-link.ts',
    description: 'GET /batches/{batchId}/files/{name}: a short-lived link to a report',
    ledger: ['read'],
    files: ['readReports'],
  },
  ArchiveProofs: {
    method: 'POST',
    path: '/batches/{batchId}/proofs',
    entry: 'functions/api/archive-proofs.ts',
    description: 'POST /batches/{batchId}/proofs: a ZIP of transfer proofs',
    ledger: ['read'],
    files: ['readProofs', 'writeArchives'],
  },
  PauseBatch: {
    method: 'POST',
    path: '/batches/{batchId}/pause',
    entry: 'functions/api/pause-batch.ts',
    description: 'POST /batches/{batchId}/pause: no further payout is submitted',
    ledger: change,
    workflow: 'points',
  },
  ResumeBatch: {
    method: 'POST',
    path: '/batches/{batchId}/resume',
    entry: 'functions/api/resume-batch.ts',
    description: 'POST /batches/{batchId}/resume: a paused or stuck batch goes on',
    ledger: change,
    workflow: 'starts',
  },
  CancelBatch: {
    method: 'POST',
    path: '/batches/{batchId}/cancel',
    entry: 'functions/api/cancel-batch.ts',
    description: 'POST /batches/{batchId}/cancel: payouts not yet submitted never will be',
    ledger: change,
    workflow: 'starts',
  },
  ApproveBatch: {
    method: 'POST',
    path: '/batches/{batchId}/approve',
    entry: 'functions/api/approve-batch.ts',
    description: 'POST /batches/{batchId}/approve: another person lets money move',
    ledger: change,
    workflow: 'starts',
  },
  RejectBatch: {
    method: 'POST',
    path: '/batches/{batchId}/reject',
    entry: 'functions/api/reject-batch.ts',
    description: 'POST /batches/{batchId}/reject: another person ends a batch before money moves',
    ledger: [...change, 'delete'],
    workflow: 'points',
  },
  GetPayout: {
    method: 'GET',
    path: '/payouts/{reference}',
    entry: 'functions/api/get-payout.ts',
    description: 'GET /payouts/{reference}: one payout',
    ledger: ['read', 'readMany'],
  },
  GetProofLink: {
    method: 'GET',
    path: '/payouts/{reference}/proof',
    entry: 'functions/api/get-proof-link.ts',
    description: 'GET /payouts/{reference}/proof: a short-lived link to a transfer proof',
    ledger: ['read'],
    files: ['readProofs'],
  },
  TellRecipient: {
    method: 'POST',
    path: '/payouts/{reference}/recipient',
    entry: 'functions/api/tell-recipient.ts',
    description: 'POST /payouts/{reference}/recipient: who a payout is to',
    ledger: ['read'],
    files: ['readPlans'],
  },
  SearchPayouts: {
    method: 'POST',
    path: '/search/payouts',
    entry: 'functions/api/search-payouts.ts',
    description: 'POST /search/payouts: payouts by recipient, amount or reference, over all batches',
    ledger: ['readMany', 'searchPayouts'],
  },
  SettlePayout: {
    method: 'POST',
    path: '/payouts/{reference}/settle',
    entry: 'functions/api/settle-payout.ts',
    description: 'POST /payouts/{reference}/settle: a payout that nothing else settles',
    ledger: change,
    // The address that a wallet transfer is searched by: the ledger has only its hash.
    files: ['readPlans'],
    provider: ['signing'],
  },
  SettleConversion: {
    method: 'POST',
    path: '/batches/{batchId}/conversions/{number}/settle',
    entry: 'functions/api/settle-conversion.ts',
    description: 'POST /batches/{batchId}/conversions/{number}/settle: a conversion whose outcome is not known',
    ledger: [...change, 'delete'],
  },
  GetFunds: {
    method: 'GET',
    path: '/funds',
    entry: 'functions/api/get-funds.ts',
    description: 'GET /funds: money set aside, locked pairs of currencies, the provider’s rate limit',
    ledger: ['read'],
    tellsPace: true,
  },
  GetTemplateCsv: {
    method: 'GET',
    path: '/template.csv',
    entry: 'functions/api/template/get-template-csv.ts',
    description: 'GET /template.csv: a CSV to fill in',
    ledger: [],
  },
  GetTemplateWorkbook: {
    method: 'GET',
    path: '/template.xlsx',
    entry: 'functions/api/template/get-template-workbook.ts',
    description: 'GET /template.xlsx: an Excel workbook to fill in',
    ledger: [],
  },
} as const satisfies Readonly<Record<string, Endpoint>>;
