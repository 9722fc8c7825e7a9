import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import { batchSummary, hasEnded } from '../../../functions/api/schemas/batch.ts';
import { Money } from '../../../functions/domain/money/money.ts';
import { rails } from '../../../functions/domain/payout/payout.ts';
import type { OperatorClient } from '../../../infra/local/operator-client.ts';
import { deployedProvider } from '../../contract/provider/deployed-service.ts';
import type { DrawnFile } from '../../payout-files/draw-file.ts';
import { drawFile } from '../../payout-files/draw-file.ts';
import type { InvalidRows } from '../../payout-files/judge.ts';
import { isRefused, judge } from '../../payout-files/judge.ts';
import { sandboxOffers } from '../../payout-files/offers.ts';
import { covering } from '../../payout-files/pick-covering-files.ts';
import { askToStart, readReport, until, upload } from '../deployed/deployed-orchestrator.ts';
import { approve, approvers } from '../deployed/deployed-people.ts';

const terms = { offers: sandboxOffers, mostRows: 1_000_000, isSandbox: true, salt: randomUUID() };
const drawn = Array.from({ length: Number(process.env['PAYOUT_FILES'] ?? 400) }, (_, index) =>
  drawFile(index + 1, terms),
);
/** `PAYOUT_FILES=400` runs all of them. By default a few that show every code of them. */
const files = process.env['PAYOUT_FILES'] === undefined ? covering(drawn) : drawn;
/** Concurrent batches. Each function instance is a process of 70 MB. */
const atOnce = 4;
const longestMs = 3_600_000;

const linesOf = async ({ batchId, files }: BatchView, name: string): Promise<Record<string, string>[]> =>
  files.some((file) => file === name) ? parse(await readReport(batchId, name), { columns: true }) : [];

/** Payouts that results.csv calls completed, although the provider has not completed that disbursement of that amount. */
const notPaid = async (results: readonly Record<string, string>[]): Promise<readonly string[]> => {
  const provider = deployedProvider();
  const completed = results.filter(({ status }) => status === 'completed');
  const isPaid = async ({
    rail,
    reference = '',
    currency = '',
    amount = '',
    disbursementId,
  }: Record<string, string>) => {
    const found = await provider.lookUp(z.enum(rails).parse(rail), reference);
    if (found.kind !== 'found' || found.disbursement.status !== 'completed') return false;
    return (
      found.disbursement.disbursementId === disbursementId &&
      found.disbursement.amount.equals(Money.of(amount, currency))
    );
  };
  const paid = await Promise.all(completed.map(isPaid));
  return completed
    .filter((_, index) => paid[index] !== true)
    .map(({ row }) => `row ${row}: the provider has not paid it`);
};

describe(`${files.length} generated payout files`, () => {
  let approver: OperatorClient;
  beforeAll(async () => {
    [approver] = approvers();
  });

  const run = async (file: DrawnFile, invalidRows: InvalidRows): Promise<readonly string[]> => {
    const answer = await askToStart(await upload(file.bytes, 'data'), { invalidRows });
    if (answer.status !== 202) return [`the start was answered with ${JSON.stringify(answer)}`];
    const { batchId } = batchSummary.parse(answer.body);
    const atRest = (batch: BatchView): boolean => hasEnded(batch) || batch.status === 'pending_approval';
    const rested = await until(batchId, atRest, undefined, 1000);
    const asked = rested.status === 'pending_approval';
    if (asked) await approve(approver, rested);
    const batch = await until(batchId, hasEnded, undefined, 1000);
    const errors = await linesOf(batch, 'errors.csv');
    const repeated = await linesOf(batch, 'repeated-debts.csv');
    const results = await linesOf(batch, 'results.csv');
    const wrong = judge(file, invalidRows, 'disburse', {
      status: batch.status,
      reasonCode: batch.reason?.code,
      asked,
      errors: errors.map(({ row, code = '' }) => ({ row: Number(row), code })),
      repeated: repeated.map(({ row }) => Number(row)),
      results,
      // The provider is asked for what it paid. The balances would reveal a payment for a refused file.
      paid: undefined,
    });
    return [...wrong, ...(await notPaid(results))];
  };

  /** Runs files with their handling of invalid rows, several concurrently. Returns the mistakes. */
  const runAll = async (runs: readonly (readonly [DrawnFile, InvalidRows])[]): Promise<readonly string[]> => {
    const left = [...runs];
    const wrong: string[] = [];
    const worker = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [file, invalidRows] = next;
        const found = await run(file, invalidRows).catch((error: unknown) => [String(error)]);
        wrong.push(...found.map((what) => `seed ${file.seed}, ${invalidRows}: ${what}`));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return wrong;
  };
  const runs = files.flatMap(({ seed }) =>
    (['reject', 'skip'] as const).map((invalidRows) => {
      return [drawFile(seed, { ...terms, salt: randomUUID() }), invalidRows] as const;
    }),
  );

  it(
    'that are refused name the reason, blame no good row and change no balance',
    async () => {
      const balances = async () => JSON.stringify([...(await deployedProvider().readBalances())]);
      const before = await balances();
      expect(await runAll(runs.filter((one) => isRefused(...one)))).toEqual([]);
      expect(await balances()).toBe(before);
    },
    longestMs,
  );

  it(
    'that are paid name every damaged row, pay each good one, and ask another person about repeated debts',
    async () => {
      expect(await runAll(runs.filter((one) => !isRefused(...one)))).toEqual([]);
    },
    longestMs,
  );
});
