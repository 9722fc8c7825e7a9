import { randomUUID } from 'node:crypto';
import type { NewBatch } from '../../../functions/ports/ledger/batch-ledger.ts';

/** A new batch with its own file. */
export const newBatch = (changes: Partial<NewBatch> = {}): NewBatch => ({
  batchId: randomUUID(),
  mode: 'disburse',
  invalidRows: 'reject',
  allowSameFile: false,
  file: { key: `uploads/${randomUUID()}.csv`, versionId: 'v1', bytes: 1234 },
  createdBy: 'arn:aws:iam::123456789012:user/payroll',
  idempotencyKey: randomUUID(),
  requestHash: 'request',
  ...changes,
});
