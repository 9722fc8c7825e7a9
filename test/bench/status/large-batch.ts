import type { Batch, Conversion, TimelineLine } from '../../../functions/domain/batch/batch.ts';
import type { ChunkRecord } from '../../../functions/domain/batch/chunk.ts';
import type { CurrencyPlan } from '../../../functions/domain/batch/plan.ts';
import { Money } from '../../../functions/domain/money/money.ts';
import { conversionOfText, currencyFundingOfText, tallyOfText } from '../../../functions/domain/money/money-records.ts';
import type { Tally } from '../../../functions/domain/money/tally.ts';

export const batchId = 'b-01jgfjjz00e5x7b6nrw2m8k4vd';
export const startedAt = Date.parse('2031-01-01T08:00:00.000Z');

const operator = 'arn:aws:sts::123456789012:assumed-role/PayrollOperators/first.last@example.com';
const rowsPerChunk = 98;
const banks = 40;
const currencies = ['IDR', 'PHP', 'THB'] as const;

const at = (seconds: number): string => new Date(startedAt + seconds * 1000).toISOString();
const tally = (currency: string, count: number): Tally =>
  tallyOfText(currency, { count, amount: (count * 1_250_000.25).toFixed(2), fee: (count * 4500).toFixed(0) });

const planned = (currency: string, count: number): CurrencyPlan => ({
  rail: 'fiat',
  currency,
  ...tally(currency, count),
  largestAmount: Money.of('250000000', currency),
  methods: Array.from({ length: banks }, (_, bank) => ({
    method: String(bank).padStart(3, '0'),
    ...tally(currency, Math.floor(count / banks)),
  })),
});

/** One of the largest possible batches: three currencies to forty banks each, a hundred faulty rows, its funding, its report. */
export const largeBatch = (chunks: number): Batch => {
  const rows = chunks * rowsPerChunk;
  const prefix = `batches/${batchId}/plan-01jgfjjz00e5x7b6nrw2m8k4vd/`;
  return {
    batchId,
    status: 'processing',
    mode: 'disburse',
    invalidRows: 'skip',
    allowSameFile: false,
    file: { key: 'uploads/salaries-january.csv', versionId: '3sL4kqtJlcpXroDTDmJ.rmSpXd3dIbrH', bytes: 120_000_000 },
    createdAt: at(0),
    createdBy: operator,
    statusSince: at(120),
    executions: 1,
    plan: {
      prefix,
      manifestKey: `${prefix}manifest.json`,
      sealKey: 'k',
      chunks,
      rows: rows + 100,
      validRows: rows,
      invalidRows: 100,
      errors: Array.from({ length: 100 }, (_, row) => ({
        row: row + 1,
        column: 'amount',
        code: 'amount_zero',
        message: 'The amount must be greater than zero.',
      })),
      errorsFile: { key: `${prefix}errors.csv`, sha256: '0'.repeat(64) },
      currencies: currencies.map((currency) => planned(currency, Math.floor(rows / currencies.length))),
    },
    fees: currencies.map((currency) => ({
      rail: 'fiat',
      fee: Money.of('1500000000', currency),
      source: 'payment_methods',
    })),
    funding: {
      currencies: currencies.map((currency) =>
        currencyFundingOfText({
          currency,
          required: '416666750000.25',
          balance: '500000000000',
          reservedByOthers: '0',
          shortfall: '0',
          unclear: '0',
        }),
      ),
      conversions: [],
      conversionsBefore: 0,
      plannedAt: at(110),
    },
  };
};

/** Its chunks, halfway: of each three, one is just registered, one is partly with the provider, and one has ended. */
export const largeBatchChunk = (chunk: number): ChunkRecord => {
  const currency = currencies[chunk % currencies.length] ?? 'IDR';
  const record = {
    batchId,
    chunk,
    rail: 'fiat',
    currency,
    proofs: 0,
    waitingSince: {},
    contradictions: { recorded: 0, payouts: 0 },
    registeredAt: at(120 + chunk / 20),
    version: 4,
  } as const satisfies Partial<ChunkRecord>;
  switch (chunk % 3) {
    case 0:
      return {
        ...record,
        tallies: { ready: tally(currency, 98) },
        waitingSince: { ready: at(120 + chunk / 20) },
        version: 1,
      };
    case 1:
      return {
        ...record,
        tallies: { pending: tally(currency, 40), completed: tally(currency, 58) },
        proofs: 20,
        waitingSince: { pending: at(125 + chunk / 20) },
      };
    default:
      return { ...record, tallies: { completed: tally(currency, 96), failed: tally(currency, 2) }, proofs: 96 };
  }
};

/** People's and the workflow's events, and the provider's contradictions. More of both than an answer contains. */
export const largeBatchEvents = (): readonly TimelineLine[] =>
  Array.from({ length: 60 }, (_, index) =>
    index % 2 === 0
      ? { at: at(200 + index), code: 'payout.settled', by: operator, detail: `salary-2031-01-${index} as noted` }
      : {
          at: at(200 + index),
          code: 'payout.contradicted',
          by: 'system',
          detail: `salary-2031-01-${index} is completed; changed_after_end: 01jgfjjz00e5x7b6nrw2m8k4vd is failed`,
        },
  );

export const largeBatchConversion: Conversion = conversionOfText({
  batchId,
  n: 1,
  status: 'completed',
  planned: {
    inputCurrency: 'usdt-tron',
    inputAmount: '1000000.5',
    outputCurrency: 'IDR',
    outputAmount: '16000000000',
    fee: '1000',
    rate: '16000',
  },
  quoteId: '01jgfjjz00e5x7b6nrw2m8k4vd',
  inputBalanceBefore: '2000000',
  outputBalanceBefore: '0',
  claimId: '7f6d3f62-7e6b-4d5c-9a86-0b6f4a3c1d11',
  claimedAt: at(100),
});
