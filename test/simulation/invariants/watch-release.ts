import type { OrchestratorSettings } from '../../../functions/domain/settings.ts';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { TableChange } from '../../support/memory-table/options.ts';
import type { MeantBatch } from '../draw/scenario.ts';
import { amountText, millionths } from '../provider/money.ts';
import { starter } from '../world/people.ts';
import type { Timeline } from '../world/timeline.ts';
import { field, list } from './read-fields.ts';
import type { Report } from './violation.ts';

export interface ReleaseWatchParts {
  readonly table: () => MemoryTable;
  readonly settings: OrchestratorSettings;
  readonly meant: readonly MeantBatch[];
  readonly timeline: Timeline;
  /** Milliseconds since 1970 at which the batch of a file is due. Undefined without a start time. */
  readonly startsAt: (key: string) => number | undefined;
  readonly report: Report;
}

type Sums = ReadonlyMap<string, bigint>;

/** The sums that a batch pays, by its plan. */
const sumsOf = (batch: Item): Sums => {
  const sums = new Map<string, bigint>();
  for (const one of list(field(batch['plan'], 'currencies'))) {
    const currency = String(field(one, 'currency'));
    sums.set(currency, (sums.get(currency) ?? 0n) + millionths(String(field(one, 'amount'))));
  }
  return sums;
};

const exceeds = (sums: Sums, limits: Readonly<Record<string, string>>): boolean =>
  Object.entries(limits).some(([currency, limit]) => (sums.get(currency) ?? 0n) > millionths(limit));

/** The caller without its session name. Equal for two sessions of one person. */
const principalOf = (caller: string): string => caller.split('/').slice(0, 2).join('/');

/** Compares everything that moves money with the decision a person had to make, calculated apart from the product. */
export class ReleaseWatch {
  readonly #parts: ReleaseWatchParts;
  /** Approved hashes, by batch. */
  readonly #approved = new Map<string, Set<string>>();
  /** Released amounts by day and currency. */
  readonly #released = new Map<string, bigint>();

  constructor(parts: ReleaseWatchParts) {
    this.#parts = parts;
  }

  /** Called with each write to the ledger. */
  wrote(changes: readonly TableChange[]): void {
    for (const { before, after } of changes) {
      if (after === undefined) continue;
      const sk = String(after['sk']);
      if (sk.startsWith('EVENT#') && before === undefined) this.#event(after);
      if (before === undefined && (sk.startsWith('CALL#') || sk.startsWith('CONVERSION#'))) this.#moves(after);
    }
    for (const { before, after } of changes) {
      if (after?.['sk'] === 'BATCH' && before?.['release'] === undefined && after['release'] !== undefined)
        this.#counts(after);
    }
  }

  #event({ pk, code, by, detail }: Item): void {
    if (code !== 'batch.approved') return;
    const batchId = String(pk).replace('BATCH#', '');
    if (principalOf(String(by)) === principalOf(starter))
      this.#parts.report('two persons', `${String(by)} approves what they started`, { batchId });
    this.#approved.set(batchId, (this.#approved.get(batchId) ?? new Set()).add(String(detail)));
  }

  /** Called when a call or a conversion is claimed, so money is about to move. */
  #moves({ batchId: id }: Item): void {
    const { table, settings, timeline, startsAt, report } = this.#parts;
    const batchId = String(id);
    const batch = table().item({ pk: `BATCH#${batchId}`, sk: 'BATCH' });
    if (batch === undefined) return;
    const promise = 'nothing moves before release';
    const sums = sumsOf(batch);
    const hash = field(batch['release'], 'hash');
    if (hash === undefined) report(promise, 'money moves of a batch that is not released', { batchId });
    if (exceeds(sums, settings.maxBatchAmount)) report(promise, 'a batch pays more than one may', { batchId });
    const startAt = startsAt(String(field(batch['file'], 'key')));
    if (startAt !== undefined && timeline.now < startAt)
      report('nothing moves before its time', `money moves ${startAt - timeline.now} ms before startAt`, { batchId });
    const meant = this.#parts.meant.find(({ key }) => key === field(batch['file'], 'key'));
    const needs = settings.approval === 'always' || meant?.isToBeApproved || exceeds(sums, settings.approvalAbove);
    if (needs && this.#approved.get(batchId)?.has(String(hash)) !== true)
      report(promise, 'money moves that nobody approved', { batchId });
  }

  /** Called at a batch's first release. A release without a person stays within the day's limits. */
  #counts(batch: Item): void {
    const day = String(field(batch['release'], 'at')).slice(0, 'YYYY-MM-DD'.length);
    const batchId = String(batch['batchId']);
    for (const [currency, amount] of sumsOf(batch)) {
      const key = `${day} ${currency}`;
      const sum = (this.#released.get(key) ?? 0n) + amount;
      this.#released.set(key, sum);
      const limit = this.#parts.settings.maxDayAmount[currency];
      const isApproved = this.#approved.get(batchId)?.has(String(field(batch['release'], 'hash'))) === true;
      if (limit !== undefined && sum > millionths(limit) && !isApproved)
        this.#parts.report('a day pays no more than it may', `${amountText(sum)} ${currency}`, { batchId });
    }
  }
}
