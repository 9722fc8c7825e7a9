import type { Reason } from '../payout/payout.ts';
import type { ReportedStatus, StatusCounts } from './status-codes.ts';
import { transactionStatuses } from './status-codes.ts';

/**
 * The status of each row of a file, rows counted from 1. Takes five bytes per row, because a file has up to a million
 * rows and a report begins with their counts. Rows that were never set are pending.
 */
export class RowStatuses {
  readonly rows: number;
  readonly #statuses: Uint8Array;
  readonly #reasons: Uint32Array;
  /** Each reason once, because many rows share one. The first means none. */
  readonly #distinct: (Reason | undefined)[] = [undefined];
  readonly #places = new Map<string, number>();

  constructor(rows: number) {
    this.rows = rows;
    this.#statuses = new Uint8Array(rows + 1);
    this.#reasons = new Uint32Array(rows + 1);
  }

  set(row: number, { status, reason }: ReportedStatus): void {
    this.#statuses[row] = transactionStatuses.indexOf(status);
    if (reason === undefined) return;
    const key = `${reason.code}\n${reason.message}`;
    const place = this.#places.get(key) ?? this.#distinct.push(reason) - 1;
    this.#places.set(key, place);
    this.#reasons[row] = place;
  }

  get(row: number): ReportedStatus {
    const status = transactionStatuses[this.#statuses[row] ?? 0] ?? 'PDNG';
    const reason = this.#distinct[this.#reasons[row] ?? 0];
    return reason === undefined ? { status } : { status, reason };
  }

  /** Number of rows of each status, between two rows. */
  counts(first = 1, last = this.rows): StatusCounts {
    const counts = { PDNG: 0, ACSC: 0, RJCT: 0 };
    for (let row = first; row <= last; row++) counts[transactionStatuses[this.#statuses[row] ?? 0] ?? 'PDNG']++;
    return counts;
  }
}
