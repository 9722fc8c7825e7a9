import { payoutStatusesThat } from '../../../functions/domain/payout/payout-status.ts';
import type { TableChange } from '../../support/memory-table/options.ts';

const ends: ReadonlySet<unknown> = new Set(payoutStatusesThat('isEnd'));

/** The times of one payout, in milliseconds since 1970. */
interface Seen {
  readonly batchId: string;
  readonly sentAt: number;
  isHeld: boolean;
  endedAt?: number;
  endShownAt?: number;
}

/** By reference: when each payout was sent, ended at the provider, and ended in the ledger. */
export class ObservedPayouts {
  readonly #now: () => number;
  readonly #seen = new Map<string, Seen>();
  /** By batch: payouts that are not held and not shown as ended. */
  readonly #open = new Map<string, number>();
  readonly #onSettled: (batchId: string) => void;

  /** @param onSettled called when the last payout of a batch, except held ones, has ended in the ledger */
  constructor(now: () => number, onSettled: (batchId: string) => void) {
    this.#now = now;
    this.#onSettled = onSettled;
  }

  /** Announces the number of payouts of a batch. */
  expect(batchId: string, rows: number): void {
    this.#open.set(batchId, rows);
  }

  sent(reference: string, batchId: string, isHeld: boolean): void {
    this.#seen.set(reference, { batchId, isHeld, sentAt: this.#now() });
    if (isHeld) this.#settle(batchId);
  }

  ended(reference: string): void {
    const seen = this.#seen.get(reference);
    if (seen !== undefined) seen.endedAt = this.#now();
  }

  /** Called with each write to the ledger. */
  wrote(changes: readonly TableChange[]): void {
    for (const { before, after } of changes) {
      if (after === undefined || !ends.has(after['status']) || ends.has(before?.['status'])) continue;
      const seen = this.#seen.get(String(after['reference']));
      if (seen === undefined || seen.endShownAt !== undefined) continue;
      seen.endShownAt = this.#now();
      if (!seen.isHeld) this.#settle(seen.batchId);
    }
  }

  /** Milliseconds from the start of a batch until each of its payouts was sent, ascending. */
  sentAfter(batchId: string, startedAt: number): readonly number[] {
    return this.#of(batchId)
      .map(({ sentAt }) => sentAt - startedAt)
      .toSorted((a, b) => a - b);
  }

  /** Milliseconds from each payout's end at the provider to its end in the ledger, ascending. */
  lateness(batchId: string): readonly number[] {
    return this.#of(batchId)
      .flatMap(({ endedAt, endShownAt }) =>
        endedAt === undefined || endShownAt === undefined ? [] : [endShownAt - endedAt],
      )
      .toSorted((a, b) => a - b);
  }

  /** Milliseconds from the start of a batch until each end was in the ledger, ascending, for held payouts or for the others. */
  shownAfter(batchId: string, startedAt: number, isHeld: boolean): readonly number[] {
    return this.#of(batchId)
      .filter((seen) => seen.isHeld === isHeld)
      .flatMap(({ endShownAt }) => (endShownAt === undefined ? [] : [endShownAt - startedAt]))
      .toSorted((a, b) => a - b);
  }

  #of(batchId: string): readonly Seen[] {
    return [...this.#seen.values()].filter((seen) => seen.batchId === batchId);
  }

  #settle(batchId: string): void {
    const left = (this.#open.get(batchId) ?? 0) - 1;
    this.#open.set(batchId, left);
    if (left === 0) this.#onSettled(batchId);
  }
}

/** The value below which this share of the sorted values lies. */
export const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
