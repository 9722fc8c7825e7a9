import type { ReportedStatus, StatusCounts } from './status-codes.ts';

/**
 * The status of each row of a file, rows counted from 1. Takes four bytes per row, because a file has up to a million
 * rows and a report begins with their counts. Rows that were never set are pending.
 */
export class RowStatuses {
  readonly rows: number;
  /** By row, the place of its status among the distinct ones. */
  readonly #places: Uint32Array;
  /** Each status with its reason once, because many rows share one. */
  readonly #distinct: ReportedStatus[] = [{ status: 'PDNG' }];
  readonly #known = new Map<string, number>();

  constructor(rows: number) {
    this.rows = rows;
    this.#places = new Uint32Array(rows + 1);
  }

  set(row: number, reported: ReportedStatus): void {
    const { status, reason } = reported;
    const key = [status, reason?.code, reason?.message].join('\n');
    const place = this.#known.get(key) ?? this.#distinct.push(reported) - 1;
    this.#known.set(key, place);
    this.#places[row] = place;
  }

  get(row: number): ReportedStatus {
    return this.#distinct[this.#places[row] ?? 0] ?? { status: 'PDNG' };
  }

  /** Number of rows of each status, between two rows. */
  counts(first = 1, last = this.rows): StatusCounts {
    const counts = { PDNG: 0, ACSC: 0, RJCT: 0 };
    for (let row = first; row <= last; row++) counts[this.get(row).status]++;
    return counts;
  }
}
