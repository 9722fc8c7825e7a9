import { isDeepStrictEqual } from 'node:util';
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import { isBatchEnd } from '../../../functions/domain/batch/batch-status.ts';
import type { PlanSummary } from '../../../functions/domain/batch/plan.ts';
import { readBatch } from '../../../functions/ledger/batches/batch-codec.ts';
import { keys } from '../../../functions/ledger/table/keys.ts';
import type { MemoryBucket } from '../../support/memory-bucket.ts';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import { writeCorrection } from '../draw/corrected-file.ts';
import type { Correction, Debt, MeantBatch, MeantRow } from '../draw/scenario.ts';
import { correctedCsv } from './second-workload.ts';

/** All rows that a plan lists as repeating a debt. */
export const repeatedRows = (bucket: MemoryBucket, { repeatedDebts }: Pick<PlanSummary, 'repeatedDebts'>) =>
  repeatedDebts === undefined
    ? []
    : (bucket.content(repeatedDebts.list.key)?.toString('utf8') ?? '')
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => Number.parseInt(line, 10));

/** Released batches with some of the same debts, as shown to the approver. */
export const releasedSince = (approval: Batch['approval']): ReadonlySet<string> =>
  new Set(approval?.findings.flatMap(({ code, against }) => (code === 'debts_released' ? against.split(' ') : [])));

/** Batches that correct the same refused file, as shown to the approver. */
const correctedToo = (approval: Batch['approval']): ReadonlySet<string> =>
  new Set(approval?.findings.flatMap(({ code, against }) => (code === 'corrected_already' ? against.split(' ') : [])));

/** Batches that had not paid the same debts, and are contradicted since, as shown to the approver with their counts. */
const contradictedSince = (approval: Batch['approval']): ReadonlySet<string> =>
  new Set(approval?.findings.flatMap(({ code, against }) => (code === 'debts_contradicted' ? against.split(' ') : [])));

const withoutRound = (reference: string): string => reference.replace(/\.r\d+$/, '');
const retryLines = z.array(z.object({ reference: z.string() }));
/** Statuses of payouts that pay nothing and never will. */
const unpaid: readonly unknown[] = ['failed', 'rejected', 'canceled'];

/** The merchant's knowledge of files and the debts behind them. None of it is in a file or in the ledger. */
export class KnownDebts {
  /** Files that were or will be uploaded. */
  readonly meant: MeantBatch[] = [];
  /** Batches by their file, once their start was answered. */
  readonly batchIds = new Map<string, string>();
  readonly #table: MemoryTable;
  readonly #bucket: MemoryBucket;

  constructor(table: MemoryTable, bucket: MemoryBucket) {
    this.#table = table;
    this.#bucket = bucket;
  }

  uploads(meant: MeantBatch): void {
    this.meant.push(meant);
  }

  /** The debts of all files, once per row. */
  all(): readonly Debt[] {
    return this.meant.flatMap(({ rows }) => rows.flatMap(({ debt }) => debt ?? []));
  }

  /** The rows with a reference: those that name it, or the row whose reference the batch derived. */
  rowsOf(reference: string): readonly MeantRow[] {
    const named = this.meant.flatMap(({ rows }) => rows).filter((row) => row.reference === reference);
    const [, batchId, row] = /^(b-[0-9a-z]{26})-(\d+)$/.exec(reference) ?? [];
    if (batchId === undefined) return named;
    const rows = this.#fileOf(batchId)?.rows ?? [];
    return [...named, ...rows.filter((one) => one.row === Number(row) && one.reference === '')];
  }

  /** The debt of the row that holds the reference. */
  debtOf(reference: string): Debt | undefined {
    const holder = this.#table.item({ pk: `REF#${reference.toLowerCase()}`, sk: 'REF' });
    return this.#rowOf(String(holder?.['batchId']), Number(holder?.['row']))?.debt;
  }

  /**
   * The rows of a downloaded retry.csv, as the original's file meant them.
   *
   * @throws Error for a line that the original does not have
   */
  retry(
    { key, isCorrected }: NonNullable<MeantBatch['retryOf']>,
    downloaded: string,
  ): Pick<MeantBatch, 'csv' | 'rows'> {
    const batchId = this.batchIds.get(key) ?? '';
    const originals = this.#fileOf(batchId)?.rows ?? [];
    const rows = retryLines.parse(parse(downloaded, { columns: true, bom: true })).map(({ reference }, index) => {
      const original = originals.find(
        (row) => withoutRound(row.reference || `${batchId}-${row.row}`) === withoutRound(reference),
      );
      if (original === undefined) throw new Error(`retry.csv of ${batchId} has ${reference}`);
      const { corrected, ...meant } = original;
      if (!isCorrected || corrected === undefined) return { ...original, reference, row: index + 1 };
      return { ...meant, destination: corrected, reference, row: index + 1 };
    });
    return { rows, csv: isCorrected ? correctedCsv(rows) : downloaded };
  }

  /** The file that a clerk makes from a batch's file to correct. It is empty when other files pay all the rows. */
  correction(key: string, how: Correction, downloaded: string): Pick<MeantBatch, 'csv' | 'rows'> {
    const batchId = this.batchIds.get(how.key) ?? '';
    const originals = this.#fileOf(batchId)?.rows ?? [];
    const family = this.#familyOf(how.key);
    const isPaidElsewhere = (debt: Debt | undefined, row: number): boolean =>
      debt !== undefined &&
      this.#othersOf(debt, batchId, row).some(
        (other) => !family.has(this.#fileOf(other.batchId)?.key ?? '') && !this.#isUnpaid(other),
      );
    const [paid, others] = [true, false].map((isPaid) =>
      originals.filter(
        (row) =>
          row.isFlawed !== true &&
          row.debt !== undefined &&
          !this.#isOwedElsewhere(row, family) &&
          (this.#payoutOf(batchId, row.row)?.['status'] === 'completed') === isPaid,
      ),
    );
    const mistakable = [...(paid ?? []), ...(others ?? [])];
    return writeCorrection({ key, how, originals, isPaidElsewhere, mistakable }, downloaded);
  }

  /** The files that corrections link. */
  #familyOf(key: string): ReadonlySet<string> {
    const rootOf = (of: string): string => of.replace(/\.correction-\d+$/, '');
    return new Set(this.meant.filter((meant) => rootOf(meant.key) === rootOf(key)).map((meant) => meant.key));
  }

  /** A batch, and the batches that corrections link to it. */
  relatedTo(batchId: string): readonly string[] {
    const family = this.#familyOf(this.#fileOf(batchId)?.key ?? '');
    return [batchId, ...this.batchIds.entries().flatMap(([key, of]) => (family.has(key) ? [of] : []))];
  }

  /** True when a file that no correction links has a row of the same debt, which pays it or will. */
  #isOwedElsewhere({ debt }: MeantRow, family: ReadonlySet<string>): boolean {
    return this.meant.some((meant) => !family.has(meant.key) && meant.rows.some((row) => row.debt?.id === debt?.id));
  }

  /**
   * True when each row listed as repeated is a debt of its own, or is the one that should pay it. Batches released or contradicted
   * meanwhile must pay none of these debts. Unreleased batches do not matter, because their own approver will be warned.
   */
  mayApprove({ batchId, plan, approval }: Batch): boolean {
    if (plan === undefined) return true;
    const repeated = new Set(repeatedRows(this.#bucket, plan));
    const named = releasedSince(approval).union(correctedToo(approval)).union(contradictedSince(approval));
    return (this.#fileOf(batchId)?.rows ?? []).every((own) => {
      // Rows with an unknown debt do not affect the decision.
      if (own.debt === undefined || own.isFlawed) return true;
      return this.#othersOf(own.debt, batchId, own.row).every(
        (other) =>
          this.#isUnpaid(other) ||
          (!named.has(other.batchId) && (!repeated.has(own.row) || this.#mayComeLater(batchId, own, other))),
      );
    });
  }

  /** True for a row of an unreleased batch that will be listed as repeating this one. */
  #mayComeLater(batchId: string, own: MeantRow, other: { readonly batchId: string; readonly row: MeantRow }): boolean {
    const item = this.#table.item(keys.batch(other.batchId));
    const isUnreleased = other.batchId !== batchId && item !== undefined && readBatch(item).release === undefined;
    return isUnreleased && isDeepStrictEqual(own.destination, other.row.destination);
  }

  /** Other rows of a debt, in started batches. */
  #othersOf(debt: Debt, batchId: string, row: number) {
    // Includes starts that have not been answered yet.
    const batches = this.#table.items('BATCH#').filter(({ sk }) => sk === 'BATCH');
    return batches.flatMap((item) => {
      const of = readBatch(item).batchId;
      return (this.#fileOf(of)?.rows ?? []).flatMap((other) =>
        other.debt?.id === debt.id && !(of === batchId && other.row === row) ? [{ batchId: of, row: other }] : [],
      );
    });
  }

  /** True for a row that pays nothing and never will. */
  #isUnpaid({ batchId, row: { row, isFlawed } }: { readonly batchId: string; readonly row: MeantRow }): boolean {
    if (isFlawed) return true;
    const payout = this.#payoutOf(batchId, row);
    if (payout !== undefined) return unpaid.includes(payout['status']) && payout['contradictions'] === undefined;
    const item = this.#table.item(keys.batch(batchId));
    return item !== undefined && isBatchEnd(readBatch(item).status);
  }

  #payoutOf(batchId: string, row: number): Item | undefined {
    return this.#table
      .items(`CHUNK#${batchId}#`)
      .find((item) => item['row'] === row && String(item['sk']).startsWith('PAYOUT#'));
  }

  #rowOf(batchId: string, row: number): MeantRow | undefined {
    return this.#fileOf(batchId)?.rows.find((one) => one.row === row);
  }

  #fileOf(batchId: string): MeantBatch | undefined {
    const item = this.#table.item(keys.batch(batchId));
    const key = item && readBatch(item).file.key;
    return this.meant.find((meant) => meant.key === key);
  }
}
