import type { BatchView } from '../../../functions/api/schemas/batch.ts';

export const at = '2026-01-05T09:00:00.000Z';

/** The API's view of a batch with two completed payouts. */
export const batchView = (changes: Partial<BatchView> = {}): BatchView => ({
  batchId: 'b-1',
  countsAsOf: '2026-01-01T00:00:00.000Z',
  status: 'completed',
  since: at,
  mode: 'disburse',
  invalidRows: 'reject',
  allowSameFile: false,
  file: { key: 'uploads/p.csv', versionId: '1', bytes: 1 },
  createdAt: at,
  createdBy: 'arn:aws:iam::000000000000:root',
  executions: [],
  plan: { rows: 2, validRows: 2, invalidRows: 0, chunks: 1, errors: [] },
  counts: { completed: 2 },
  skippedRows: 0,
  attention: [],
  currencies: [],
  conversions: [],
  proofs: { archived: 2, expected: 2 },
  timeline: [],
  files: [],
  actions: [],
  ...changes,
});
