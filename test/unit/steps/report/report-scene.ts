import { buffer } from 'node:stream/consumers';
import { batchTransitions } from '../../../../functions/domain/batch/batch-status.ts';
import type { ChunkFile } from '../../../../functions/domain/batch/chunk-file.ts';
import type { PlanSummary } from '../../../../functions/domain/batch/plan.ts';
import { errorColumns } from '../../../../functions/domain/batch/skipped-rows.ts';
import { FileAltered } from '../../../../functions/domain/errors.ts';
import type { Payout } from '../../../../functions/domain/payout/payout.ts';
import type { PayoutStatus } from '../../../../functions/domain/payout/payout-status.ts';
import { orchestratorSettings } from '../../../../functions/domain/settings.ts';
import { reportKey } from '../../../../functions/files/keys.ts';
import type { Files, ReportName } from '../../../../functions/ports/files.ts';
import type { Ledger } from '../../../../functions/ports/ledger/ledger.ts';
import { reportBatch } from '../../../../functions/steps/report-batch.ts';
import { day } from '../../../support/durations.ts';
import { createMemoryLedger } from '../../../support/memory-ledger.ts';
import { currencyPlan } from '../../../support/money.ts';
import { examplePlan } from '../../../support/scenes/example-batch.ts';
import { newBatch } from '../../../support/scenes/new-batch.ts';
import { silentLog } from '../../../support/silent-log.ts';

export const batchId = 'b-1';
const began = Date.parse('2026-11-21T08:00:00Z');
const settings = orchestratorSettings().parse({});
const rowsOf = [
  { currency: 'IDR', rows: [1, 4] },
  { currency: 'PHP', rows: [2, 3, 6] },
  { currency: 'IDR', rows: [5, 7] },
] as const;

const chunkFile = (chunk: number): ChunkFile => {
  const { currency, rows } = rowsOf[chunk - 1] ?? { currency: 'IDR', rows: [] };
  return {
    batchId,
    chunk,
    rail: 'fiat',
    currency,
    payouts: rows.map((row) => ({
      row,
      reference: `ref-${row}`,
      amount: '10.5',
      recipient: { kind: 'recipientId', recipientId: 'rcp_1' },
      name: `Payee ${row}`,
      note: '=cmd()',
    })),
  };
};

const idsOf = (...rows: readonly number[]) => rows.map((row) => ['', `ref-${row}`, '']);

/** PlanBatch's errors of skipped rows, with one faulty column and one more. */
const errorsOf = (rows: readonly number[]): string =>
  [
    errorColumns.join(','),
    ...rows.flatMap((row) => [
      `${row},${row + 1},ref-${row},amount,amount_zero,The amount is zero.,PHP,`,
      `${row},${row + 1},ref-${row},email,email_malformed,"""email"" is not a mail address.",PHP,`,
    ]),
    '',
  ].join('\n');

/** PlanBatch's instructions of a pain.001 with the rows of this scene, in two payments. */
const instructionsJsonl = [['PAY-1'], ...idsOf(1, 2, 3), ['PAY-2'], ...idsOf(4, 5, 6, 7)]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

/**
 * @param whileFunded reserves money before a batch is processing
 * @param skipped omits the chunks that would have these rows
 * @param kind the file's format, when it is not CSV
 */
export const createReportScene = async (
  registered: readonly number[] = [1, 2, 3],
  whileFunded: (ledger: Ledger) => Promise<void> = async () => undefined,
  skipped: readonly number[] = [],
  kind: Pick<PlanSummary, 'initiation' | 'isWorkbook'> = {},
) => {
  let now = began;
  const clock = () => now;
  const ledger = createMemoryLedger(clock);
  const plan = (currency: string, count: number, amount: string) =>
    currencyPlan({ rail: 'fiat', currency, count, amount, fee: '0', largestAmount: '10.5', methods: [] });
  const batch = newBatch({ batchId });
  await ledger.createBatch(batch);
  await ledger.moveBatch(batchId, batchTransitions.startValidating, 'system');
  const php = skipped.length > 0 ? [] : [plan('PHP', 3, '31.5')];
  const planned = examplePlan(batchId, 2 + php.length, [plan('IDR', 4, '42'), ...php]);
  const errors = { invalidRows: skipped.length, errorsFile: { key: 'errors.csv', sha256: '' } };
  const withErrors = { ...planned, ...errors, rows: planned.validRows + skipped.length };
  const whole = skipped.length > 0 ? withErrors : planned;
  await ledger.recordPlan(batch, { ...whole, ...kind });
  await whileFunded(ledger);
  await ledger.moveBatch(batchId, batchTransitions.startProcessing, 'system');
  for (const chunk of registered) await ledger.registerPayouts(chunkFile(chunk));
  const written = new Map<ReportName, string>();
  const stored = new Map<string, string>();
  const storedBytes = new Map<ReportName, Buffer>();
  let runs = 0;
  const ids = { sortable: () => `RUN-${++runs}` };
  const altered = new Set<number>();
  let beforeStored = async (): Promise<void> => undefined;
  let errorsCsv = errorsOf(skipped);
  const files: Pick<Files, 'getChunk' | 'readList' | 'putReport'> = {
    getChunk: async (_prefix, chunk) => {
      if (altered.has(chunk)) throw new FileAltered(`chunks/${chunk}.json`);
      return chunkFile(chunk);
    },
    readList: async function* ({ key }) {
      yield Buffer.from(key.endsWith('errors.csv') ? errorsCsv : instructionsJsonl);
    },
    putReport: async (id, runId, name, content) => {
      const bytes = await buffer(content);
      storedBytes.set(name, bytes);
      const whole = bytes.toString();
      await beforeStored();
      const key = reportKey(id, runId, name);
      written.set(name, whole);
      stored.set(key, whole);
      return key;
    },
  };
  /** Moves a payout as if the writer had died before counting its chunk. */
  const arrangeUnseen = async (row: number, changes: Partial<Payout>) => {
    const payout = await ledger.getPayoutByReference(`ref-${row}`);
    if (payout === undefined) throw new Error(`no row ${row}`);
    ledger.putPayout({ ...payout, ...changes });
    return payout.chunk;
  };
  const arrange = async (row: number, changes: Partial<Payout>) => {
    await ledger.refreshChunk(batchId, await arrangeUnseen(row, changes));
  };
  const end = (row: number, to: PayoutStatus) => arrange(row, { status: to });
  const alarms: string[] = [];
  const log = { ...silentLog, alarm: (metric: string) => alarms.push(metric) };
  return {
    ledger,
    alarms,
    written,
    storedBytes,
    arrange,
    arrangeUnseen,
    end,
    endAll: async (to: 'completed' | 'failed') => {
      for (const row of [1, 2, 3, 4, 5, 6, 7]) await end(row, to);
    },
    run: (execution = batchId, isInterim = false) =>
      reportBatch({ ledger, files, settings, clock, ids, log }, { batchId, execution, isInterim, sweeps: 7 }),
    batch: () => ledger.getBatch(batchId),
    passDays: (days: number) => {
      now += days * day;
    },
    /** Truncates errors.csv to this many rows. */
    loseErrorsBut: (rows: readonly number[]) => {
      errorsCsv = errorsOf(rows);
    },
    /** Chunks whose files someone has changed. */
    altered,
    /** The bucket's content at a key. */
    stored,
    /** Runs before the bucket stores a file of ReportBatch. */
    delayStoring: (wait: () => Promise<void>) => {
      beforeStored = wait;
    },
  };
};

export const column = (csv: string | undefined, index: number): string[] =>
  (csv ?? '')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[index] ?? '');
