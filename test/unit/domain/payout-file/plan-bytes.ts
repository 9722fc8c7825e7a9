import { Readable } from 'node:stream';
import type { InvalidRows } from '../../../../functions/domain/batch/batch.ts';
import type { ChunkFile } from '../../../../functions/domain/batch/chunk-file.ts';
import type { RowError } from '../../../../functions/domain/batch/plan.ts';
import type { RowSummary } from '../../../../functions/domain/batch/skipped-rows.ts';
import type { FileRow } from '../../../../functions/domain/payout-file/fields.ts';
import { FileRefused } from '../../../../functions/domain/payout-file/fields.ts';
import type { PlanFileDependencies, PlannedFile } from '../../../../functions/domain/payout-file/plan-payout-file.ts';
import { planPayoutFile } from '../../../../functions/domain/payout-file/plan-payout-file.ts';
import type { Seen } from '../../../../functions/domain/payout-file/readers/pain-001/read-pain-001.ts';
import type { OrchestratorSettings } from '../../../../functions/domain/settings.ts';
import { orchestratorSettings } from '../../../../functions/domain/settings.ts';
import type { PaymentMethod } from '../../../../functions/ports/provider.ts';
import { paymentMethod } from '../../../support/money.ts';

export const batchId = '01JZ8Q4N3V0D6T2W5X7Y9A1B3C';

const method = (
  rail: PaymentMethod['rail'],
  currency: string,
  code: string,
  limits: Partial<Parameters<typeof paymentMethod>[0]> = {},
) =>
  paymentMethod({
    rail,
    currency,
    code,
    name: code,
    minAmount: '10',
    maxAmount: '1000000',
    feeFlat: '5',
    feePercentage: '0.1',
    ...limits,
  });

export const methods: readonly PaymentMethod[] = [
  method('fiat', 'IDR', 'bri', { minAmount: '20000', maxAmount: '100000000', feeFlat: '1500', feePercentage: '0.2' }),
  method('fiat', 'IDR', 'bca', { minAmount: '10000', maxAmount: '500000000', feeFlat: '2500', feePercentage: '0' }),
  // Of the other rail, and of unknown currencies. Planning ignores them.
  method('crypto', 'IDR', 'idr-odd', { minAmount: '1', maxAmount: '999999999', feeFlat: '9999999' }),
  method('fiat', 'XXX', 'xxx'),
  method('crypto', 'odd-net', 'odd-net'),
  method('fiat', 'PHP', 'bdo'),
  method('fiat', 'VND', 'vcb', { minAmount: '50000', maxAmount: '900000000' }),
  method('crypto', 'usdt-tron', 'usdt-tron', { minAmount: '1', feeFlat: '1', feePercentage: '0' }),
  method('crypto', 'eth-ethereum', 'eth-ethereum', { minAmount: '0.001', feeFlat: '0', feePercentage: '0.25' }),
];

/** Planning reserves memory for the maximum number of rows. The default of a million would take longer than a small file. */
const testRows = 5000;

export interface PlanOptions {
  readonly invalidRows?: InvalidRows;
  readonly canary?: number;
  readonly methods?: readonly PaymentMethod[];
  readonly payoutsPerCall?: number;
  readonly settings?: Partial<OrchestratorSettings>;
  readonly findReferences?: PlanFileDependencies['findReferences'];
  readonly getPayouts?: PlanFileDependencies['getPayouts'];
  readonly findRefusedRetries?: PlanFileDependencies['findRefusedRetries'];
  readonly putChunk?: PlanFileDependencies['putChunk'];
  readonly paidOn?: string;
  /** Size of the blocks in bytes. Borders fall everywhere. */
  readonly blockBytes?: number;
}

export interface PlannedBytes {
  readonly planned: PlannedFile;
  readonly chunks: readonly ChunkFile[];
  /** All errors, in order. */
  readonly errors: readonly RowError[];
  /** The reported row of each error. */
  readonly summaries: readonly RowSummary[];
  /** The group header and instructions of a pain.001. */
  readonly seen: Seen | undefined;
}

async function* blocksOf(bytes: Buffer, blockBytes: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += blockBytes) yield bytes.subarray(from, from + blockBytes);
}

/** The notes that a reader finds in a text with any block borders. Undefined when it refuses the text. */
export const notesOf = async (
  read: (blocks: AsyncIterable<Buffer>) => AsyncIterable<readonly FileRow[]>,
  text: string,
  blockBytes: number,
): Promise<readonly string[] | undefined> => {
  const notes: string[] = [];
  try {
    for await (const rows of read(blocksOf(Buffer.from(text), blockBytes))) notes.push(...rows.map(({ note }) => note));
  } catch (error) {
    if (error instanceof FileRefused) return undefined;
    throw error;
  }
  return notes;
};

/** Plans a file given as text or bytes, and keeps the written files. */
export const planBytes = async (file: string | Buffer, options: PlanOptions = {}): Promise<PlannedBytes> => {
  const chunks: ChunkFile[] = [];
  const errors: RowError[] = [];
  const summaries: RowSummary[] = [];
  let seen: Seen | undefined;
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  const planned = await planPayoutFile(
    {
      seeInstructions: ({ message, instructions }) => {
        seen = { message, instructions: [...(seen?.instructions ?? []), ...instructions] };
      },
      findReferences: options.findReferences ?? (async () => new Map()),
      getPayouts: options.getPayouts ?? (async () => []),
      findRefusedRetries: options.findRefusedRetries ?? (async () => new Map()),
      putChunk:
        options.putChunk ??
        (async (chunk) => {
          chunks.push(chunk);
        }),
      writeError: (error, summary) => {
        errors.push(error);
        summaries.push(summary);
      },
    },
    {
      batchId,
      paidOn: options.paidOn ?? '2026-11-21',
      source: Readable.from(blocksOf(bytes, options.blockBytes ?? 65_536), { objectMode: false }),
      invalidRows: options.invalidRows ?? 'reject',
      ...(options.canary === undefined ? {} : { canary: options.canary }),
      methods: options.methods ?? methods,
      payoutsPerCall: options.payoutsPerCall ?? 98,
      settings: orchestratorSettings().parse({ maxRows: testRows, ...options.settings }),
    },
  );
  return { planned, chunks, errors, summaries, seen };
};

/** Payouts of all chunks in the order of the file. */
export const payoutsOf = ({ chunks }: PlannedBytes) =>
  chunks
    .flatMap((chunk) => chunk.payouts.map((payout) => ({ ...payout, currency: chunk.currency })))
    .sort((a, b) => a.row - b.row);
