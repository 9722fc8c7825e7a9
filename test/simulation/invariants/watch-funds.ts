import { readBatch } from '../../../functions/ledger/batch-codec.ts';
import { readReservation } from '../../../functions/ledger/funds-codec.ts';
import { readChunkRecord } from '../../../functions/ledger/payout-codec.ts';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { TableChange } from '../../support/memory-table/options.ts';
import { amountText, millionths } from '../provider/money.ts';
import type { Timeline } from '../timeline.ts';
import type { Report } from './violation.ts';

/** Money that the provider has taken, or never will: written down here a second time, apart from functions/domain. */
const settled: readonly string[] = ['pending', 'on_hold', 'completed', 'failed', 'canceled', 'rejected'];

/** What a batch holds of a currency, and what it held before: the value and until when. */
interface Held {
  reserved: bigint;
  readonly settledByChunk: Map<number, bigint>;
  readonly past: { readonly until: number; readonly outstanding: bigint }[];
}

/** Longest time from a plan's first read to its making: PlanFunding may take no longer. */
const planMs = 90_000;

const outstandingOf = ({ reserved, settledByChunk }: Held): bigint => {
  const left = [...settledByChunk.values()].reduce((sum, amount) => sum - amount, reserved);
  return left > 0n ? left : 0n;
};

/**
 * Holds each funding plan against what other batches had set aside and not spent while it was made. Told too little, money is
 * promised twice; told too much, a batch waits for money, or converts for it, that nobody needs.
 */
export class FundsWatch {
  readonly #timeline: Timeline;
  readonly #report: Report;
  /** By currency, then by batch. */
  readonly #held = new Map<string, Map<string, Held>>();

  constructor(timeline: Timeline, report: Report) {
    this.#timeline = timeline;
    this.#report = report;
  }

  /** Hears of each write to the ledger. */
  wrote(changes: readonly TableChange[]): void {
    for (const { before, after } of changes) {
      const [pk, sk] = [String((after ?? before)?.['pk']), String((after ?? before)?.['sk'])];
      if (pk.startsWith('FUNDS#') && sk.startsWith('BATCH#')) this.#reserves(pk.slice('FUNDS#'.length), before, after);
      else if (sk.startsWith('CHUNK#') && after !== undefined) this.#settles(after);
      else if (sk === 'BATCH' && after !== undefined && before?.['funding'] !== after['funding']) this.#plans(after);
    }
  }

  #heldBy(batchId: string, currency: string): Held {
    const ofCurrency = this.#held.get(currency) ?? new Map<string, Held>();
    const held: Held = ofCurrency.get(batchId) ?? { reserved: 0n, settledByChunk: new Map(), past: [] };
    this.#held.set(currency, ofCurrency.set(batchId, held));
    held.past.push({ until: this.#timeline.now, outstanding: outstandingOf(held) });
    return held;
  }

  #reserves(currency: string, before: Item | undefined, after: Item | undefined): void {
    const { batchId } = readReservation({ ...(after ?? before) });
    const held = this.#heldBy(batchId, currency);
    held.reserved = after === undefined ? 0n : millionths(readReservation({ ...after }).amount);
  }

  #settles(item: Item): void {
    const { batchId, chunk, currency, tallies } = readChunkRecord({ ...item });
    const sums = Object.entries(tallies)
      .filter(([status]) => settled.includes(status))
      .map(([, { amount, fee }]) => millionths(amount) + millionths(fee));
    this.#heldBy(batchId, currency).settledByChunk.set(
      chunk,
      sums.reduce((sum, amount) => sum + amount, 0n),
    );
  }

  #plans(item: Item): void {
    const { batchId, funding } = readBatch({ ...item });
    for (const { currency, reservedByOthers } of funding?.currencies ?? []) {
      const since = Date.parse(funding?.plannedAt ?? '') - planMs;
      const ranges = [...(this.#held.get(currency) ?? [])]
        .filter(([other]) => other !== batchId)
        .map(([, held]) => [
          outstandingOf(held),
          ...held.past.filter(({ until }) => until >= since).map(({ outstanding }) => outstanding),
        ]);
      const sumOf = (pick: (values: readonly bigint[]) => bigint | undefined): bigint =>
        ranges.reduce((sum, values) => sum + (pick(values) ?? 0n), 0n);
      const sorted = (values: readonly bigint[]): bigint[] => values.toSorted((a, b) => (a < b ? -1 : 1));
      const [least, most] = [sumOf((values) => sorted(values)[0]), sumOf((values) => sorted(values).at(-1))];
      const told = millionths(reservedByOthers);
      if (told >= least && told <= most) continue;
      const between = `${amountText(least)} to ${amountText(most)} ${currency}`;
      this.#report('money set aside', `others are told to hold ${amountText(told)}, not ${between}`, { batchId });
    }
  }
}
