import { isDeepStrictEqual } from 'node:util';
import { readBatch } from '../../../functions/ledger/batches/batch-codec.ts';
import { readConversion, readReservation } from '../../../functions/ledger/funds/funds-codec.ts';
import { readChunkRecord } from '../../../functions/ledger/payouts/payout-codec.ts';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { TableChange } from '../../support/memory-table/options.ts';
import { amountText, larger, millionths, smaller, unitOf } from '../provider/money.ts';
import type { Timeline } from '../world/timeline.ts';
import type { Report } from './violation.ts';

/** Statuses of which the provider has taken the money or never will, written a second time apart from functions/domain. */
const settled: readonly string[] = ['pending', 'on_hold', 'quarantined', 'completed', 'failed', 'canceled', 'rejected'];

/** Money that a batch reserves in a currency, and its past amounts with the time until which each applied. */
interface Held {
  reserved: bigint;
  /** Amount that a conversion of unknown outcome may bring. */
  expected: bigint;
  /** Payouts of the currency in its file. */
  planned: { readonly count: number; readonly amount: bigint } | undefined;
  readonly settledByChunk: Map<number, { readonly count: number; readonly amount: bigint; readonly fee: bigint }>;
  readonly past: { readonly until: number; readonly outstanding: bigint }[];
}

/** Longest time from a plan's first read to its creation, bounded by PlanFunding's timeout. */
const planMs = 90_000;

const outstandingOf = ({ reserved, planned, settledByChunk }: Held): bigint => {
  const chunks = [...settledByChunk.values()];
  const count = chunks.reduce((sum, chunk) => sum + chunk.count, 0);
  if (planned === undefined) return reserved;
  if (count === planned.count) return 0n;
  const [amount, reported] = [sumOf(chunks, 'amount'), sumOf(chunks, 'fee')];
  const fees = reserved > planned.amount ? reserved - planned.amount : 0n;
  // However large the reported fees are, the part reserved for others stays.
  const [byCount, byAmount] = [(fees * BigInt(count)) / BigInt(planned.count), (fees * amount) / planned.amount];
  const most = larger(byCount, byAmount);
  // A fee of ten times as much is implausible.
  const freed = reported > 10n * most ? smaller(byCount, byAmount) : smaller(reported, most);
  return larger(reserved - amount - freed, 0n);
};

const sumOf = (chunks: readonly { readonly amount: bigint; readonly fee: bigint }[], of: 'amount' | 'fee'): bigint =>
  chunks.reduce((sum, chunk) => sum + chunk[of], 0n);

/**
 * Compares each funding plan with the money that other batches had reserved and not spent while it was made. Too little
 * promises money twice. Too much makes a batch wait, or convert, for money that nobody needs.
 */
export class FundsWatch {
  readonly #timeline: Timeline;
  readonly #writer: () => string;
  readonly #report: Report;
  /** When a currency's reservations last changed. */
  readonly #changed = new Map<string, number>();
  /** By writer and currency: when the reservations last changed before its own. Its plan must include all of them. */
  readonly #knownSince = new Map<string, number>();
  /** Batches that may reserve money. */
  readonly #funded = new Set<string>();
  /** By currency, then by batch. */
  readonly #held = new Map<string, Map<string, Held>>();

  /** @param writer names the author of the current write */
  constructor(timeline: Timeline, writer: () => string, report: Report) {
    this.#timeline = timeline;
    this.#writer = writer;
    this.#report = report;
  }

  /** Called with each write to the ledger. */
  wrote(changes: readonly TableChange[]): void {
    for (const { before, after } of changes) {
      const [pk, sk] = [String((after ?? before)?.['pk']), String((after ?? before)?.['sk'])];
      if (pk.startsWith('FUNDS#') && sk.startsWith('BATCH#')) this.#reserves(pk.slice('FUNDS#'.length), before, after);
      else if (sk.startsWith('CHUNK#') && after !== undefined) this.#settles(after);
      else if (sk.startsWith('CONVERSION#') && after !== undefined) this.#expects(after, changes);
      else if (sk === 'BATCH' && after !== undefined) {
        this.#isFunded(after);
        if (!isDeepStrictEqual(before?.['funding'], after['funding'])) this.#plans(after);
      }
    }
  }

  /** The amounts that others may count for it: with its expected money while it is being funded, later with or without. */
  #countable(batchId: string, held: Held): readonly bigint[] {
    const withExpected = outstandingOf(held) + held.expected;
    return this.#funded.has(batchId) ? [withExpected] : [outstandingOf(held), withExpected];
  }

  #heldBy(batchId: string, currency: string): Held {
    const ofCurrency = this.#held.get(currency) ?? new Map<string, Held>();
    const held: Held = ofCurrency.get(batchId) ?? {
      reserved: 0n,
      expected: 0n,
      planned: undefined,
      settledByChunk: new Map(),
      past: [],
    };
    this.#held.set(currency, ofCurrency.set(batchId, held));
    for (const outstanding of this.#countable(batchId, held))
      held.past.push({ until: this.#timeline.now, outstanding });
    return held;
  }

  #reserves(currency: string, before: Item | undefined, after: Item | undefined): void {
    const read = readReservation(currency);
    const { batchId } = read({ ...(after ?? before) });
    const held = this.#heldBy(batchId, currency);
    held.reserved = after === undefined ? 0n : millionths(read({ ...after }).amount.amount);
    this.#knownSince.set(`${this.#writer()} ${currency}`, this.#changed.get(currency) ?? 0);
    this.#changed.set(currency, this.#timeline.now);
  }

  #settles(item: Item): void {
    const { batchId, chunk, currency, tallies } = readChunkRecord({ ...item });
    const known = Object.entries(tallies).flatMap(([status, tally]) => (settled.includes(status) ? [tally] : []));
    this.#heldBy(batchId, currency).settledByChunk.set(chunk, {
      count: known.reduce((sum, { count }) => sum + count, 0),
      amount: known.reduce((sum, { amount }) => sum + millionths(amount.amount), 0n),
      fee: known.reduce((sum, { fee }) => sum + millionths(fee.amount), 0n),
    });
  }

  /** A conversion's proceeds belong to its batch from the write that records them. */
  #expects(item: Item, changes: readonly TableChange[]): void {
    const { batchId, planned, output = planned.output, status } = readConversion({ ...item });
    const { currency } = output;
    const isOpen = status === 'claimed' || status === 'unknown';
    this.#heldBy(batchId, currency).expected = isOpen ? millionths(output.amount) : 0n;
    if (!this.#funded.has(batchId) || (status !== 'completed' && status !== 'inferred')) return;
    const own = changes.find(
      ({ after }) => after?.['pk'] === `FUNDS#${currency}` && after['sk'] === `BATCH#${batchId}`,
    );
    const amountOf = (reserved: Item | undefined): bigint =>
      reserved === undefined ? 0n : millionths(readReservation(currency)({ ...reserved }).amount.amount);
    if (amountOf(own?.after) - amountOf(own?.before) === millionths(output.amount)) return;
    this.#report('money is reserved', `a conversion brought ${output.amount} that no batch holds`, { batchId });
  }

  #isFunded(item: Item): void {
    const { batchId, status, cancelRequestedAt } = readBatch({ ...item });
    for (const [currency, held] of this.#held) if (held.has(batchId)) this.#heldBy(batchId, currency);
    if (cancelRequestedAt === undefined && (status === 'validating' || status === 'awaiting_funds'))
      this.#funded.add(batchId);
    else this.#funded.delete(batchId);
  }

  #plans(item: Item): void {
    const { batchId, funding, plan } = readBatch({ ...item });
    for (const { currency, count, amount } of plan?.currencies ?? [])
      this.#heldBy(batchId, currency).planned = { count, amount: millionths(amount.amount) };
    for (const { currency, reservedByOthers } of funding?.currencies ?? []) {
      const since = Math.max(
        Date.parse(funding?.plannedAt ?? '') - planMs,
        this.#knownSince.get(`${this.#writer()} ${currency}`) ?? 0,
      );
      const ranges = [...(this.#held.get(currency) ?? [])]
        .filter(([other]) => other !== batchId)
        .map(([other, held]) => [
          ...this.#countable(other, held),
          ...held.past.filter(({ until }) => until > since).map(({ outstanding }) => outstanding),
        ]);
      const sum = (pick: (values: readonly bigint[]) => bigint | undefined): bigint =>
        ranges.reduce((all, values) => all + (pick(values) ?? 0n), 0n);
      const sorted = (values: readonly bigint[]): bigint[] => values.toSorted((a, b) => (a < b ? -1 : 1));
      const [least, most] = [sum((values) => sorted(values)[0]), sum((values) => sorted(values).at(-1))];
      const counted = millionths(reservedByOthers.amount);
      // Fee shares are rounded.
      if (counted >= least && counted <= most + unitOf(2) * BigInt(ranges.length)) continue;
      const between = `${amountText(least)} to ${amountText(most)} ${currency}`;
      this.#report('money is reserved', `a plan counts ${amountText(counted)} for others, not ${between}`, { batchId });
    }
  }
}
