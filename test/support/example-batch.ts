import type { Batch, CurrencyPlan } from '../../functions/domain/batch.ts';

/** A batch on its way, as the ledger holds it. */
export const exampleBatch = (batchId: string, changes: Partial<Batch> = {}): Batch => ({
  batchId,
  status: 'processing',
  mode: 'disburse',
  invalidRows: 'reject',
  allowSameFile: false,
  file: { key: 'uploads/a.csv', versionId: 'v1', bytes: 10 },
  createdAt: '2026-11-21T08:00:00.000Z',
  createdBy: 'arn:aws:iam::000000000000:user/operator',
  statusSince: '2026-11-21T08:00:00.000Z',
  executions: 1,
  ...changes,
});

/** Its plan: so many chunks, and rows as the currencies have payouts. */
export const examplePlan = (
  batchId: string,
  chunks: number,
  currencies: readonly CurrencyPlan[],
): NonNullable<Batch['plan']> => {
  const rows = currencies.reduce((sum, { count }) => sum + count, 0);
  const prefix = `batches/${batchId}/plan-1/`;
  return {
    prefix,
    manifestKey: `${prefix}manifest.json`,
    chunks,
    rows,
    validRows: rows,
    invalidRows: 0,
    errors: [],
    currencies,
  };
};
