import { minute } from '../../support/durations.ts';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { TableChange } from '../../support/memory-table/options.ts';
import type { Scenario } from '../draw/scenario.ts';
import { areHostile } from '../provider/lists.ts';
import type { Truth } from '../provider/truth.ts';
import type { StateMachine } from '../workflow/state-machine.ts';
import type { Timeline } from '../world/timeline.ts';
import { restingStatuses } from './moves.ts';
import type { Report } from './violation.ts';

export interface ProgressWatchParts {
  readonly timeline: Timeline;
  readonly truth: Truth;
  readonly stateMachine: () => StateMachine;
  readonly scenario: Pick<Scenario, 'settings' | 'terms'>;
  /** Milliseconds since 1970 after which no fault occurs. */
  readonly clearAt: number;
  readonly report: Report;
}

/** A batch's permissions as of its last write. */
interface BatchState {
  readonly batchId: string;
  readonly isProcessing: boolean;
  readonly maySubmit: boolean;
  /** Milliseconds since 1970 at which a scheduled batch is due. Undefined otherwise. */
  readonly startsAt: number | undefined;
  /** When the permission last changed, or the rows that it covers. */
  readonly since: number;
  /** Rows of its plan, or of its canary. */
  readonly rows: number;
}

interface OpenPayout {
  readonly batchId: string;
  readonly chunk: number;
  readonly reference: string;
  readonly status: string;
  /** When it got this status. */
  readonly since: number;
}

const everyMs = 5 * minute;
/** Time to find an interrupted step and to end a sweep that had just begun, before the next one sends ready rows. */
const readyMostMs = 30 * minute;
/** Three absences prove that nothing was made. With the sweeps between them they take half of this time. */
const doubtMostMs = 30 * minute;
/** In addition to two waits between sweeps: the sweep itself, and a step's retries. */
const knownSlackMs = 5 * minute;
/** Covers two looks by people. */
const startMostMs = 130 * minute;
const doubtful: readonly string[] = ['submitting', 'unknown'];
const knownFromHostileListsMs = 120 * minute;
const ends: readonly string[] = ['completed', 'failed', 'canceled'];

/**
 * Checks every few minutes that everything makes progress once faults end. Rows are sent whatever the batch's other payouts do,
 * and an end at the provider is soon known.
 */
export class ProgressWatch {
  readonly #parts: ProgressWatchParts;
  readonly #batches = new Map<string, BatchState>();
  readonly #open = new Map<string, OpenPayout>();
  readonly #registered = new Map<string, number>();
  /** By batch, when one of its payouts was last written. */
  readonly #written = new Map<string, number>();

  constructor(parts: ProgressWatchParts) {
    this.#parts = parts;
    parts.timeline.in(parts.clearAt - parts.timeline.now, () => this.#look());
  }

  /** Called with each write to the ledger. */
  wrote(changes: readonly TableChange[]): void {
    for (const { before, after } of changes) {
      if (after?.['sk'] === 'BATCH') this.#batchIs(after);
      else if (String(after?.['sk']).startsWith('PAYOUT#') && after !== undefined) this.#payoutIs(before, after);
    }
  }

  #batchIs(item: Item): void {
    const batchId = String(item['batchId']);
    const isProcessing = item['status'] === 'processing';
    const maySubmit = isProcessing && item['cancelRequestedAt'] === undefined;
    const before = this.#batches.get(batchId);
    const rows = rowsOf(item);
    const isUnchanged = before?.maySubmit === maySubmit && before.rows === rows;
    const since = isUnchanged ? before.since : this.#parts.timeline.now;
    const startsAt = item['status'] === 'scheduled' ? Date.parse(String(item['startAt'])) : undefined;
    this.#batches.set(batchId, { batchId, isProcessing, maySubmit, startsAt, since, rows });
  }

  #payoutIs(before: Item | undefined, after: Item): void {
    const [batchId, chunk, status] = [String(after['batchId']), Number(after['chunk']), String(after['status'])];
    const key = `${after['pk']} ${after['sk']}`;
    this.#written.set(batchId, this.#parts.timeline.now);
    if (before === undefined) this.#registered.set(batchId, (this.#registered.get(batchId) ?? 0) + 1);
    if (before?.['status'] === status) return;
    const isOpen = status === 'on_hold' || !restingStatuses.includes(status);
    const since = this.#parts.timeline.now;
    if (isOpen) this.#open.set(key, { batchId, chunk, status, since, reference: String(after['reference']) });
    else this.#open.delete(key);
  }

  #look(): void {
    this.#checkStarts();
    this.#checkReady();
    this.#checkDoubts();
    this.#checkEnds();
    this.#parts.timeline.in(everyMs, () => this.#look());
  }

  /** A scheduled batch is begun by its schedule, else by the watch, else by people who check once an hour. */
  #checkStarts(): void {
    for (const { batchId, startsAt } of this.#batches.values()) {
      if (startsAt === undefined || this.#msSince(startsAt) <= startMostMs) continue;
      const detail = `scheduled, ${this.#minutesSince(startsAt)} after its time`;
      this.#parts.report('every scheduled batch starts', detail, { batchId });
    }
  }

  #checkReady(): void {
    const { rate } = this.#parts.scenario.terms;
    for (const { batchId, maySubmit, since, rows } of this.#batches.values()) {
      const runningSince = this.#runningSince(batchId);
      if (!maySubmit || runningSince === undefined) continue;
      const rateMs = rate === undefined ? 0 : rows * (1000 / rate.postsPerSecond + rate.retryAfterSeconds * 1000);
      const isOverdue = (waitsSince: number): boolean =>
        this.#msSince(since, runningSince, waitsSince) > readyMostMs + rateMs;
      if (!isOverdue(0)) continue;
      const unregistered = rows - (this.#registered.get(batchId) ?? 0);
      if (unregistered > 0) this.#reportWaiting(`${unregistered} rows are not even registered`, { batchId });
      for (const { chunk, reference, status, since: readySince, ...payout } of this.#open.values()) {
        if (payout.batchId !== batchId || status !== 'ready' || !isOverdue(readySince)) continue;
        this.#reportWaiting(`ready for ${this.#minutesSince(readySince)}`, { batchId, chunk, reference });
      }
    }
  }

  /** Claimed payouts that nobody made return to `ready` or go to a person, even while the batch is paused. */
  #checkDoubts(): void {
    for (const { batchId, chunk, reference, status, since } of this.#open.values()) {
      const runningSince = this.#runningSince(batchId);
      if (!doubtful.includes(status) || runningSince === undefined) continue;
      if (this.#parts.truth.byReference(reference).length > 0) continue;
      if (this.#msSince(since, runningSince) <= doubtMostMs) continue;
      const detail = `${status} for ${this.#minutesSince(since)}, and nobody made it`;
      this.#parts.report('no doubt lasts', detail, { batchId, chunk, reference });
    }
  }

  #checkEnds(): void {
    const { truth, scenario, report } = this.#parts;
    const { settings, terms } = scenario;
    const honestMs = 2000 * settings.pollMaxSeconds + knownSlackMs + 10_000 * (terms.rate?.retryAfterSeconds ?? 0);
    this.#checkBatches(honestMs);
    for (const { batchId, chunk, reference, status, since } of this.#open.values()) {
      const runningSince = this.#runningSince(batchId);
      const [payment, another] = truth.byReference(reference);
      if (status === 'ready' || runningSince === undefined || payment === undefined || another !== undefined) continue;
      if (payment.madeBy === 'outsider' || !ends.includes(payment.status)) continue;
      const endedAt = payment.since.at(-1) ?? payment.createdAt;
      // A payment hidden at its end appears among old changes once shown. One that lost its reference appears in no list by it.
      const isListed = payment.visibleAt <= endedAt && payment.isNameless !== true;
      const isShown = !areHostile(terms.lists) && isListed;
      const mostMs = isShown ? honestMs : knownFromHostileListsMs;
      if (this.#msSince(runningSince, endedAt, payment.visibleAt, since) <= mostMs) continue;
      const detail = `${payment.id} is ${payment.status} for ${this.#minutesSince(endedAt)}, and its payout ${status}`;
      report('an end is soon known', detail, { batchId, chunk, reference });
    }
  }

  /** A batch whose payouts are all at rest is reported, and ends. */
  #checkBatches(mostMs: number): void {
    const open = new Set([...this.#open.values()].map(({ batchId }) => batchId));
    for (const { batchId, isProcessing, since, rows } of this.#batches.values()) {
      const runningSince = this.#runningSince(batchId);
      const isOpen = open.has(batchId) || (this.#registered.get(batchId) ?? 0) < rows;
      if (!isProcessing || isOpen || runningSince === undefined) continue;
      const written = this.#written.get(batchId) ?? 0;
      if (this.#msSince(since, runningSince, written) <= mostMs) continue;
      const detail = `no payout of it is open for ${this.#minutesSince(written)}, and it is processing`;
      this.#parts.report('an end is soon known', detail, { batchId });
    }
  }

  #reportWaiting(detail: string, subject: Parameters<Report>[2]): void {
    this.#parts.report('no ready row waits', detail, subject);
  }

  /** Undefined when no execution of the batch runs. */
  #runningSince(batchId: string): number | undefined {
    const last = this.#parts.stateMachine().of(batchId).at(-1);
    return last?.status === 'running' ? last.runningSince : undefined;
  }

  /** Milliseconds since the latest of these times and of the end of faults. */
  #msSince(...times: readonly number[]): number {
    return this.#parts.timeline.now - Math.max(this.#parts.clearAt, ...times);
  }

  #minutesSince(at: number): string {
    return `${Math.round((this.#parts.timeline.now - at) / minute)} minutes`;
  }
}

/** While its canary is open, only the canary is sent. */
const rowsOf = ({ plan, claimUpTo, canary }: Item): number => {
  if (claimUpTo !== undefined) return Number(canary);
  return typeof plan === 'object' && plan !== null && 'validRows' in plan ? Number(plan.validRows) : 0;
};
