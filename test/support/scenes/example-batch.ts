import type { Batch } from '../../../functions/domain/batch/batch.ts';
import type { ChunkRecord } from '../../../functions/domain/batch/chunk.ts';
import type { ChunkFile } from '../../../functions/domain/batch/chunk-file.ts';
import type { CurrencyPlan } from '../../../functions/domain/batch/plan.ts';
import type { Progress } from '../../../functions/domain/batch/progress.ts';
import { sumProgress } from '../../../functions/domain/batch/progress.ts';
import type { Rail } from '../../../functions/domain/payout/payout.ts';
import { tronAddress } from '../wallet-addresses.ts';

/** A batch in progress, as stored in the ledger. */
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

/** The first chunk of a batch, of bank transfers, as stored in the ledger just after its registration. */
export const exampleChunk = (batchId: string, changes: Partial<ChunkRecord> = {}): ChunkRecord => ({
  batchId,
  chunk: 1,
  rail: 'fiat',
  currency: 'IDR',
  tallies: {},
  proofs: 0,
  waitingSince: {},
  contradictions: { recorded: 0, payouts: 0 },
  registeredAt: '2026-11-21T08:00:10.000Z',
  version: 1,
  ...changes,
});

/** The file of a batch's n-th chunk, from 1. All chunks have this many rows. */
export const exampleChunkFile = (batchId: string, rail: Rail, chunk: number, rows: number): ChunkFile => ({
  batchId,
  chunk,
  rail,
  currency: rail === 'fiat' ? 'IDR' : 'usdt-tron',
  payouts: Array.from({ length: rows }, (_, index) => {
    const row = (chunk - 1) * rows + index + 1;
    return {
      row,
      reference: `ref-${row}`,
      amount: `${row}00.50`,
      recipient:
        rail === 'fiat'
          ? { kind: 'bank', bankCode: 'bca', bankName: 'BCA', accountNumber: `00${row}`, accountName: 'A' }
          : { kind: 'wallet', walletAddress: tronAddress(`${row}`) },
    };
  }),
});

/** The progress of a batch with one chunk per change to the example. */
export const exampleProgress = (batchId: string, ...chunks: readonly Partial<ChunkRecord>[]): Progress =>
  sumProgress(
    chunks.map((changes, index) => exampleChunk(batchId, { chunk: index + 1, ...changes })),
    Date.parse('2026-11-21T08:01:00.000Z'),
  );

/** The batch's plan with this many chunks. Its rows are the payouts of the currencies. */
export const examplePlan = (
  batchId: string,
  chunks: number,
  currencies: readonly CurrencyPlan[],
): NonNullable<Batch['plan']> & { readonly sha256: string } => {
  const rows = currencies.reduce((sum, { count }) => sum + count, 0);
  const prefix = `batches/${batchId}/plan-1/`;
  return {
    prefix,
    manifestKey: `${prefix}manifest.json`,
    sealKey: 'k',
    sha256: `content of ${batchId}`,
    chunks,
    rows,
    validRows: rows,
    invalidRows: 0,
    errors: [],
    currencies,
  };
};
