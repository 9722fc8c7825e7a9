import type { Batch } from '../../../functions/domain/batch/batch.ts';
import type { PlanSummary } from '../../../functions/domain/batch/plan.ts';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import type { Files } from '../../../functions/ports/files.ts';
import type { BatchLedger } from '../../../functions/ports/ledger/batch-ledger.ts';
import type { FundsLedger } from '../../../functions/ports/ledger/funds-ledger.ts';
import type { PayoutLedger } from '../../../functions/ports/ledger/payout-ledger.ts';
import { currencyPlan, idr } from '../../support/money.ts';

/** An unscripted function of a fake. */
const untold = (name: string) => () => {
  throw new Error(`nothing is scripted for ${name}`);
};

type ApiLedger = Pick<
  BatchLedger,
  | 'createBatch'
  | 'findStart'
  | 'getBatch'
  | 'findByFile'
  | 'listBatches'
  | 'listTimeline'
  | 'moveBatch'
  | 'amendBatch'
  | 'requestCancel'
  | 'beginExecution'
> &
  Pick<
    PayoutLedger,
    | 'readProgress'
    | 'listPayouts'
    | 'getPayoutByReference'
    | 'findReferences'
    | 'getPayouts'
    | 'findByDestination'
    | 'findInBatches'
  > &
  Pick<FundsLedger, 'listConversions'>;

/** A ledger with scripted functions. All others throw. */
export const fakeLedger = (scripted: Partial<ApiLedger>): ApiLedger => ({
  createBatch: untold('createBatch'),
  findStart: untold('findStart'),
  getBatch: untold('getBatch'),
  findByFile: untold('findByFile'),
  listBatches: untold('listBatches'),
  listTimeline: untold('listTimeline'),
  moveBatch: untold('moveBatch'),
  amendBatch: untold('amendBatch'),
  requestCancel: untold('requestCancel'),
  beginExecution: untold('beginExecution'),
  readProgress: untold('readProgress'),
  listPayouts: untold('listPayouts'),
  getPayoutByReference: untold('getPayoutByReference'),
  findReferences: untold('findReferences'),
  getPayouts: untold('getPayouts'),
  findByDestination: untold('findByDestination'),
  findInBatches: untold('findInBatches'),
  listConversions: untold('listConversions'),
  ...scripted,
});

type ApiFiles = Pick<Files, 'pinUpload' | 'linkTo' | 'getChunk' | 'getProof' | 'putProofArchive'>;

export const fakeFiles = (scripted: Partial<ApiFiles>): ApiFiles => ({
  pinUpload: untold('pinUpload'),
  linkTo: untold('linkTo'),
  getChunk: untold('getChunk'),
  getProof: untold('getProof'),
  putProofArchive: untold('putProofArchive'),
  ...scripted,
});

export const operator = 'arn:aws:iam::123456789012:user/operator';

export const batch = (differences: Partial<Batch> = {}): Batch => ({
  batchId: 'b-1',
  status: 'processing',
  mode: 'disburse',
  invalidRows: 'reject',
  allowSameFile: false,
  file: { key: 'uploads/salaries.csv', versionId: 'v1', bytes: 1024 },
  createdAt: '2026-01-05T09:00:00.000Z',
  createdBy: operator,
  statusSince: '2026-01-05T09:01:00.000Z',
  executions: 1,
  ...differences,
});

export const plan: PlanSummary = {
  prefix: 'batches/b-1/plan-1/',
  manifestKey: 'batches/b-1/plan-1/manifest.json',
  sealKey: 'k',
  chunks: 3,
  rows: 6,
  validRows: 5,
  invalidRows: 1,
  errors: [{ row: 6, column: 'amount', code: 'amount_zero', message: 'The amount must be above zero.' }],
  errorsFile: { key: 'batches/b-1/plan-1/errors.csv', sha256: 'e' },
  currencies: [
    currencyPlan({
      rail: 'fiat',
      currency: 'IDR',
      count: 4,
      amount: '1000.40',
      fee: '16',
      largestAmount: '400',
      methods: [{ method: '014', count: 4, amount: '1000.40', fee: '16' }],
    }),
    currencyPlan({
      rail: 'crypto',
      currency: 'usdt-tron',
      count: 1,
      amount: '0.000000000000000001',
      fee: '1',
      largestAmount: '0.000000000000000001',
      methods: [],
    }),
  ],
};

export const payout = (differences: Partial<Payout> = {}): Payout => ({
  batchId: 'b-1',
  chunk: 1,
  row: 1,
  reference: 'r-1',
  rail: 'fiat',
  amount: idr('250.10'),
  destinationHash: 'hash-of-the-destination',
  status: 'pending',
  call: 1,
  disbursementId: 'd-1',
  updatedAt: '2026-01-05T09:02:00.000Z',
  ...differences,
});
