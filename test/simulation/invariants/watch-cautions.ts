import type { Item } from '../../support/memory-table/expressions.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { TableChange } from '../../support/memory-table/options.ts';
import type { MeantBatch } from '../draw/scenario.ts';
import type { Timeline } from '../world/timeline.ts';
import { field, list } from './read-fields.ts';
import type { Report } from './violation.ts';

export interface CautionsWatchParts {
  readonly timeline: Timeline;
  readonly table: () => MemoryTable;
  readonly meant: readonly MeantBatch[];
  readonly report: Report;
}

/** Within this time a sweep that had already begun, and its retries, come round again. */
const noticedMs = 45 * 60_000;
/** Payouts that must have ended before their unpaid share counts. */
const enough = 20;
const unpaidEnds: readonly unknown[] = ['failed', 'rejected', 'canceled'];

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Compares each claim with the options of its batch's start, calculated apart from the product. */
export class CautionsWatch {
  readonly #parts: CautionsWatchParts;
  /** By batch, the time since which too many of its payouts have ended unpaid. */
  readonly #beyondSince = new Map<string, number>();

  constructor(parts: CautionsWatchParts) {
    this.#parts = parts;
  }

  /** Called with each write to the ledger. */
  wrote(changes: readonly TableChange[]): void {
    for (const { before, after } of changes) {
      if (after === undefined) continue;
      const sk = String(after['sk']);
      if (before === undefined && sk.startsWith('CALL#')) this.#claims(after);
      if (sk.startsWith('PAYOUT#') || sk === 'BATCH') this.#looksAtEnds(String(after['batchId']));
    }
  }

  #batch(batchId: string): Item | undefined {
    return this.#parts.table().item({ pk: `BATCH#${batchId}`, sk: 'BATCH' });
  }

  #meantOf(batch: Item | undefined): MeantBatch | undefined {
    return this.#parts.meant.find(({ key }) => key === field(batch?.['file'], 'key'));
  }

  #payouts(batchId: string): readonly Item[] {
    const items = this.#parts.table().items(`CHUNK#${batchId}#`);
    return items.filter(({ sk }) => String(sk).startsWith('PAYOUT#'));
  }

  #claims({ batchId: id, rows }: Item): void {
    const batchId = String(id);
    const batch = this.#batch(batchId);
    const { canary } = this.#meantOf(batch) ?? {};
    if (batch !== undefined && canary !== undefined) this.#holdsCanary(batch, canary, list(rows).map(number));
    const since = this.#beyondSince.get(batchId);
    const { timeline, report } = this.#parts;
    if (since !== undefined && timeline.now - since > noticedMs)
      report('too many unpaid pause it', `a call is claimed ${timeline.now - since} ms after`, { batchId });
  }

  /** The first valid rows of the file complete before another row is claimed, unless a person let the others go. */
  #holdsCanary(batch: Item, canary: number, claimed: readonly number[]): void {
    const batchId = String(batch['batchId']);
    const invalid = new Set(list(field(batch['plan'], 'errors')).map((error) => number(field(error, 'row'))));
    const rows = Array.from({ length: number(field(batch['plan'], 'rows')) }, (_, index) => index + 1);
    const first = rows.filter((row) => !invalid.has(row)).slice(0, canary);
    const beyond = claimed.find((row) => !first.includes(row));
    if (beyond === undefined || this.#isLetGo(batchId)) return;
    const completed = new Set(
      this.#payouts(batchId).flatMap(({ row, status }) => (status === 'completed' ? [number(row)] : [])),
    );
    const missing = first.find((row) => !completed.has(row));
    if (missing !== undefined)
      this.#parts.report('the canary completes first', `row ${beyond} is claimed before row ${missing} completed`, {
        batchId,
      });
  }

  /** True when a person resumed the batch after its canary had failed. */
  #isLetGo(batchId: string): boolean {
    const events = this.#parts.table().partition(`BATCH#${batchId}`, 'EVENT#');
    const failed = events.findIndex(({ detail }) => detail === 'canary_failed');
    return failed >= 0 && events.slice(failed).some(({ code }) => code === 'batch.resumed');
  }

  #looksAtEnds(batchId: string): void {
    const batch = this.#batch(batchId);
    const { pauseAbove } = this.#meantOf(batch) ?? {};
    if (batch === undefined || pauseAbove === undefined) return;
    const seen = batch['acknowledgedEnds'];
    const [seenEnded, seenUnpaid] = [number(field(seen, 'ended')), number(field(seen, 'unpaid'))];
    const statuses = this.#payouts(batchId).map(({ status }) => status);
    const unpaid = statuses.filter((status) => unpaidEnds.includes(status)).length - seenUnpaid;
    const ended = statuses.filter((status) => status === 'completed').length + unpaid + seenUnpaid - seenEnded;
    const rows = number(field(batch['plan'], 'validRows')) - seenEnded;
    const isBeyond = unpaid * 100 > pauseAbove * (ended >= enough ? ended : Math.max(ended, rows));
    // A resumed batch is timed anew, even when the person resumed it for another reason.
    const isSame = isBeyond && batch['status'] === 'processing';
    if (!isSame) this.#beyondSince.delete(batchId);
    else if (!this.#beyondSince.has(batchId)) this.#beyondSince.set(batchId, this.#parts.timeline.now);
  }
}
