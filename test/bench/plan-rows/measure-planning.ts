import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { planPayoutFile } from '../../../functions/domain/payout-file/plan-payout-file.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import { generatedCsv, generatedMethods } from './payout-rows.ts';

export interface PlanningMeasure {
  readonly rows: number;
  readonly seconds: number;
  readonly bareParseSeconds: number;
  /** Planning's time by the bare parse's. */
  readonly ratio: number;
  readonly peakMb: number;
}

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
};

/** Writes the generated file of so many rows. */
export const writeGeneratedFile = (path: string, rows: number): Promise<void> =>
  pipeline(Readable.from(generatedCsv(rows)), createWriteStream(path));

/** The least one can do with the file: parse every record and throw it away. */
const parseBare = async (path: string): Promise<void> => {
  for await (const record of createReadStream(path).pipe(parse())) void record;
};

const plan = async (path: string, rows: number): Promise<void> => {
  let chunkBytes = 0;
  const planned = await planPayoutFile(
    {
      findReferences: async () => new Map(),
      putChunk: async (chunk) => {
        chunkBytes += Buffer.byteLength(JSON.stringify(chunk));
      },
      errors: { write: () => undefined },
    },
    {
      batchId: '01JZ0000000000000000000000',
      source: createReadStream(path),
      invalidRows: 'reject',
      methods: generatedMethods,
      settings: orchestratorSettings.parse({}),
    },
  );
  if (planned.kind !== 'planned' || planned.validRows !== rows || chunkBytes === 0)
    throw new Error(`the generated file was not planned: ${JSON.stringify(planned.errors.slice(0, 3))}`);
};

/**
 * Plans a file in this process and compares it with a bare csv-parse of the same file. Peak memory is the process's:
 * run it in a process of its own.
 */
export const measurePlanning = async (path: string, rows: number): Promise<PlanningMeasure> => {
  const seconds = await secondsOf(() => plan(path, rows));
  const peakMb = process.resourceUsage().maxRSS / 1_024;
  const bareParseSeconds = await secondsOf(() => parseBare(path));
  return { rows, seconds, bareParseSeconds, ratio: seconds / bareParseSeconds, peakMb };
};
