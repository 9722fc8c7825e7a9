import { describe, expect, it } from 'vitest';
import type { Batch, Conversion, TimelineLine } from '../../../functions/domain/batch/batch.ts';
import type { Call, CallOutcome, ChunkRecord } from '../../../functions/domain/batch/chunk.ts';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import {
  batchItem,
  lineItem,
  readBatch,
  readFileMark,
  readLine,
} from '../../../functions/ledger/batches/batch-codec.ts';
import { progressItem, readStoredProgress } from '../../../functions/ledger/batches/progress.ts';
import {
  conversionItem,
  readConversion,
  readReservation,
  reservationItem,
} from '../../../functions/ledger/funds/funds-codec.ts';
import {
  callItem,
  chunkItem,
  payoutItem,
  readCall,
  readChunkRecord,
  readPayout,
} from '../../../functions/ledger/payouts/payout-codec.ts';
import { currencyPlan, idr, tally, usdt } from '../../support/money.ts';
import { exampleProgress } from '../../support/scenes/example-batch.ts';

/** `Required`, so that an attribute without a codec fails here. */
const payout: Required<Payout> = {
  batchId: 'b',
  chunk: 1,
  row: 2,
  reference: 'r',
  rail: 'crypto',
  amount: usdt('0.000000000000000001'),
  destinationHash: 'h',
  destination: { bankCode: 'bca', account: '***5678' },
  status: 'quarantined',
  reason: { code: 'c', message: 'm', providerText: 'p' },
  call: 3,
  disbursementId: 'd',
  fee: usdt('12345678901234567890.123456789012345678'),
  absences: 2,
  proof: { key: 'k', sha256: 's', bytes: 4 },
  proofTries: 2,
  heldBy: 'other',
  contradictions: [{ code: 'changed_after_end', disbursementId: 'd', observed: 'failed', at: 't' }],
  contradictionsNoted: 1,
  statusSince: 't',
  updatedAt: 't',
};

const batch: Required<Batch> = {
  batchId: 'b',
  status: 'paused',
  reason: { code: 'c', message: 'm' },
  resumeTo: 'processing',
  cancelRequestedAt: 't',
  mode: 'disburse',
  invalidRows: 'skip',
  corrects: 'b-0',
  correctedBy: new Set(['b-9']),
  retriedBy: new Set(['b-8']),
  allowSameFile: true,
  approvalRequired: true,
  startAt: '2026-01-25T09:00:00+07:00',
  canary: 3,
  pauseAbove: 5,
  claimUpTo: 1,
  acknowledgedEnds: { ended: 20, unpaid: 2 },
  acknowledgedQuarantined: { IDR: 3 },
  expect: { rows: 2, sums: new Map([['IDR', idr('1.50')]]) },
  file: { key: 'f', versionId: 'v', bytes: 1 },
  createdAt: '2026-03-14T09:26:53.589Z',
  createdBy: 'arn',
  statusSince: 't',
  executions: 2,
  executionEnded: true,
  sharesDebtsWith: new Set(['a']),
  approval: {
    hash: 'h',
    findings: [{ code: 'c', message: 'm', rows: 1, against: 'a', mayBeReleased: true }],
    why: 'findings',
    expiresAt: 't',
    approved: { by: 'arn', at: 't', reason: 'r' },
  },
  release: {
    hash: 'h',
    at: 't',
    day: 'd',
    conversions: [{ input: usdt('1.5'), outputCurrency: 'IDR' }],
  },
  plan: {
    prefix: 'p/',
    manifestKey: 'p/manifest.json',
    sealKey: 'k',
    sha256: 'h',
    isWorkbook: true,
    chunks: 1,
    rows: 2,
    validRows: 1,
    invalidRows: 1,
    errors: [{ row: 2, column: 'amount', code: 'amount_zero', message: 'm' }],
    errorsFile: { key: 'p/errors.csv', sha256: 'g' },
    currencies: [
      currencyPlan({
        rail: 'fiat',
        currency: 'IDR',
        count: 1,
        amount: '1.5',
        fee: '0',
        largestAmount: '1.5',
        methods: [{ method: 'BCA', count: 1, amount: '1.5', fee: '0' }],
      }),
    ],
  },
  fees: [{ rail: 'fiat', fee: idr('0'), source: 'payment_methods' }],
  funding: {
    currencies: [
      {
        currency: 'IDR',
        required: idr('1.5'),
        balance: idr('1'),
        reservedByOthers: idr('0'),
        shortfall: idr('0.5'),
        unclear: idr('0'),
      },
    ],
    conversions: [{ input: usdt('1'), output: idr('2'), fee: idr('0'), rate: '2' }],
    conversionsBefore: 0,
    plannedAt: 't',
  },
  awaitingFundsSince: 't',
  refusedWords: 'w',
  acknowledgedWords: ['v'],
  report: { resultsKey: 'r', retryKey: 'y/retry.csv', evidenceKey: 'e', reportedAt: 't', chunkVersions: 3 },
};

const conversion: Required<Conversion> = {
  batchId: 'b',
  n: 1,
  status: 'inferred',
  planned: { input: usdt('1'), output: idr('2'), fee: idr('0'), rate: '2' },
  quoteId: 'q',
  inputBalanceBefore: usdt('1'),
  outputBalanceBefore: idr('-0.5'),
  claimId: 'c',
  claimedAt: 't',
  convertId: 'v',
  input: usdt('1.0'),
  output: idr('2.0'),
  fee: idr('0.1'),
  reason: { code: 'c', message: 'm' },
  endedAt: 't',
};

const chunk: Required<ChunkRecord> = {
  batchId: 'b',
  chunk: 1,
  rail: 'fiat',
  currency: 'IDR',
  hasNoProofs: true,
  tallies: { ready: tally(1, '1', '0') },
  proofs: 1,
  proofsGivenUp: 2,
  waitingSince: { unknown: 't', quarantined: 'u' },
  lastHeldAt: 'v',
  contradictions: { recorded: 2, payouts: 1, since: 't' },
  registeredAt: 't',
  version: 1,
};

const call: Omit<Call, 'outcome'> = {
  batchId: 'b',
  chunk: 1,
  k: 1,
  rows: [1, 2],
  payloadHash: 'p',
  claimId: 'c',
  claimedAt: 't',
};

const outcomes: readonly CallOutcome[] = [
  { kind: 'accepted' },
  { kind: 'not_sent' },
  { kind: 'rejected', message: 'm' },
  { kind: 'rejected', message: 'm', isTaken: true },
  { kind: 'rejected', message: 'm', isBalanceTooLow: true },
  { kind: 'halted' },
  { kind: 'halted', madeNothing: true },
  { kind: 'unknown', cause: 'timeout' },
];

const event: Required<TimelineLine> = {
  at: 't',
  code: 'batch.paused',
  by: 'arn',
  detail: 'd',
  note: 'n',
  payoutStatus: 'failed',
};

describe('items are read back as written', () => {
  it('payout', () => expect(readPayout({ ...payoutItem(payout) })).toEqual(payout));
  it('batch', () => expect(readBatch({ ...batchItem(batch) })).toEqual(batch));
  it('conversion', () => expect(readConversion({ ...conversionItem(conversion) })).toEqual(conversion));
  it('chunk', () => expect(readChunkRecord({ ...chunkItem(chunk) })).toEqual(chunk));
  it('event', () => expect(readLine({ ...lineItem('b', 'id', event) })).toEqual(event));
  it('call without an outcome', () => expect(readCall({ ...callItem(call) })).toEqual(call));
  it.each(outcomes)('call with outcome $kind', (outcome) =>
    expect(readCall({ ...callItem({ ...call, outcome }) })).toEqual({ ...call, outcome }),
  );
});

describe('money keeps its text', () => {
  const planned = { inputCurrency: 'usdt-tron', inputAmount: '1', outputCurrency: 'IDR', outputAmount: '2' };

  it('of a payout', () => {
    const fee = '12345678901234567890.123456789012345678';
    expect(payoutItem(payout)).toMatchObject({ currency: 'usdt-tron', amount: '0.000000000000000001', fee });
    expect(payoutItem({ ...payout, amount: usdt('10.50') })).toMatchObject({ amount: '10.50' });
  });

  it('of a batch', () => {
    const sums = { count: 1, amount: '1.5', fee: '0' };
    expect(batchItem(batch)).toMatchObject({
      expect: { rows: 2, sums: { IDR: '1.50' } },
      plan: {
        currencies: [
          { rail: 'fiat', currency: 'IDR', ...sums, largestAmount: '1.5', methods: [{ method: 'BCA', ...sums }] },
        ],
      },
      fees: [{ rail: 'fiat', currency: 'IDR', fee: '0', source: 'payment_methods' }],
      funding: {
        currencies: [
          { currency: 'IDR', required: '1.5', balance: '1', reservedByOthers: '0', shortfall: '0.5', unclear: '0' },
        ],
        conversions: [{ ...planned, fee: '0', rate: '2' }],
        conversionsBefore: 0,
      },
      release: { conversions: [{ inputCurrency: 'usdt-tron', inputAmount: '1.5', outputCurrency: 'IDR' }] },
    });
  });

  it('of a conversion', () => {
    const item = conversionItem(conversion);
    const balances = { inputBalanceBefore: '1', outputBalanceBefore: '-0.5' };
    const known = { inputAmount: '1.0', outputAmount: '2.0', fee: '0.1' };
    expect(item).toMatchObject({ planned: { ...planned, fee: '0', rate: '2' }, ...balances, ...known });
    expect(Object.keys(item)).not.toEqual(expect.arrayContaining(['input']));
    expect(Object.keys(item)).not.toEqual(expect.arrayContaining(['output']));
  });

  it('of a chunk and of what a batch’s chunks add up to', () => {
    const tallies = { ready: { count: 1, amount: '1', fee: '0' } };
    expect(chunkItem(chunk)).toMatchObject({ currency: 'IDR', tallies });
    const progress = exampleProgress('b', chunk);
    expect(progressItem('b', progress)).toMatchObject({ currencies: [{ rail: 'fiat', currency: 'IDR', tallies }] });
  });

  it('of a reservation', () => {
    expect(reservationItem({ batchId: 'b', amount: idr('7.5') }, 't')).toMatchObject({ batchId: 'b', amount: '7.5' });
    expect(readReservation('IDR')({ batchId: 'b', amount: '7.5' })).toEqual({ batchId: 'b', amount: idr('7.5') });
  });
});

it('a chunk record omits fields of its key and empty ones', () => {
  const { hasNoProofs: _none, proofsGivenUp: _given, lastHeldAt: _held, ...kept } = chunk;
  const nothing: ChunkRecord = {
    ...kept,
    tallies: { completed: tally(1, '1', '0') },
    rail: 'crypto',
    proofs: 0,
    waitingSince: {},
    contradictions: { recorded: 0, payouts: 0 },
  };
  const item = chunkItem(nothing);
  expect(Object.keys(item).sort()).toEqual(['currency', 'pk', 'rail', 'registeredAt', 'sk', 'tallies', 'version']);
  expect(readChunkRecord({ ...item })).toEqual(nothing);
});

it('a chunk record keeps how many payouts never get a proof, without any contradiction', () => {
  const record: ChunkRecord = { ...chunk, contradictions: { recorded: 0, payouts: 0, withoutProof: 1 } };
  expect(readChunkRecord({ ...chunkItem(record) })).toEqual(record);
});

it('only an open batch has the index attribute', () => {
  expect(batchItem({ ...batch, status: 'processing' })).toMatchObject({ open: 'BATCHES' });
  expect(batchItem({ ...batch, status: 'failed' })).not.toHaveProperty('open');
  for (const item of [payoutItem(payout), chunkItem(chunk), conversionItem(conversion), callItem(call)])
    expect(item).not.toHaveProperty('open');
});

it('a stored progress is read back, without unreadable parts', () => {
  const progress = exampleProgress('b', chunk, { tallies: { pending: tally(1, '1', '0') } });
  expect(readStoredProgress({ ...progressItem('b', progress) })).toEqual(progress);
  expect(readStoredProgress({ ...progressItem('b', progress), payouts: 'many' })).toBeUndefined();
  expect(readStoredProgress(undefined)).toBeUndefined();
});

it('the provider’s lines of a timeline are stored separately', () => {
  expect(lineItem('b', 'id', event).sk).toBe('EVENT#t#id');
  expect(lineItem('b', 'id', { ...event, code: 'payout.contradicted' }).sk).toBe('CONTRADICTION#t#id');
});

describe('invalid items are refused', () => {
  it.each([
    { name: 'an amount that is a number', change: { amount: 1 }, at: 'amount' },
    { name: 'an amount with an exponent', change: { amount: '1e3' }, at: 'amount' },
    { name: 'an unknown status', change: { status: 'lost' }, at: 'status' },
    { name: 'a row that is a text', change: { row: '1' }, at: 'row' },
  ])('$name, naming the attribute and no value', ({ change, at }) => {
    expect(() => readPayout({ ...payoutItem(payout), ...change })).toThrow(
      new RegExp(`^ledger_item_unreadable: payout ${at}$`),
    );
  });
});

it('only batches have the attributes of the index by day, and only payouts the provider’s id', () => {
  expect(batchItem(batch)).toMatchObject({ day: '2026-03-14', createdAtAndId: '2026-03-14T09:26:53.589Z#b' });
  for (const item of [payoutItem(payout), conversionItem(conversion), chunkItem(chunk), callItem(call)])
    expect(item).not.toHaveProperty('day');
  for (const item of [batchItem(batch), conversionItem(conversion), chunkItem(chunk), callItem(call)])
    expect(item).not.toHaveProperty('disbursementId');
});

it('a file without batches has none', () => {
  expect(readFileMark({ pk: 'FILE#f#v', sk: 'FILE' })).toEqual({});
});
