import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchView } from '../../functions/api/schemas/batch.ts';
import { batchSummary, hasEnded } from '../../functions/api/schemas/batch.ts';
import type { OperatorClient } from '../../infra/local/operator-client.ts';
import type { DrawnFile } from '../payout-files/draw-file.ts';
import { drawFile } from '../payout-files/draw-file.ts';
import type { InvalidRows } from '../payout-files/judge.ts';
import { judge } from '../payout-files/judge.ts';
import { sandboxOffers } from '../payout-files/offers.ts';
import { askToStart, readReport, until, upload } from './deployed-orchestrator.ts';
import { approve, forgetPeople, newUser } from './deployed-people.ts';

/** From seed 1 on. `PAYOUT_FILES=400` takes as many as run in memory. */
const count = Number(process.env['PAYOUT_FILES'] ?? 12);
/** Batches under way at once: each function's instance is a process of 70 MB. */
const atOnce = 8;
const longestMs = 3_600_000;

const linesOf = async ({ batchId, files }: BatchView, name: string): Promise<Record<string, string>[]> =>
  files.some((file) => file === name) ? parse(await readReport(batchId, name), { columns: true }) : [];

const rowsOf = (lines: readonly Record<string, string>[]): number[] => lines.map(({ row }) => Number(row));

describe(`${count} generated payout files`, () => {
  let approver: OperatorClient;
  beforeAll(async () => {
    approver = await newUser();
  });
  afterAll(forgetPeople);

  const run = async (file: DrawnFile, invalidRows: InvalidRows): Promise<readonly string[]> => {
    const answer = await askToStart(await upload(file.bytes, 'data'), { invalidRows });
    if (answer.status !== 202) return [`the start was answered with ${JSON.stringify(answer)}`];
    const { batchId } = batchSummary.parse(answer.body);
    const atRest = (batch: BatchView): boolean => hasEnded(batch) || batch.status === 'pending_approval';
    const asked = await until(batchId, atRest, undefined, 1000);
    if (asked.status === 'pending_approval') await approve(approver, asked);
    const batch = await until(batchId, hasEnded, undefined, 1000);
    const results = await linesOf(batch, 'results.csv');
    const errors = await linesOf(batch, 'errors.csv');
    return judge(file, invalidRows, 'disburse', {
      status: batch.status,
      reasonCode: batch.reason?.code,
      errors: errors.map(({ row, code = '' }) => ({ row: Number(row), code })),
      repeated: rowsOf(await linesOf(batch, 'repeated-debts.csv')),
      skipped: rowsOf(results.filter(({ status }) => status === 'skipped')),
      paid: results.filter(({ status }) => status === 'completed').map(({ row }) => ({ row: Number(row) })),
    });
  };

  it(
    'end, name every damaged row and accuse no good one, whether rows are skipped or not',
    async () => {
      const runs = Array.from({ length: count }, (_, index) => index + 1).flatMap((seed) =>
        (['reject', 'skip'] as const).map((invalidRows) => ({ seed, invalidRows })),
      );
      const wrong: string[] = [];
      const worker = async (): Promise<void> => {
        for (let next = runs.shift(); next !== undefined; next = runs.shift()) {
          const { seed, invalidRows } = next;
          const file = drawFile(seed, {
            offers: sandboxOffers,
            mostRows: 1_000_000,
            isSandbox: true,
            salt: randomUUID(),
          });
          const found = await run(file, invalidRows).catch((error: unknown) => [String(error)]);
          wrong.push(...found.map((what) => `seed ${seed}, ${invalidRows}: ${what}`));
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      expect(wrong).toEqual([]);
    },
    longestMs,
  );
});
